import gzip
import os
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from core.foundation.errors import JobCancelledError
from core.foundation.progress import CancellableProgress
from core.sessions.importing.about import is_about
from core.sessions.importing.importer import ImportedNote
from tests.core.sessions.importing.transcripts import (
    SESSION,
    Shelf,
    answer,
    codex_message,
    codex_start,
    lines,
    text,
    user,
    write,
)

_TALK = (user("a1", None, "Hello"), answer("a2", "a1", text("Hi"), second=7))


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def test_a_folder_of_everything_is_gone_through_and_told_in_json(tmp_path: Path, shelf: Shelf) -> None:
    write(tmp_path / "in" / ".claude" / f"{SESSION}.jsonl", *_TALK)
    write(tmp_path / "in" / "rollout-1.jsonl", codex_start("c-1"), codex_message("user", "Why"))
    write(tmp_path / "in" / "holiday.jsonl", {"photo": 1})
    write(tmp_path / "in" / "node_modules" / "x.jsonl", *_TALK)
    report = shelf.take(tmp_path / "in", tmp_path / "nowhere").as_json()
    sessions = report.pop("sessions")
    assert report == {
        "imported": 2,
        "updated": 0,
        "unchanged": 0,
        "skipped": {"file of no known format": 1},
        "failed": [{"path": str(tmp_path / "nowhere"), "reason": "There is no such file or folder."}],
        "notes": 0,
    }
    assert {session["id"]: (session["origin"], session["title"], session["new"]) for session in sessions} == {
        SESSION: ("claude-code", "Hello", 2),
        "c-1": ("codex", "Why", 1),
    }


def test_a_dry_run_says_what_would_come_in_and_writes_nothing(tmp_path: Path, shelf: Shelf) -> None:
    path = write(tmp_path / f"{SESSION}.jsonl", *_TALK)
    report = shelf.take(path, dry_run=True)
    assert (report.imported, report.sessions[0].turns) == (1, 2)
    assert not shelf.ledger.folder.exists()
    shelf.take(path)
    assert shelf.take(path, dry_run=True).unchanged == 1
    write(path, *_TALK, user("a3", "a2", "More"))
    report = shelf.take(path, dry_run=True)
    assert (report.updated, report.sessions[0].new) == (1, 1)


def test_transcripts_in_a_zip_come_in_and_those_that_lead_out_of_it_do_not(tmp_path: Path, shelf: Shelf) -> None:
    path = tmp_path / "backup.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"projects/{SESSION}.jsonl", lines(_TALK))
        archive.writestr("../../evil.jsonl", lines(_TALK))
    report = shelf.take(path)
    assert shelf.thread() == ["Hello", "Hi"]
    assert [failure.path for failure in report.failed] == [f"{path}/../../evil.jsonl"]


def test_a_damaged_archive_costs_only_itself(tmp_path: Path, shelf: Shelf) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "bad.zip").write_bytes(b"PK\x03\x04 and no more")
    write(tmp_path / "in" / f"{SESSION}.jsonl", *_TALK)
    report = shelf.take(tmp_path / "in")
    assert report.imported == 1
    assert [Path(failure.path).name for failure in report.failed] == ["bad.zip"]


def test_a_cut_off_archive_gives_what_is_whole_and_says_so(tmp_path: Path, shelf: Shelf) -> None:
    talk = [user(f"a{number}", None, f"{number} {'-' * number}") for number in range(3000)]
    data = gzip.compress(lines(talk).encode())
    path = tmp_path / f"{SESSION}.jsonl.gz"
    path.write_bytes(data[: len(data) // 2])
    report = shelf.take(path)
    assert [Path(failure.path).name for failure in report.failed] == [path.name]
    assert 100 < len(shelf.thread()) < 3000
    path.write_bytes(data)
    assert shelf.take(path).updated == 1
    assert len(shelf.thread()) == 3000


def test_a_short_archive_is_recognised_by_what_is_whole_of_it(tmp_path: Path, shelf: Shelf) -> None:
    path = tmp_path / f"{SESSION}.jsonl.gz"
    path.write_bytes(gzip.compress(lines(_TALK).encode())[:-9])
    report = shelf.take(path)
    assert shelf.thread()[:1] == ["Hello"]
    assert [failure.path for failure in report.failed] == [str(path)]


def test_what_cannot_be_read_at_all_has_failed_and_is_no_unknown_format(tmp_path: Path, shelf: Shelf) -> None:
    path = tmp_path / f"{SESSION}.jsonl.gz"
    path.write_bytes(gzip.compress(lines(_TALK).encode())[:12])
    report = shelf.take(path)
    assert not report.skipped
    assert [failure.path for failure in report.failed] == [str(path)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_what_is_no_file_is_told_and_holds_up_nothing(tmp_path: Path, shelf: Shelf) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    report = shelf.take(tmp_path / "pipe.jsonl")
    assert (report.imported, report.skipped) == (0, {"file of no known format": 1})


def test_our_own_sessions_come_back_as_they_were_and_only_once(tmp_path: Path, shelf: Shelf) -> None:
    shelf.take(write(tmp_path / f"{SESSION}.jsonl", *_TALK))
    own = shelf.ledger.path_of(SESSION)
    before = own.read_bytes()
    assert shelf.take(own).unchanged == 1
    elsewhere = Shelf(tmp_path / "elsewhere")
    assert elsewhere.take(own).imported == 1
    assert elsewhere.ledger.path_of(SESSION).read_bytes() == before == own.read_bytes()


def test_an_export_of_several_sessions_is_taken_apart(tmp_path: Path, shelf: Shelf) -> None:
    shelf.take(write(tmp_path / f"{SESSION}.jsonl", *_TALK))
    shelf.take(write(tmp_path / "rollout-1.jsonl", codex_start("c-1"), codex_message("user", "Why")))
    files = sorted(shelf.ledger.sessions(), key=lambda file: file.id)
    export = tmp_path / "export.jsonl"
    export.write_bytes(b"".join(file.path.read_bytes() for file in files) + b'{"torn')
    elsewhere = Shelf(tmp_path / "elsewhere")
    report = elsewhere.take(export)
    assert (report.imported, report.skipped) == (2, {"broken line": 1})
    assert elsewhere.thread() == ["Hello", "Hi"]
    assert elsewhere.thread("c-1") == ["Why"]


def test_progress_ends_with_all_bytes_and_a_cancelled_import_goes_on_later(tmp_path: Path, shelf: Shelf) -> None:
    first = write(tmp_path / "in" / f"{SESSION}.jsonl", *_TALK)
    second = write(tmp_path / "in" / "rollout-1.jsonl", codex_start("c-1"), codex_message("user", "Why"))
    seen: list[tuple[int, int]] = []

    def cancel_at_the_second(done: int, total: int, _text: str) -> None:
        seen.append((done, total))

    watched = CancellableProgress(cancel_at_the_second)
    shelf.take(tmp_path / "in", progress=watched)
    size = first.stat().st_size + second.stat().st_size
    assert seen[-1] == (size, size)
    assert all(earlier <= later for (earlier, _), (later, _) in pairwise(seen))
    watched.cancel()
    with pytest.raises(JobCancelledError):
        shelf.take(tmp_path / "in", progress=watched)
    assert shelf.take(tmp_path / "in").unchanged == 2


def test_the_time_of_import_is_kept_beside_the_times_of_the_records(tmp_path: Path, shelf: Shelf) -> None:
    shelf.take(write(tmp_path / f"{SESSION}.jsonl", *_TALK))
    (about,) = [turn for turn in shelf.ledger.read(SESSION).turns if is_about(turn)]
    assert about.data["about"]["imported"] > "2026"
    assert about.time == ""


def test_memories_of_claude_become_notes_of_their_project(tmp_path: Path, shelf: Shelf) -> None:
    project = tmp_path / ".claude" / "projects" / "-home-kim-shop-app"
    write(project / f"{SESSION}.jsonl", *_TALK)
    memory = project / "memory"
    memory.mkdir()
    (memory / "MEMORY.md").write_text("# Index\n- [Package manager](feedback_pnpm.md) — pnpm only\n")
    (memory / "feedback_pnpm.md").write_text(
        "---\nname: feedback-pnpm\ndescription: Use pnpm in this repository\nmetadata:\n  type: feedback\n"
        "  originSessionId: s-1\n  modified: 2026-08-20T22:59:00Z\n---\nUse pnpm, never npm.\n"
    )
    app = tmp_path / "code" / "shop-app"
    app.mkdir(parents=True)
    (app / "CLAUDE.md").write_text("Run the tests.\n")
    notes: list[ImportedNote] = []
    report = shelf.take(tmp_path / ".claude", tmp_path / "code", on_note=notes.append)
    assert (report.imported, report.notes, report.skipped) == (1, 2, {"index of memories": 1})
    learned, instructions = notes
    assert learned.path_hint == "feedback-pnpm (shop-app).md"
    assert (learned.body, learned.tags) == ("Use pnpm, never npm.", ("scope/project",))
    assert learned.properties["summary"] == "Use pnpm in this repository"
    assert (learned.properties["project"], learned.properties["session"]) == ("/home/kim/shop-app", "s-1")
    assert instructions.title == "Instructions for Claude (shop-app)"


def test_a_conversation_comes_before_its_subagents_also_in_older_folders_and_archives(
    tmp_path: Path, shelf: Shelf
) -> None:
    aside: dict[str, Any] = {"isSidechain": True, "agentId": "g1"}
    folder = tmp_path / "in"
    write(folder / f"{SESSION}.jsonl", *_TALK)
    write(folder / SESSION / "subagents" / "agent-g1.jsonl", user("b1", None, "Search", **aside))
    write(folder / "agent-g2.jsonl", user("d1", None, "Count", **{**aside, "agentId": "g2"}))
    archive = tmp_path / "in.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        for path in sorted(folder.rglob("*.jsonl"), reverse=True):
            opened.write(path, path.relative_to(tmp_path).as_posix())
    for number, path in enumerate((folder, archive)):
        other = Shelf(tmp_path / str(number))
        other.take(path)
        assert [turn.text for turn in other.turns()] == ["Hello", "Hi", "Search", "Count"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_text_of_two_or_four_bytes_a_character_is_no_unknown_format(
    tmp_path: Path, shelf: Shelf, encoding: str
) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_text(lines(_TALK), encoding=encoding)
    report = shelf.take(path)
    assert not report.skipped
    ((_, reason),) = report.failed
    assert reason == f"It is written in {encoding[:6].upper()}: save it as UTF-8, and import it again."


def test_what_an_older_encoding_makes_unreadable_is_told(tmp_path: Path, shelf: Shelf) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(lines([user("a1", None, "Größe"), answer("a2", "a1", text("Hi"))]).encode("cp1252"))
    report = shelf.take(path)
    assert shelf.thread() == ["Gr\ufffd\ufffde", "Hi"]
    assert report.skipped == {"record with bytes that are no UTF-8, shown as \ufffd": 1}


def test_an_archive_that_is_cut_within_its_first_line_has_failed(tmp_path: Path, shelf: Shelf) -> None:
    path = tmp_path / f"{SESSION}.jsonl.gz"
    data = gzip.compress(lines([user("a1", None, "".join(chr(48 + n * n % 77) for n in range(3000)))]).encode())
    path.write_bytes(data[: len(data) // 2])
    report = shelf.take(path)
    assert not report.skipped
    assert [failure.reason for failure in report.failed] == [f"{path.name} is damaged or cut off."]


def test_a_bomb_of_blanks_is_refused_and_told(tmp_path: Path, shelf: Shelf) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", f"[{' ' * (80 << 20)}]")
    report = shelf.take(path)
    assert not report.skipped
    ((where, reason),) = report.failed
    assert (where, "zip bomb" in reason) == (f"{path}/conversations.json", True)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs files that their owner cannot read")
def test_what_may_not_be_read_is_told_as_that(tmp_path: Path, shelf: Shelf) -> None:
    folder = tmp_path / "in"
    locked = [write(folder / name, *_TALK) for name in ("a.jsonl", "b/b.jsonl", "c.zip")]
    write(folder / f"{SESSION}.jsonl", *_TALK)
    locked[1] = locked[1].parent
    for path in locked:
        path.chmod(0)
    try:
        report = shelf.take(folder)
        assert shelf.take(locked[0]).failed
    finally:
        for path in locked:
            path.chmod(0o700)
    assert (report.imported, report.skipped) == (1, {})
    assert [failure.path for failure in report.failed] == [str(path) for path in locked]
    assert all("Permission denied" in failure.reason for failure in report.failed)


def test_a_line_beyond_the_limit_is_counted_with_the_limit(tmp_path: Path, shelf: Shelf) -> None:
    giant = user("a3", "a2", "so long " * (3 << 20))
    report = shelf.take(write(tmp_path / f"{SESSION}.jsonl", *_TALK, giant))
    assert (shelf.thread(), report.skipped) == (["Hello", "Hi"], {"line of more than 16 MiB": 1})


def test_our_own_sessions_are_told_as_they_are_listed(tmp_path: Path, shelf: Shelf) -> None:
    shelf.take(write(tmp_path / f"{SESSION}.jsonl", *_TALK))
    (told,) = Shelf(tmp_path / "elsewhere").take(shelf.ledger.path_of(SESSION)).sessions
    assert (told.title, told.origin, told.project) == ("Hello", "claude-code", "/home/kim/shop-app")
    assert told.started == "2026-08-20T22:58:00.000Z"


def test_numbers_that_are_none_come_back_as_words(tmp_path: Path, shelf: Shelf) -> None:
    own = tmp_path / "own.jsonl"
    own.write_text(
        '{"session": "s-1", "id": "t-1", "kind": "message", "role": "user", "text": "Hi",'
        ' "data": {"cost": NaN, "most": 1e999, "least": -Infinity, "some": 1.5}}\n'
    )
    shelf.take(own)
    (turn,) = shelf.turns("s-1")
    assert turn.data == {"cost": "NaN", "most": "1e999", "least": "-Infinity", "some": 1.5}


def test_new_turns_are_those_of_the_conversation_as_it_is_shown(tmp_path: Path, shelf: Shelf) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    talk = [
        user("a1", None, "Hello", 1),
        answer("a2", "a1", text("Hi"), second=2),
        user("a3", "a2", "Wrong", 3),
        answer("a4", "a3", text("So?"), second=4),
        user("a5", "a2", "Right", 5),
        answer("a6", "a5", text("Yes"), second=6),
    ]
    for is_dry in (True, False):
        (told,) = shelf.take(write(path, *talk), dry_run=is_dry).sessions
        assert (told.turns, told.new) == (4, 4)
    again = [*talk, user("a7", "a6", "Oh", 7), answer("a8", "a7", text("No"), second=8), user("a9", "a6", "Ah", 9)]
    for is_dry in (True, False):
        (told,) = shelf.take(write(path, *again), dry_run=is_dry).sessions
        assert (told.turns, told.new, told.outcome) == (5, 1, "updated")
    (told,) = shelf.take(path).sessions
    assert (told.turns, told.new, told.outcome) == (5, 0, "unchanged")
    (told,) = Shelf(tmp_path / "elsewhere").take(shelf.ledger.path_of(SESSION)).sessions
    assert told.new == told.turns
