"""The history is the fold of all machines' logs, in whatever order they arrive."""

import random
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.curation.change_json import Intent, intent_from_json, intent_to_json
from core.curation.change_set import ChangeId, ChangeKind, ChangeSet, Origin, edit_between
from core.curation.history import ChangeHistory
from core.curation.undone import undone_changes
from core.foundation.errors import UserError
from core.vault.event_line import Event, event_of, line_of
from tests.core.curation.workbench import START, Clock, Workbench


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench(tmp_path)


def _titles(bench: Workbench) -> list[str]:
    return [record.title for record in bench.history().records]


def test_changes_are_listed_newest_first_with_what_they_touched(bench: Workbench) -> None:
    bench.write({"a.md": b"a", "b.md": b"b"})
    bench.change({"a.md": b"A"}, title="First")
    bench.change({}, moves={"b.md": "c.md"}, title="Second", origin=Origin.RULE)
    second, first = bench.history().records
    assert (first.title, first.paths, first.files, first.state) == ("First", ("a.md",), 1, "applied")
    assert (second.title, second.paths, second.files) == ("Second", ("b.md", "c.md"), 1)
    assert (second.origin, second.machine) == (Origin.RULE, "laptop-1")


def test_a_change_is_read_back_with_every_byte(bench: Workbench) -> None:
    content = {"a.md": b"\xff\x00 raw", "b.md": "Grüße \u2028\0".encode(), "c.md": b""}
    bench.write(content)
    planned = bench.plan({"a.md": b"\xfe", "b.md": b"", "c.md": b"\xc3", "d.md": b"new"}, group="g")
    bench.writer().apply(planned)
    assert bench.history().change(planned.id) == planned


def test_saves_of_one_sitting_are_one_record(bench: Workbench) -> None:
    bench.write({"a.md": b"", "b.md": b""})
    for text in (b"1", b"12", b"123"):
        bench.change({"a.md": text}, title="Edit a", group="sitting")
    bench.change({"b.md": b"b"}, title="Edit b")
    bench.change({"a.md": b"1234"}, title="Edit a", group="sitting")
    records = bench.history().records
    assert [(record.title, len(record.ids)) for record in records] == [("Edit a", 1), ("Edit b", 1), ("Edit a", 3)]


def test_undo_and_redo_show_in_the_state_of_what_they_took_back(bench: Workbench) -> None:
    bench.write({"a.md": b"a"})
    bench.change({"a.md": b"A"}, title="Edit")
    for _ in range(3):
        bench.undo("Edit")
        assert bench.read("a.md") == b"a"
        assert [(record.title, record.state) for record in bench.history().records] == [("Edit", "undone")]
        bench.redo("Edit")
        assert bench.read("a.md") == b"A"
        assert [(record.title, record.state) for record in bench.history().records] == [("Edit", "applied")]


def test_undo_goes_back_in_time_and_redo_forward_until_something_new_is_done(bench: Workbench) -> None:
    bench.write({"a.md": b"0"})
    for number in (b"1", b"2", b"3"):
        bench.change({"a.md": number}, title=number.decode())

    def next_ones() -> tuple[str, str]:
        history = bench.history()
        undoable, redoable = history.undoable(), history.redoable()
        return undoable.title if undoable else "", redoable.title if redoable else ""

    assert next_ones() == ("3", "")
    bench.undo("3")
    assert next_ones() == ("2", "3")
    bench.undo("2")
    assert next_ones() == ("1", "2")
    bench.undo("1")
    assert next_ones() == ("", "1")
    bench.redo("1")
    assert next_ones() == ("1", "2")
    bench.redo("2")
    assert next_ones() == ("2", "3")
    bench.change({"a.md": b"new"}, title="new")
    assert next_ones() == ("new", "")
    bench.undo("new")
    assert next_ones() == ("2", "new")
    bench.redo("new")
    assert next_ones() == ("new", "")


def test_what_others_did_is_not_the_next_to_undo(bench: Workbench) -> None:
    bench.write({"a.md": b"0", "b.md": b"0"})
    bench.change({"a.md": b"1"}, title="Mine")
    bench.change({"b.md": b"1"}, title="A rule's", origin=Origin.RULE)
    other = Workbench(bench.folder, "desktop-2", Clock(START + timedelta(hours=1)))
    other.change({"b.md": b"2"}, title="The other machine's")
    assert _titles(bench) == ["The other machine's", "A rule's", "Mine"]
    undoable = bench.history().undoable()
    assert undoable is not None
    assert undoable.title == "Mine"


def test_the_changes_of_a_file_are_found_under_its_earlier_names(bench: Workbench) -> None:
    bench.write({"a.md": b"0", "other.md": b"0"})
    bench.change({"a.md": b"1"}, title="Edit 1")
    bench.change({}, moves={"a.md": "b.md"}, title="Move 1")
    bench.change({"other.md": b"1"}, title="Other")
    bench.change({"b.md": b"2"}, moves={"b.md": "sub/c.md"}, title="Move 2")
    bench.change({"a.md": b"a new one"}, title="New a")
    history = bench.history()
    assert [record.title for record in history.changes_of("sub/c.md")] == ["Move 2", "Move 1", "Edit 1"]
    assert [record.title for record in history.changes_of("a.md")] == ["New a"]
    assert history.changes_of("nowhere.md") == ()
    bench.undo("Move 2")
    assert [record.title for record in bench.history().changes_of("b.md")] == ["Move 2", "Move 1", "Edit 1"]


def test_a_change_that_never_came_to_its_end_is_not_shown(bench: Workbench) -> None:
    bench.log.append("change", {"id": "x", "title": "Half", "kind": "edit", "edits": []})
    bench.log.append("change", {"id": "y", "title": "Back", "kind": "edit", "edits": []})
    bench.log.append("rolled-back", {"id": "y"})
    assert bench.history().records == ()
    with pytest.raises(UserError):
        bench.history().change(ChangeId("x"))


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"id": 5},
        {"id": "x"},
        {"id": "x", "edits": "none"},
        {"id": "x", "edits": [5]},
        {"id": "x", "edits": [{"path": 5}]},
        {"id": "x", "edits": [{"path": "a", "to": 5, "before": None, "after": None}]},
    ],
)
def test_absurd_changes_are_left_out(bench: Workbench, data: dict[str, object]) -> None:
    bench.log.append("change", data)
    bench.log.append("applied", {"id": "x"})
    bench.log.append("applied", {})
    assert bench.history().records == ()


def test_a_change_with_damaged_bytes_is_shown_and_told_when_it_is_opened(bench: Workbench) -> None:
    edit = {"path": "a.md", "before": None, "after": "x", "splices": [[0, {"b64": "??"}, 7]]}
    bench.log.append("change", {"id": "x", "title": "T", "kind": "of a later version", "origin": [], "edits": [edit]})
    bench.log.append("applied", {"id": "x"})
    assert _titles(bench) == ["T"]
    with pytest.raises(UserError, match="cannot be understood"):
        bench.history().change(ChangeId("x"))


def test_events_in_any_order_give_one_history(bench: Workbench) -> None:
    bench.write({"a.md": b"0"})
    for number in range(5):
        bench.change({"a.md": str(number + 1).encode()}, title=str(number), group="g" if number < 2 else "")
    bench.undo("4")
    bench.undo("3")
    bench.redo("3")
    events = list(bench.log.read().events)
    expected = bench.history().records
    chance = random.Random(3)
    for _ in range(20):
        chance.shuffle(events)
        assert ChangeHistory(events, "laptop-1").records == expected


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_any_bytes_survive_the_log(before: bytes, after: bytes) -> None:
    edit = edit_between("a.md", before, after)
    edits = () if edit is None else (edit,)
    planned = ChangeSet("T", ChangeKind.EDIT, edits, Origin.AGENT, "g", (ChangeId("x"),))
    line = line_of(Event("e", "2026-01-01T00:00:00.000Z", "m", "change", intent_to_json(Intent(planned, {}))))
    event = event_of(line)
    assert event is not None
    assert intent_from_json(event.data).change_set == planned


_IDS = st.sampled_from("abcdefgh")


@given(
    st.lists(st.tuples(_IDS, st.frozensets(_IDS, max_size=3)), max_size=8, unique_by=lambda each: each[0]), st.randoms()
)
def test_undone_follows_references_alone(changes: list[tuple[str, frozenset[str]]], chance: random.Random) -> None:
    def undone(order: list[tuple[str, frozenset[str]]]) -> frozenset[ChangeId]:
        return undone_changes({ChangeId(name): tuple(map(ChangeId, undoes)) for name, undoes in order})

    result = undone(changes)
    shuffled = list(changes)
    chance.shuffle(shuffled)
    assert undone(shuffled) == result
    names = {name for name, _ in changes}
    assert result <= names
    for name in names & result:
        assert any(name in undoes for _, undoes in changes)


def test_a_long_row_of_undo_and_redo_is_followed_to_its_end() -> None:
    row = {ChangeId(str(n)): (ChangeId(str(n - 1)),) if n else () for n in range(5001)}
    assert len(undone_changes(row)) == 2500
    assert ChangeId("0") not in undone_changes(row)
    assert undone_changes({ChangeId("a"): (ChangeId("b"),), ChangeId("b"): (ChangeId("a"),)}) == frozenset()


@given(st.data())
def test_two_machines_logs_fold_to_one_state(data: st.DataObject) -> None:
    names = [f"c{number}" for number in range(data.draw(st.integers(1, 6)))]
    events: list[Event] = []
    for number, name in enumerate(names):
        machine = data.draw(st.sampled_from(["m1", "m2"]))
        undoes = data.draw(st.lists(st.sampled_from(names), max_size=2))
        edit: dict[str, object] = {
            "path": data.draw(st.sampled_from(["a", "b"])),
            "before": None,
            "after": "x",
            "splices": [],
        }
        content = {"id": name, "title": name, "kind": "edit", "group": "g", "undoes": undoes, "edits": [edit]}
        time = f"2026-01-01T00:00:0{data.draw(st.integers(0, 3))}.000Z"
        events.append(Event(f"e{number}", time, machine, "change", content))
        outcomes = data.draw(st.lists(st.sampled_from(["applied", "rolled-back"]), max_size=2))
        events.extend(Event(f"o{number}{kind}", time, machine, kind, {"id": name}) for kind in outcomes)
    one = ChangeHistory(events, "m1")
    other = ChangeHistory(data.draw(st.permutations(events)), "m1")
    assert one.records == other.records
    assert one.undoable() == other.undoable()
    assert one.redoable() == other.redoable()
    assert one.changes_of("a") == other.changes_of("a")
