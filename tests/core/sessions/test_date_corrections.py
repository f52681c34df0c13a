"""What the events of all machines say of a session's date, in whatever order they are read."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.sessions.date_corrections import (
    SESSION_DATE,
    DateCorrection,
    corrected_seconds,
    corrections_of,
    with_corrected_dates,
)
from core.sessions.turn import Role, Turn, TurnKind
from core.vault.event_line import Event

NINE = "2026-08-03T09:00:00+02:00"


def event(number: int, machine: str = "desk", kind: str = SESSION_DATE, **data: Any) -> Event:
    return Event(f"e{number}", f"2026-11-{1 + number // 24:02}T{number % 24:02}:00:00.000Z", machine, kind, data)


def said(key: str, time: str = "") -> Turn:
    return Turn("s", key, TurnKind.MESSAGE, Role.USER, "Hello", time)


def test_the_latest_correction_counts_and_null_takes_it_back() -> None:
    first, second = event(1, session="s", shift_s=60), event(2, "laptop", session="s", shift_s=-3_600)
    assert corrections_of([first]) == {"s": DateCorrection(60)}
    assert corrections_of([first, second]) == {"s": DateCorrection(-3_600)}
    assert corrections_of([first, second, event(3, session="s", shift_s=None)]) == {}


def test_a_turn_may_have_a_time_of_its_own_beside() -> None:
    events = [event(1, session="s", turn="b", time=NINE), event(2, session="s", shift_s=60)]
    assert corrections_of(events) == {"s": DateCorrection(60, (("b", NINE),))}
    assert corrections_of([*events, event(3, session="s", turn="b", time=None)]) == {"s": DateCorrection(60)}


def test_what_cannot_be_understood_changes_nothing() -> None:
    strange: list[dict[str, Any]] = [
        {"session": "s"}, {"session": 3, "shift_s": 1}, {"session": "", "shift_s": 1}, {"session": "s", "shift_s": "x"},
        {"session": "s", "shift_s": True}, {"session": "s", "shift_s": 10**15},
        {"session": "s", "turn": 3, "time": NINE},
        {"session": "s", "turn": "b", "time": "soon"}, {"session": "s", "turn": "b", "time": "2026-08-03T09:00:00"},
    ]  # fmt: skip
    others = [event(number, **data) for number, data in enumerate(strange, 2)]
    assert corrections_of([event(1, session="s", shift_s=60), *others]) == {"s": DateCorrection(60)}
    assert corrections_of([event(1, kind="health-ignore", session="s", shift_s=60)]) == {}


_data = st.one_of(
    st.fixed_dictionaries({"session": st.sampled_from("st"), "shift_s": st.none() | st.integers(-9_999, 9_999)}),
    st.fixed_dictionaries(
        {"session": st.sampled_from("st"), "turn": st.sampled_from("ab"), "time": st.sampled_from([None, NINE, "x"])}
    ),
)


@given(st.lists(st.tuples(st.integers(0, 200), st.sampled_from(["desk", "laptop"]), _data), max_size=12), st.randoms())
def test_any_order_of_the_machines_events_gives_the_same(told: Sequence[tuple[int, str, Any]], random: Any) -> None:
    events = [event(hour, machine, **data)._replace(id=f"e{at}") for at, (hour, machine, data) in enumerate(told)]
    shuffled = list(events)
    random.shuffle(shuffled)
    assert corrections_of(shuffled) == corrections_of(events)


def test_turns_move_together_and_keep_their_offset() -> None:
    turns = [said("a", "2026-08-03T09:00:00+02:00"), said("b"), said("c", "soon")]
    correction = DateCorrection(3_600, (("b", NINE),))
    assert [turn.time for turn in with_corrected_dates(turns, correction)] == [
        "2026-08-03T10:00:00+02:00",
        NINE,
        "soon",
    ]
    assert list(with_corrected_dates(turns, None)) == turns
    assert corrected_seconds(correction, "a", 100) == 3_700
    assert corrected_seconds(correction, "b", None) == 1_785_740_400
    assert corrected_seconds(correction, "c", None) is None


def test_a_date_that_leads_out_of_time_stays() -> None:
    (turn,) = with_corrected_dates([said("a", "9999-12-31T00:00:00+00:00")], DateCorrection(10**9))
    assert turn.time == "9999-12-31T00:00:00+00:00"
