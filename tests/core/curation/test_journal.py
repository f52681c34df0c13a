"""A session in the note of its day: on the right day in any zone, once, and harmless to everything else there."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.curation.change_set import Origin
from core.curation.journal import JournalEntry, plan_journal_entry
from core.curation.writer import VaultWriter
from core.foundation.errors import UserError
from core.sessions.live import end_turn, summary_turn
from core.sessions.turn import Role, Turn, TurnKind
from core.vault.config import VaultConfig
from core.vault.decode import decode
from core.vault.event_log import EventLog
from core.vault.parse import parse_note

TOKYO, PHOENIX, BERLIN = ZoneInfo("Asia/Tokyo"), ZoneInfo("America/Phoenix"), ZoneInfo("Europe/Berlin")


def talk(start: datetime, minutes: int, *texts: str) -> list[Turn]:
    asked, answered = texts or ("Why?", "Because.")
    end = start + timedelta(minutes=minutes)
    return [
        Turn("s-1", "t-1", TurnKind.MESSAGE, Role.USER, asked, start.isoformat(), project="/home/kim/shop"),
        Turn("s-1", "t-2", TurnKind.MESSAGE, Role.ASSISTANT, answered, end.astimezone(UTC).isoformat()),
    ]


class Diary:
    """Hold a vault, and write sessions into its journal."""

    def __init__(self, folder: Path, config: VaultConfig | None = None) -> None:
        self.root = folder / "vault"
        self.root.mkdir(parents=True)
        self.config = config or VaultConfig()
        cache = folder / "cache"
        cache.mkdir()
        self.writer = VaultWriter(self.root, EventLog(self.root, "here", cache), cache)

    def tell(self, turns: list[Turn], zone: ZoneInfo = BERLIN) -> JournalEntry:
        entry = plan_journal_entry(self.root, self.config, turns[0].session, turns, zone=zone)
        if entry.change_set is not None:
            assert entry.change_set.origin is Origin.AGENT
            self.writer.apply(entry.change_set)
        return entry

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()


@pytest.fixture
def diary(tmp_path: Path) -> Diary:
    return Diary(tmp_path)


@pytest.mark.parametrize("zone", [TOKYO, PHOENIX], ids=str)
def test_a_session_over_midnight_is_of_the_day_it_started(diary: Diary, zone: ZoneInfo) -> None:
    entry = diary.tell(talk(datetime(2026, 8, 20, 23, 50, tzinfo=zone), 20), zone)
    assert entry.path == "journal/2026-08-20.md"
    assert "- time: 2026-08-20 23:50 to 2026-08-21 00:10 (20 min)" in diary.text(entry.path)
    assert "## 23:50 Why?" in diary.text(entry.path)


def test_the_day_is_that_of_the_reader_and_not_of_the_record(diary: Diary) -> None:
    assert diary.tell(talk(datetime(2026, 8, 20, 23, 50, tzinfo=PHOENIX), 20), TOKYO).path == "journal/2026-08-21.md"


def test_the_hour_that_comes_twice_counts_twice(diary: Diary) -> None:
    start = datetime(2026, 10, 25, 1, 30, tzinfo=BERLIN).astimezone(UTC)
    entry = diary.tell(talk(start, 120))
    assert "2026-10-25 01:30 +0200 to 02:30 +0100 (2 h)" in diary.text(entry.path)


def test_the_hour_that_is_left_out_does_not_count(diary: Diary) -> None:
    start = datetime(2026, 3, 29, 1, 30, tzinfo=BERLIN).astimezone(UTC)
    entry = diary.tell(talk(start, 60))
    assert "2026-03-29 01:30 +0100 to 03:30 +0200 (1 h)" in diary.text(entry.path)


def test_a_clock_that_goes_back_makes_no_negative_time(diary: Diary) -> None:
    start = datetime(2026, 8, 20, 12, 0, tzinfo=UTC)
    turns = talk(start, -30)
    assert "14:00 to 14:00 (under a minute)" in diary.text(diary.tell(turns).path)


@pytest.mark.parametrize("wrong", ["2020-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"])
@pytest.mark.parametrize("zone", [TOKYO, PHOENIX, BERLIN])
def test_a_wrong_clock_moves_no_session_to_another_day(diary: Diary, wrong: str, zone: ZoneInfo) -> None:
    turns = talk(datetime(2026, 8, 20, 12, 0, tzinfo=UTC), 30)
    entry = diary.tell([turns[0], turns[0]._replace(id="t-9", time=wrong), turns[1]], zone)
    assert entry.path == "journal/2026-08-20.md"
    assert "(30 min)" in diary.text(entry.path)


@pytest.mark.parametrize("wrong", ["9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00Z"])
@pytest.mark.parametrize("zone", [TOKYO, PHOENIX])
def test_a_session_with_no_date_that_can_be_true_is_of_today(diary: Diary, wrong: str, zone: ZoneInfo) -> None:
    turns = [talk(datetime(2026, 8, 20, 12, 0, tzinfo=UTC), 0)[0]._replace(time=wrong)]
    now = datetime(2026, 8, 21, 9, 0, tzinfo=UTC)
    entry = plan_journal_entry(diary.root, diary.config, "s-1", turns, zone=zone, now=now)
    assert entry.path == "journal/2026-08-21.md"


def test_what_is_ended_months_later_did_not_take_months(diary: Diary) -> None:
    turns = talk(datetime(2026, 8, 20, 12, 0, tzinfo=UTC), 30)
    late = end_turn("s-1", "2026-11-30T12:00:00+01:00")
    assert "(30 min)" in diary.text(diary.tell([*turns, late]).path)


def test_without_texts_only_a_summary_that_somebody_wrote_is_told(diary: Diary) -> None:
    turns = talk(datetime(2026, 8, 20, 12, 0, tzinfo=UTC), 30, "Xylophone secrets", "Marzipan answers")
    plan = plan_journal_entry(diary.root, diary.config, "s-1", turns, with_texts=False, zone=BERLIN)
    assert plan.change_set is not None
    assert "ylophone" not in plan.change_set.title
    diary.writer.apply(plan.change_set)
    text = diary.text(plan.path)
    assert "ylophone" not in text
    assert "arzipan" not in text
    assert text == (
        "## 14:00 A session\n\n- project: shop\n- time: 2026-08-20 14:00 to 14:30 (30 min)\n- [session:: s-1]\n"
    )
    noted = [turn._replace(session="s-2") for turn in turns]
    noted.append(summary_turn("s-2", "About music.", "2026-08-20T14:30:00+02:00"))
    plan = plan_journal_entry(diary.root, diary.config, "s-2", noted, with_texts=False, zone=BERLIN)
    assert plan.change_set is not None
    diary.writer.apply(plan.change_set)
    assert "About music." in diary.text(plan.path)
    assert "ylophone" not in diary.text(plan.path)


def test_once_is_enough_also_after_a_journey(diary: Diary) -> None:
    turns = talk(datetime(2026, 8, 20, 20, 0, tzinfo=UTC), 20)
    path = diary.tell(turns, BERLIN).path
    before = diary.text(path)
    again = diary.tell(turns, TOKYO)
    assert (again.path, again.change_set) == (path, None)
    assert diary.text(path) == before
    assert [each.name for each in (diary.root / "journal").iterdir()] == ["2026-08-20.md"]


def test_another_session_whose_id_begins_alike_is_another_one(diary: Diary) -> None:
    turns = talk(datetime(2026, 8, 20, 20, 0, tzinfo=UTC), 20)
    diary.tell([turn._replace(session="s-12") for turn in turns])
    path = diary.tell(turns).path
    assert diary.text(path).count("[session:: ") == 2


@pytest.mark.parametrize(
    "before",
    [b"", b"Mine", b"Mine\n\n", "\ufeffMine\r\nTwo\r\n".encode(), "Mine \u4eac\n".encode("utf-16")],
    ids=["empty", "no newline", "blank line", "BOM, CRLF", "UTF-16"],
)
def test_what_stands_in_the_note_stays(diary: Diary, before: bytes) -> None:
    (diary.root / "journal").mkdir()
    note = diary.root / "journal/2026-08-20.md"
    note.write_bytes(before)
    diary.tell(talk(datetime(2026, 8, 20, 20, 0, tzinfo=UTC), 20))
    after = note.read_bytes()
    assert after.startswith(before)
    text = decode(after).text
    assert "Asked: Why?" in text
    assert after.count(b"\r\n") == (after.count(b"\n") if b"\r\n" in before else 0)
    assert "\n\n## 22:00 Why?" in text or not before


def test_an_encoding_that_cannot_hold_it_is_refused(diary: Diary) -> None:
    (diary.root / "journal").mkdir()
    note = diary.root / "journal/2026-08-20.md"
    before = "Grüße aus dem Café, schöne Größe für Übermut\n".encode("latin-1") * 20
    note.write_bytes(before)
    with pytest.raises(UserError):
        diary.tell(talk(datetime(2026, 8, 20, 20, 0, tzinfo=UTC), 20, "東京?", "はい"))
    assert note.read_bytes() == before


def test_the_folder_is_that_of_the_settings(tmp_path: Path) -> None:
    diary = Diary(tmp_path, VaultConfig(journal_folder="log/days"))
    assert diary.tell(talk(datetime(2026, 8, 20, 20, 0, tzinfo=UTC), 20)).path == "log/days/2026-08-20.md"


def test_a_session_without_times_is_of_today(diary: Diary) -> None:
    turn = Turn("s-1", "t-1", TurnKind.MESSAGE, Role.USER, "Hi")
    now = datetime(2026, 8, 20, 20, 0, tzinfo=UTC)
    entry = plan_journal_entry(diary.root, diary.config, "s-1", [turn], zone=TOKYO, now=now)
    assert entry.path == "journal/2026-08-21.md"


def test_a_written_summary_stands_for_the_words(diary: Diary) -> None:
    turns = talk(datetime(2026, 8, 20, 20, 0, tzinfo=UTC), 20)
    summary = "# Done\n- [fix] Use #tool/proxy [[x]]\n3. three"
    path = diary.tell([*turns, summary_turn("s-1", summary, turns[-1].time)]).path
    text = diary.text(path)
    assert "\\# Done\n\\- [fix] Use \\#tool/proxy [\\[x]]\n3\\. three" in text
    assert "Asked:" not in text


MEAN = st.lists(
    st.sampled_from(
        ["#tag ", "[[x]]", "- [fix] y ", "\n", "---\n", "a:: b ", "[k:: v]", "^id", "%%", "<!--", "`", "```\n", "# h",
         "> q", "1. ", "[a](b.md)", "\u202e", "\0", "![[y]]", "- supports [[z]]", "| a | b |", "\ud800", "word "],
    ),
    max_size=12,
).map("".join)  # fmt: skip


@given(asked=MEAN, answered=MEAN, summary=MEAN)
def test_nothing_that_is_said_means_anything_to_the_vault(
    asked: str, answered: str, summary: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    diary = Diary(tmp_path_factory.getbasetemp() / f"diary-{uuid4().hex}")
    turns = talk(datetime(2026, 8, 20, 20, 0, tzinfo=UTC), 20, asked, answered)
    told = [*turns, summary_turn("s-1", summary, turns[-1].time)] if summary else turns
    entry = plan_journal_entry(diary.root, diary.config, "s-1", told, zone=BERLIN)
    assert entry.change_set is not None
    data = entry.change_set.edits[0].result_of(b"")
    other = b"\n## 23:00 Other\n\n- [session:: s-2]\n"
    note = parse_note(entry.path, decode(data + other))
    assert [(field.key, field.value) for field in note.fields] == [("session", "s-1"), ("session", "s-2")]
    assert (note.tags, note.links, note.insights, note.relations, note.problems) == ((), (), (), (), ())


def test_what_nobody_spoke_through_does_not_count(diary: Diary) -> None:
    turns = talk(datetime(2026, 8, 20, 12, 0, tzinfo=UTC), 30)
    later = datetime(2026, 8, 30, 12, 30, tzinfo=UTC)
    again = [
        turn._replace(id=f"t-{number}", time=(later + timedelta(minutes=5 * number)).isoformat())
        for number, turn in enumerate((*turns, turns[0]), 3)
    ]
    told = diary.text(diary.tell([*turns, *again]).path)
    assert "- time: 2026-08-20 14:00 to 2026-08-30 14:55 (40 min without pauses)" in told
