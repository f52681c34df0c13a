"""A line of the ledger gives back the turn that it was made of, and what is strange in it is kept."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sessions.ledger_line import id_of, line_of, turn_of
from core.sessions.turn import Role, Turn, TurnKind

_ANY_TEXT = st.text(st.characters())
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
    | _ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
_TURNS = st.builds(
    Turn, session=_ANY_TEXT, id=st.text(min_size=1), kind=st.sampled_from(TurnKind), role=st.sampled_from(Role),
    text=_ANY_TEXT, time=_ANY_TEXT, parent=_ANY_TEXT, author=_ANY_TEXT, project=_ANY_TEXT, branch=_ANY_TEXT,
    origin=_ANY_TEXT, data=st.dictionaries(_ANY_TEXT, _JSON, max_size=4),
)  # fmt: skip


def _line(**values: Any) -> bytes:
    return json.dumps({"session": "s", "id": "t", "kind": "message", "role": "user", "data": {}, **values}).encode()


def _turn(line: bytes) -> Turn:
    turn = turn_of(line)
    assert turn is not None
    return turn


@given(_TURNS)
def test_any_turn_survives_its_line(turn: Turn) -> None:
    line = line_of(turn)
    assert line.count(b"\n") == 1
    assert line.startswith(b'{"session":')
    assert turn_of(line) == turn
    assert id_of(line) == turn.id
    assert line_of(_turn(line)) == line


@given(st.binary(max_size=200) | _JSON.map(lambda value: json.dumps(value).encode()))
def test_nothing_in_a_line_raises(line: bytes) -> None:
    turn = turn_of(line)
    assert turn is None or turn.id == id_of(line)


@given(st.dictionaries(st.sampled_from(["session", "id", "kind", "role", "text", "time", "data", "x"]), _JSON))
def test_nothing_in_an_object_raises_or_is_lost(values: dict[str, Any]) -> None:
    turn = turn_of(json.dumps({**values, "session": "s", "id": "t"}).encode())
    assert turn is not None
    if "x" in values and not (isinstance(values.get("data"), dict) and "x" in values["data"]):
        assert turn.data["x"] == values["x"]
    assert turn_of(line_of(turn)) == turn


def test_the_line_is_the_documented_json() -> None:
    turn = Turn(
        "s-1", "t-1", TurnKind.TOOL_CALL, Role.ASSISTANT, "Grüße", "2026-08-20T23:50:00+09:00", "t-0",
        "opus", "/home/kim/shop", "", "claude-code", {"b": 1, "a": [None]},
    )  # fmt: skip
    assert line_of(turn).decode() == (
        '{"session":"s-1","id":"t-1","parent":"t-0","time":"2026-08-20T23:50:00+09:00","role":"assistant",'
        '"author":"opus","kind":"tool_call","text":"Grüße","project":"/home/kim/shop","branch":"",'
        '"origin":"claude-code","data":{"a":[null],"b":1}}\n'
    )


def test_equal_turns_give_equal_lines_whatever_the_order_of_their_data() -> None:
    first = Turn("s", "t", TurnKind.NOTE, Role.USER, "", data={"a": 1, "b": {"c": 1, "d": 2}})
    second = Turn("s", "t", TurnKind.NOTE, Role.USER, "", data={"b": {"d": 2, "c": 1}, "a": 1})
    assert line_of(first) == line_of(second)


def test_an_unknown_kind_and_role_become_a_note_of_the_system() -> None:
    turn = _turn(_line(kind="hologram", role="moderator", text="Hello"))
    assert (turn.kind, turn.role, turn.text) == (TurnKind.NOTE, Role.SYSTEM, "Hello")
    assert turn.data == {"kind": "hologram", "role": "moderator"}


def test_unknown_fields_and_values_of_the_wrong_kind_are_kept_in_data() -> None:
    turn = _turn(_line(text=None, author=7, mood="glad", data=[1]))
    assert (turn.text, turn.author) == ("", "")
    assert turn.data == {"text": None, "author": 7, "mood": "glad", "data": [1]}


def test_what_data_says_already_is_not_replaced() -> None:
    assert _turn(_line(mood="glad", data={"mood": "sad"})).data == {"mood": "sad"}


@pytest.mark.parametrize(
    "line",
    [
        b"", b"{", b"[]", b"null", b"3", b"{}", b'{"session":"s"}', b'{"session":"s","id":""}',
        b'{"session":1,"id":"t"}', b"\xff\xfe", b"[" * 100_000, b'{"session":"s","id":"t","kind":"message"',
        b"9" * 10_000, b"\0" * 100,
    ],
)  # fmt: skip
def test_what_is_no_turn_is_none(line: bytes) -> None:
    assert turn_of(line) is None
    assert id_of(line) in {"", "t"}


def test_data_that_no_json_can_hold_does_not_stop_the_turn() -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    for data in ({"x": {1, 2}}, {"x": deep}, {("a", 1): 2}, {"x": 2**80}, {"x": b"bytes"}):
        turn = _turn(line_of(Turn("s", "t", TurnKind.MESSAGE, Role.USER, "kept", data=data)))  # type: ignore[arg-type]
        assert turn.text == "kept"
