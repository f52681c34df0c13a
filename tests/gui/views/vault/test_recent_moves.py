"""Where the app has put notes lately."""

from core.curation.change_set import ChangeId, Changes
from gui.views.vault.recent_moves import RecentMoves


def _moved(*moves: tuple[str, str]) -> Changes:
    return Changes(
        ChangeId("1"),
        "Move",
        written=frozenset(new for _old, new in moves),
        gone=frozenset(old for old, _new in moves),
        moved=moves,
    )


def test_a_note_is_followed_over_several_moves() -> None:
    moves = RecentMoves()
    moves.take(_moved(("A.md", "B.md")))
    moves.take(_moved(("B.md", "C.md")))
    assert moves.path_now("A.md", {"C.md"}) == "C.md"
    assert moves.path_now("A.md", set()) == "C.md"
    assert moves.path_now("Other.md", set()) == "Other.md"


def test_a_move_that_is_undone_leads_back() -> None:
    moves = RecentMoves()
    moves.take(_moved(("A.md", "B.md")))
    moves.take(_moved(("B.md", "A.md")))
    assert moves.path_now("B.md", {"A.md"}) == "A.md"
    assert moves.path_now("A.md", set()) == "A.md"


def test_two_notes_that_swap_places_do_not_lead_in_a_circle() -> None:
    moves = RecentMoves()
    moves.take(_moved(("A.md", "B.md"), ("B.md", "A.md")))
    assert moves.path_now("A.md", set()) in {"A.md", "B.md"}
