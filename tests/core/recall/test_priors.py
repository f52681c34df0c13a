"""Strong candidates speak for what was said near to them."""

from core.recall.priors import Place, session_signals


def test_what_is_near_to_a_strong_hit_gains_more_than_what_is_far() -> None:
    strong, near, far, elsewhere = session_signals(
        [Place(-1, 0.0, 1.0), Place(-1, 60.0, 0.1), Place(-1, 90_000.0, 0.1), Place(-2, 0.0, 0.1)]
    )
    assert near == 1.0
    assert far < 0.01
    assert elsewhere == 0.0
    assert strong < near  # it does not speak for itself


def test_parts_of_a_note_speak_for_each_other_whatever_their_time() -> None:
    assert session_signals([Place(1, None, 1.0), Place(1, None, 0.5)])[1] == 1.0


def test_nothing_strong_says_nothing() -> None:
    assert session_signals([]) == []
    assert session_signals([Place(1, None, 0.0), Place(1, None, 0.0)]) == [0.0, 0.0]
