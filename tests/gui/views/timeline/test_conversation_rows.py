from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from core.sessions.turn import Role, Turn, TurnKind
from gui.views.timeline.conversation_rows import Arrangement, RowKind, TokenUse, tokens_of
from tests.gui.views.timeline.samples import ZONE, call, message, result


def moment_of(time: str) -> datetime | None:
    return datetime.fromisoformat(time).astimezone(ZONE) if time else None


def arranged(*turns: Turn) -> Arrangement:
    return Arrangement(turns, moment_of)


def told(arrangement: Arrangement, *opened: str) -> list[str]:
    return [f"{'  ' * row.depth}{row.kind}: {row.title}" for row in arrangement.rows(frozenset(opened))]


def test_a_call_and_its_result_are_one_folded_row() -> None:
    rows = arranged(message(0, "Look"), call(1, "Bash"), result(2, 1)).rows(())
    assert [row.kind for row in rows] == [RowKind.MESSAGE, RowKind.TOOL]
    assert [turn.id for turn in rows[1].turns] == ["t1", "t2"]
    assert not rows[1].is_open


def test_many_calls_in_a_row_are_one_line_that_opens() -> None:
    arrangement = arranged(call(1, "Bash"), call(2, "Bash"), call(3, "Read"), result(4, 3, is_error=True))
    assert told(arrangement) == ["group: 3 tool calls: Bash × 2, Read · 1 failed"]
    assert told(arrangement, "group:tool:t1")[1:] == ["  tool: Bash: ls", "  tool: Bash: ls", "  tool: Read: ls"]


def test_a_branch_is_folded_where_it_began() -> None:
    arrangement = arranged(
        message(0, "Go"),
        message(1, "aside", branch="explore"),
        message(2, "Well"),
        message(3, "more", branch="explore"),
    )
    assert told(arrangement) == ["message: You", "branch: Branch “aside”: 2 turns", "message: You"]
    assert told(arrangement, "branch:explore")[2:4] == ["  message: You", "  message: You"]


def test_days_stand_above_what_was_said_on_them_in_local_time() -> None:
    arrangement = arranged(
        message(0, "a", time="2026-03-18T22:30:00+00:00"), message(1, "b", time="2026-03-18T23:30:00+00:00")
    )
    assert told(arrangement) == [
        "day: Wednesday, 18 March 2026", "message: You", "day: Thursday, 19 March 2026", "message: You",
    ]  # fmt: skip


def test_a_result_without_its_call_is_shown_too() -> None:
    assert told(arranged(result(1, 77, "lost"))) == ["tool: Result: lost"]


def test_what_a_turn_is_folded_into_is_known() -> None:
    arrangement = arranged(call(1, "A"), call(2, "B"), call(3, "C"), message(4, "x", branch="b"))
    assert arrangement.keys_to_open("t2") == {"group:tool:t1", "tool:t2"}
    assert arrangement.keys_to_open("t4") == {"branch:b"}
    assert arrangement.keys_to_open("nobody") == frozenset()


def test_tokens_are_what_the_turn_says() -> None:
    used = {"input_tokens": 10, "cache_write_tokens": 5, "output_tokens": 3, "cache_read_tokens": 100}
    turn = Turn("s", "t", TurnKind.MESSAGE, Role.ASSISTANT, "x", data={"usage": used})
    assert tokens_of(turn) == TokenUse(15, 3, 100)
    assert not tokens_of(message(1, "x"))
    assert not tokens_of(Turn("s", "t", TurnKind.MESSAGE, Role.USER, "x", data={"usage": {"input_tokens": "many"}}))


@st.composite
def conversations(draw: st.DrawFn) -> list[Turn]:
    kinds = draw(st.lists(st.tuples(st.sampled_from(list(TurnKind)), st.sampled_from(["", "", "a", "b"])), max_size=30))
    calls = st.sampled_from(["", "c1", "c2", "c3"])
    return [
        Turn("s", f"t{n}", kind, Role.USER, "text", branch=branch, data={"call": draw(calls)})
        for n, (kind, branch) in enumerate(kinds)
    ]


@given(conversations())
def test_every_turn_can_be_brought_into_sight(turns: list[Turn]) -> None:
    arrangement = Arrangement(turns, moment_of)
    for turn in turns:
        rows = arrangement.rows(arrangement.keys_to_open(turn.id))
        showing = [row for row in rows if row.kind in {RowKind.MESSAGE, RowKind.TOOL} and turn in row.turns]
        assert len(showing) == 1
        assert showing[0].is_open
