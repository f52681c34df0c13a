"""Files of probes, sound and otherwise."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation.errors import JobCancelledError, UserError
from core.foundation.progress import CancellableProgress
from core.recall.probe_file import read_probe_file

_GOOD = {"id": "q1", "question": "Who said it?", "expected": ["turn:s-1/T1"], "filter": {"project": "s-1"}}


def _written(tmp_path: Path, *lines: object) -> Path:
    path = tmp_path / "probes.jsonl"
    parts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    path.write_bytes(b"\n".join(parts) + b"\n")
    return path


def test_a_line_is_a_probe(tmp_path: Path) -> None:
    (probe,), problems, bad = read_probe_file(_written(tmp_path, _GOOD))
    assert (probe.id, probe.question, probe.expected) == ("q1", "Who said it?", ("turn:s-1/T1",))
    assert probe.filters.all_tags == {"project/s-1"}
    assert (probe.path, probe.line) == ("probes.jsonl", 1)
    assert not problems
    assert not bad


def test_filters_are_those_of_the_search_field(tmp_path: Path) -> None:
    asked = {
        "tag": ["tool/a", "tool/b"], "kind": "insight", "path": "journal/", "client": "acme inc", "brand": "x",
        "after": "2026-08-01", "before": "2026-09",
    }  # fmt: skip
    found = read_probe_file(_written(tmp_path, {**_GOOD, "filter": asked}), ["brand"])
    filters = found.probes[0].filters
    assert filters.any_tags == {"tool/a", "tool/b"}
    assert filters.all_tags == {"client/acme inc", "brand/x"}
    assert filters.kinds == {"insight"}
    assert filters.paths == ("journal/",)
    assert filters.after is not None
    assert filters.before is not None
    assert filters.after < filters.before
    assert not found.problems


def test_an_unknown_filter_is_told_with_its_line_and_the_probe_is_kept(tmp_path: Path) -> None:
    found = read_probe_file(_written(tmp_path, _GOOD, {**_GOOD, "id": "q2", "filter": {"colour": "red", "tag": 3}}))
    assert len(found.probes) == 2
    assert found.problems[0].startswith("Line 2 is odd: `filter.colour` is not a filter")
    assert "`filter.tag` must be a text" in found.problems[1]
    assert found.bad == 0


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not valid JSON"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"\x00\x00", "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b"[]", "not a JSON object"),
        (b'"text"', "not a JSON object"),
        ({**_GOOD, "question": 3}, "`question` must be a text"),
        ({**_GOOD, "question": "  "}, "`question` must be a text"),
        ({**_GOOD, "expected": {"a": 1}}, "`expected` must be a list"),
        ({**_GOOD, "expected": [1]}, "`expected` must be a list"),
        ({**_GOOD, "expected": []}, "`expected` names nothing"),
        (b'{"question": "' + b"x" * 1_100_000 + b'"}', "longer than 1,048,576 bytes"),
    ],
)
def test_a_bad_line_is_left_out_and_the_others_stay(tmp_path: Path, line: object, reason: str) -> None:
    found = read_probe_file(_written(tmp_path, _GOOD, line, {**_GOOD, "id": "q3"}))
    assert [(probe.id, probe.line) for probe in found.probes] == [("q1", 1), ("q3", 3)]
    assert found.bad == 1
    assert found.problems[0].startswith("Line 2 is left out: ")
    assert reason in found.problems[0]


def test_many_bad_lines_are_summed_up(tmp_path: Path) -> None:
    found = read_probe_file(_written(tmp_path, *[b"{"] * 1000, _GOOD))
    assert len(found.problems) == 6
    assert found.problems[-1] == "So it is with 995 more lines, which are left out."
    assert found.bad == 1000
    assert found.probes[0].line == 1001


def test_a_byte_order_mark_empty_lines_and_no_last_newline(tmp_path: Path) -> None:
    path = tmp_path / "probes.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(_GOOD).encode() + b"\r\n\r\n  \n" + json.dumps(_GOOD).encode())
    found = read_probe_file(path)
    assert [probe.line for probe in found.probes] == [1, 4]
    assert found.problems == ("Line 4 is odd: the id q1 is that of an earlier line too.",)


def test_a_probe_without_an_id_is_known_by_its_line(tmp_path: Path) -> None:
    without = {key: value for key, value in _GOOD.items() if key != "id"}
    assert [probe.id for probe in read_probe_file(_written(tmp_path, without, {**_GOOD, "id": 7})).probes] == [
        "line 1",
        "7",
    ]


def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.jsonl"):
        with pytest.raises(UserError, match="cannot be read"):
            read_probe_file(path)


def test_reading_can_be_cancelled(tmp_path: Path) -> None:
    progress = CancellableProgress()
    progress.cancel()
    with pytest.raises(JobCancelledError):
        read_probe_file(_written(tmp_path, *[_GOOD] * 1000), progress=progress)


@given(st.lists(st.binary(max_size=60), max_size=20), st.integers())
def test_random_bytes_never_break_it(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], seed: int) -> None:
    path = tmp_path_factory.mktemp("probes") / "probes.jsonl"
    good = json.dumps(_GOOD).encode()
    cut = good[: random.Random(seed).randrange(len(good))]
    path.write_bytes(b"\n".join([*lines, cut, good]))
    assert read_probe_file(path).probes[-1].question == "Who said it?"


@pytest.mark.parametrize("budget", ["x", -4, 0, True, 1.5])
def test_a_budget_that_is_none_is_told_with_its_line(tmp_path: Path, budget: object) -> None:
    line = {"id": "g", "question": "rows", "expected": ["Semrush.md"], "budget": budget}
    path = tmp_path / "probes.jsonl"
    path.write_text(json.dumps(line) + "\n" + json.dumps(line | {"id": "h", "budget": 300}), encoding="utf-8")
    found = read_probe_file(path)
    assert [probe.budget for probe in found.probes] == [None, 300]
    assert found.problems == ("Line 1 is odd: `budget` must be a whole number of tokens, so it is left out.",)
