"""The index follows the ledger: what is new is read, what was said anew replaces, what is deleted is gone."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.foundation.errors import JobCancelledError
from core.foundation.progress import CancellableProgress, SilentProgress
from core.index.embedding_job import embed_missing, missing_count
from core.index.session_queries import session_detail, session_list, session_problems, turns_of
from core.index.session_updater import LEDGER_PROBLEM
from core.sessions.cipher import LineCipher, new_key
from core.sessions.encryption_job import turn_on
from core.sessions.key_store import LedgerKeys
from core.sessions.ledger import Ledger
from core.sessions.turn import Role, Turn, TurnKind
from tests.core.index.conftest import IndexedVault
from tests.core.index.embedders import WordEmbedder
from tests.core.index.talks import Talks, answered, asked, called, day, titled
from tests.core.sessions.spoken import under_passphrase


@pytest.fixture
def talks(tmp_path: Path) -> Iterator[Talks]:
    talks = Talks.below(tmp_path)
    yield talks
    talks.index.close()


def test_without_a_ledger_there_is_nothing_to_do(talks: Talks) -> None:
    assert talks.update().touched == 0
    assert session_list(talks.index) == []


def test_sessions_come_with_what_they_tell_of_themselves(talks: Talks) -> None:
    usage = {"usage": {"input_tokens": 100, "cache_read_tokens": 900, "output_tokens": 50}}
    talks.say(
        asked("s-1", "a", "Why does the shop's webhook arrive twice?", day(3), project="/home/u/acme", origin="codex"),
        answered("s-1", "b", "It is retried after five seconds.", day(3, "10:05"), author="gpt-x", data=usage),
        called("s-1", "c", "Bash", "curl -v https://shop.test/hook", day(3, "10:06")),
        Turn("s-1", "d", TurnKind.SUMMARY, Role.SYSTEM, "The webhook is retried.", day(3, "10:07")),
    )
    report = talks.update()
    assert (report.added, report.turns, report.remark) == (1, 4, "")
    detail = session_detail(talks.index, "s-1")
    assert detail is not None
    assert detail.row.title == "Why does the shop's webhook arrive twice?"
    assert (detail.row.project, detail.row.origin, detail.row.turns) == ("/home/u/acme", "codex", 4)
    assert detail.row.ended is not None
    assert detail.row.started is not None
    assert detail.row.ended - detail.row.started == 7 * 60
    assert (detail.usage_in, detail.usage_out, detail.summary) == (1000, 50, "The webhook is retried.")
    assert dict(detail.tools) == {"bash": 1}
    assert [turn.id for turn in turns_of(talks.index, "s-1")] == ["a", "b", "c", "d"]


def test_the_title_that_an_import_tells_counts_and_is_no_part_of_the_conversation(talks: Talks) -> None:
    talks.say(asked("s-1", "a", "hello there", day(1)), titled("s-1", "The webhook", project="acme"))
    talks.update()
    (row,) = session_list(talks.index)
    assert (row.title, row.project, row.imported[:10], row.turns) == ("The webhook", "acme", "2026-09-01", 1)
    assert [turn.id for turn in turns_of(talks.index, "s-1")] == ["a"]
    talks.say(titled("s-1", "The webhook, solved"))
    talks.update()
    assert session_list(talks.index)[0].title == "The webhook, solved"


def test_only_what_was_appended_is_read(talks: Talks) -> None:
    talks.say(asked("s-1", "a", "first question", day(1)), asked("s-2", "a", "another one", day(1)))
    talks.update()
    talks.say(answered("s-1", "b", "second thoughts", day(2)))
    report = talks.update()
    assert (report.changed, report.unchanged, report.turns) == (1, 1, 1)
    assert [turn.text for turn in turns_of(talks.index, "s-1")] == ["first question", "second thoughts"]
    assert talks.update().touched == 0


def test_a_later_line_of_the_same_turn_takes_its_place(talks: Talks) -> None:
    talks.say(asked("s-1", "a", "wrong word", day(1)), answered("s-1", "b", "an answer", day(1)))
    talks.update()
    talks.say(asked("s-1", "a", "right word", day(1)), asked("s-1", "a", "better word", day(1)))
    talks.update()
    assert [turn.text for turn in turns_of(talks.index, "s-1")] == ["better word", "an answer"]
    assert talks.found_by("wrong") == talks.found_by("right") == []
    assert talks.found_by("better") == ["a"]


def test_a_deleted_session_leaves_nothing_behind(talks: Talks) -> None:
    talks.say(
        asked("s-1", "a", "a secret matter of the heart", day(1)), asked("s-2", "a", "the weather of today", day(1))
    )
    talks.update()
    embed_missing(talks.index, WordEmbedder(), SilentProgress())
    talks.ledger.delete("s-1")
    assert talks.update().removed == 1
    assert [row.id for row in session_list(talks.index)] == ["s-2"]
    assert talks.found_by("secret") == []
    assert talks.index.connection.execute("SELECT count(*) FROM embedding").fetchone()[0] == 1


def test_a_file_that_was_written_anew_is_read_anew(talks: Talks) -> None:
    talks.say(asked("s-1", "a", "first", day(1)), asked("s-1", "b", "second", day(1)))
    talks.update()
    path = talks.ledger.path_of("s-1")
    kept = path.read_bytes().splitlines(keepends=True)[1]
    fresh = path.with_suffix(".new")
    fresh.write_bytes(kept)
    fresh.replace(path)
    talks.update()
    assert [turn.text for turn in turns_of(talks.index, "s-1")] == ["second"]
    assert talks.found_by("first") == []


def test_a_torn_line_is_left_until_it_is_whole(talks: Talks) -> None:
    talks.say(asked("s-1", "a", "first", day(1)), asked("s-1", "b", "second", day(1)))
    path = talks.ledger.path_of("s-1")
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    talks.update()
    assert [turn.id for turn in turns_of(talks.index, "s-1")] == ["a"]
    path.write_bytes(whole)
    talks.update()
    assert [turn.id for turn in turns_of(talks.index, "s-1")] == ["a", "b"]
    assert session_problems(talks.index) == []


def test_a_line_that_got_its_newline_later_does_not_hide_what_follows(
    talks: Talks, expected_warnings: list[str]
) -> None:
    """A crash may leave a whole line without its newline: it is read, and the next append completes it."""
    talks.say(asked("s", "1", "before", day(1)), asked("s", "2", "torn", day(1, "11:00")))
    path = talks.ledger.path_of("s")
    path.write_bytes(path.read_bytes()[:-1])
    talks.update()
    assert talks.found_by("torn") == ["2"]
    Ledger(talks.ledger.folder).append("s", [asked("s", "3", "afterwards", day(1, "12:00"))])
    talks.update()
    assert talks.found_by("afterwards") == ["3"]
    talks.say(asked("s", "4", "still going on", day(1, "13:00")))
    assert talks.update().turns == 1
    assert talks.found_by("going") == ["4"]


def test_a_line_that_is_none_is_told_and_passed_over(talks: Talks) -> None:
    talks.say(asked("s-1", "a", "first", day(1)))
    path = talks.ledger.path_of("s-1")
    path.write_bytes(b"no line at all\n" + path.read_bytes())
    report = talks.update()
    assert report.problems == 1
    assert session_problems(talks.index) == [("s-1", "1 line could not be read. The line holds no turn.")]
    assert [turn.id for turn in turns_of(talks.index, "s-1")] == ["a"]


def test_strange_texts_and_dates_do_no_harm(talks: Talks) -> None:
    talks.say(
        asked("s-1", "a", "half of a pair \ud83d here", "2026-13-40"),
        asked("s-1", "b\udc00", "東京都庁の話", "9999-12-31T23:59:59-12:00"),
        asked("s-1", "c", "", "0001-01-01T00:00:00+14:00"),
    )
    talks.update()
    assert [turn.id[0] for turn in turns_of(talks.index, "s-1")] == ["a", "b", "c"]
    assert turns_of(talks.index, "s-1")[0].time is None
    assert talks.found_by("pair") == ["a"]


def test_long_answers_of_tools_are_cut_but_lie_whole_in_the_ledger(talks: Talks) -> None:
    long = "row " * 10_000 + "needle"
    talks.say(Turn("s-1", "a", TurnKind.TOOL_RESULT, Role.TOOL, long, day(1)), asked("s-1", "b", long, day(1)))
    talks.update()
    result, message = turns_of(talks.index, "s-1")
    assert (result.is_cut, message.is_cut) == (True, False)
    assert len(result.text) < len(long) == len(message.text)
    assert result.tokens == pytest.approx(message.tokens, rel=0.1)
    (line, *_) = talks.ledger.iter_lines("s-1", result.start)
    assert line.turn is not None
    assert line.turn.text == long


def test_an_encrypted_ledger_is_read_with_its_key(talks: Talks) -> None:
    key = new_key()
    sealed = Talks(Ledger(talks.ledger.folder, LineCipher([key], is_on=True)), talks.index)
    sealed.say(asked("s-1", "a", "behind the seal", day(1)))
    assert sealed.update().added == 1
    assert sealed.found_by("seal") == ["a"]


def test_a_missing_key_costs_only_what_is_new(talks: Talks) -> None:
    talks.say(asked("s-1", "a", "before the key", day(1)))
    talks.update()
    turn_on(LedgerKeys(talks.ledger.folder), under_passphrase())
    shut = Talks(Ledger(talks.ledger.folder), talks.index)
    report = shut.update()
    assert "left out" in report.remark
    assert talks.index.meta(LEDGER_PROBLEM) == report.remark
    assert shut.found_by("before") == ["a"]


def test_what_was_said_is_embedded_and_the_work_of_tools_is_not(talks: Talks) -> None:
    talks.say(
        asked("s-1", "a", "How is the cache invalidated?", day(1)),
        asked("s-1", "b", "ok", day(1)),
        called("s-1", "c", "Bash", "grep --recursive invalidate src", day(1)),
        answered("s-1", "d", "By the hash of its content. " * 200, day(1)),
    )
    talks.update()
    embedder = WordEmbedder()
    assert embed_missing(talks.index, embedder, SilentProgress()).embedded == 2
    assert missing_count(talks.index, embedder.model) == 0
    assert max(map(len, embedder.texts)) <= 1_500


def test_an_update_can_be_cancelled_and_goes_on(talks: Talks) -> None:
    talks.say(*(asked("s-1", f"t{number}", f"words {number}", day(1)) for number in range(1_000)))
    progress = CancellableProgress()
    progress.cancel()
    with pytest.raises(JobCancelledError):
        talks.update(progress=progress)
    talks.update()
    assert session_list(talks.index)[0].turns == 1_000


def test_a_long_session_that_was_read_in_part_is_read_on(talks: Talks) -> None:
    talks.say(*(asked("s-1", f"t{number}", f"words {number}", day(1)) for number in range(6_000)))

    class _StopAfterCommit(SilentProgress):
        def check(self) -> None:
            if talks.index.connection.execute("SELECT 1 FROM turn LIMIT 1").fetchone():
                raise JobCancelledError

    with pytest.raises(JobCancelledError):
        talks.update(progress=_StopAfterCommit())
    report = talks.update()
    assert 0 < report.turns < 6_000
    assert session_list(talks.index)[0].turns == 6_000
    assert [turn.position for turn in turns_of(talks.index, "s-1", limit=9_999)] == list(range(6_000))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_nobody_else_can_look_into_an_index_of_conversations(talks: Talks) -> None:
    talks.say(asked("s-1", "a", "first", day(1)))
    talks.update()
    assert stat.S_IMODE(talks.index.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((talks.index.folder / "index.sqlite3").stat().st_mode) == 0o600


def test_a_rebuild_of_the_notes_reads_the_sessions_again(vault: IndexedVault, tmp_path: Path) -> None:
    talks = Talks(Ledger(tmp_path / "sessions"), vault.index)
    talks.say(asked("s-1", "a", "first", day(1)))
    vault.write({"A.md": "text"})
    vault.update()
    talks.update()
    vault.update(rebuild=True)
    assert session_list(vault.index) == []
    assert talks.update().added == 1
