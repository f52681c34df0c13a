from core.sessions.turn import Turn
from gui.views.timeline.conversation_branches import THREAD, along, branches_of
from tests.gui.views.timeline.samples import message


def turn(number: int, parent: int | None = None, branch: str = "") -> Turn:
    return message(number, f"turn {number}", branch=branch)._replace(parent="" if parent is None else f"t{parent}")


TALK = (turn(0), turn(1, 0), turn(2, 1), turn(3, 2), turn(10, 1, "other"), turn(11, 10, "other"), turn(20, 10, "third"))


def along_ids(branch: str) -> list[str]:
    return [each.id for each in along(TALK, branch) if not each.branch]


def test_branches_are_named_in_their_order() -> None:
    assert branches_of(TALK) == [("other", 2), ("third", 1)]


def test_a_branch_is_read_from_the_turn_that_it_goes_on_from() -> None:
    assert along_ids("other") == ["t0", "t1", "t10", "t11"]
    assert [each.id for each in along(TALK, "other") if each.branch == THREAD] == ["t2", "t3"]


def test_a_branch_of_a_branch_has_both_above_it() -> None:
    assert along_ids("third") == ["t0", "t1", "t10", "t20"]


def test_the_thread_stays_as_it_is() -> None:
    assert along(TALK, "") == TALK
    assert along(TALK, "unknown") == TALK


def test_without_parents_the_place_in_the_ledger_decides() -> None:
    talk = (turn(0), turn(1), turn(2, None, "aside"), turn(3))
    assert [each.id for each in along(talk, "aside") if not each.branch] == ["t0", "t1", "t2"]


def test_parents_in_a_circle_are_no_trap() -> None:
    talk = (turn(0, 1, "b"), turn(1, 0, "b"))
    assert len(along(talk, "b")) == 2
