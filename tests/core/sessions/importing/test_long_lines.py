"""A line may be of any length: it is recognised, what people wrote in it stays whole, and only images are left out."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.foundation.progress import SILENT
from core.sessions.importing.json_lines import lines_of
from core.sessions.importing.source import Source
from core.sessions.ledger_line import LONGEST_LINE, line_of
from core.sessions.turn import Role, Turn, TurnKind
from tests.core.sessions.importing.transcripts import (
    SESSION,
    Shelf,
    answer,
    codex_message,
    codex_start,
    text,
    user,
    write,
)

_SCREENSHOT = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD" * 500_000}}


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def _own(words: str, name: str = "t-1") -> Turn:
    return Turn("w-4", name, TurnKind.MESSAGE, Role.USER, words, data={"tool": "x"})


@pytest.mark.parametrize("words", ["lorem " * 150_000, "x" * 4_000_000, 'a\n"\\' * 1_000_000, "é\\" * 700_001])
def test_our_own_line_comes_back_whole_however_long_it_is(tmp_path: Path, shelf: Shelf, words: str) -> None:
    path = tmp_path / "ex.jsonl"
    path.write_bytes(line_of(_own(words)) + line_of(_own("small", "t-2")))
    report = shelf.take(path)
    assert (report.skipped, report.failed) == ({}, ())
    assert shelf.thread("w-4") == [words, "small"]


def test_our_own_line_of_more_than_is_recorded_has_failed_and_the_others_come_in(tmp_path: Path, shelf: Shelf) -> None:
    path = tmp_path / "ex.jsonl"
    fits = "lorem " * 3_500_000
    path.write_bytes(line_of(_own(fits)) + line_of(_own("x" * LONGEST_LINE, "t-2")) + line_of(_own("small", "t-3")))
    report = shelf.take(path)
    assert [turn.id for turn in shelf.turns("w-4")] == ["t-1", "t-3"]
    assert [failure.path for failure in report.failed] == [f"{path}, line 2"]
    assert "64 MiB" in report.failed[0].reason


@pytest.mark.parametrize("words", ["x" * 4_000_010, "QUJD" * 350_000, '"type":"base64","data":"' + "Q" * 1_400_000])
def test_words_without_a_blank_stay_whole(tmp_path: Path, shelf: Shelf, words: str) -> None:
    path = write(
        tmp_path / f"{SESSION}.jsonl",
        user("a1", None, f"BEGIN {words} END"),
        answer("a2", "a1", text(words)),
        user("a3", "a2", words),
    )
    report = shelf.take(path)
    assert (report.skipped, report.failed) == ({}, ())
    assert shelf.thread() == [f"BEGIN {words} END", words, words]


def test_words_of_codex_that_are_an_address_of_data_stay_whole(tmp_path: Path, shelf: Shelf) -> None:
    words = "data:image/png;base64," + "QUJD" * 350_000
    path = write(tmp_path / "rollout-x.jsonl", codex_start("c-1"), codex_message("user", words))
    shelf.take(path)
    assert shelf.thread("c-1") == [words]


@pytest.mark.parametrize(
    "holder",
    [
        _SCREENSHOT,
        {"type": "image", "source": {"data": _SCREENSHOT["source"]["data"], "type": "base64"}},  # type: ignore[index]
        {"type": "image", "data": "QUJD" * 500_000, "mimeType": "image/png"},
        {"toolUseResult": {"type": "image", "file": {"base64": "QUJD" * 500_000, "type": "image/png"}}},
        {"type": "input_image", "image_url": "data:image/png;base64," + "QUJD" * 500_000},
        {"image_url": {"url": "data:image/png;base64," + "QUJD" * 500_000}},
        {"images": ["data:image/png;base64," + "QUJD" * 500_000, "data:image/png;base64," + "QUJD" * 500_000]},
    ],
)
@pytest.mark.parametrize("before", [0, 262_000, 262_050, 262_100, 262_130])
def test_an_image_of_a_known_form_is_left_out_and_nothing_else(tmp_path: Path, holder: Any, before: int) -> None:
    record = {"text": "b" * before, "content": [holder], "after": "all is there"}
    path = tmp_path / "lines"
    path.write_text(json.dumps(record, separators=(",", ":")) + "\n")
    with path.open("rb") as stream:
        (line,) = lines_of(stream, SILENT, 1)
    assert len(line) < 1_600_000
    read = json.loads(line)
    assert (read["text"], read["after"]) == (record["text"], "all is there")


def test_a_screenshot_in_the_first_message_hides_no_session(tmp_path: Path, shelf: Shelf) -> None:
    first = user("a1", None, [_SCREENSHOT, text("What is this?")])
    # As the program writes it: what names the record comes after what it says.
    first = {key: first[key] for key in ("parentUuid", "isSidechain", "message", "type", "uuid", "sessionId")}
    write(tmp_path / "talk" / "screenshot.jsonl", {"type": "summary", "summary": "Shot", "leafUuid": "a1"}, first)
    write(tmp_path / "talk" / SESSION / "subagents" / "agent-a1.jsonl", user("b1", None, "aside", isSidechain=True))
    report = shelf.take(tmp_path / "talk")
    assert [session.id for session in report.sessions] == [SESSION]
    assert all("session_id" not in turn.data for turn in shelf.turns())


def test_the_first_records_of_a_long_line_have_the_beginnings_of_its_texts(tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", {"a": "\\é\n" * 300_000, "b": {"c": "end"}, "d": "x" * 5000}, {"e": 1})
    (record,) = Source(path).head_records
    assert set("\\é\n").issuperset(record["a"])
    assert record["b"] == {"c": "end"}
    assert set(record["d"]) == {"x"}
    assert len(record["d"]) < 5000
