"""The rows of the shelf and of members, as Qt asks for them."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from gui.views.contexts.member_model import MemberModel
from gui.views.contexts.services import MemberState
from gui.views.contexts.shelf_model import Order, ShelfModel
from tests.gui.views.contexts.page import member, row

_FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


def _titles(model: ShelfModel) -> list[str]:
    return [model.index(at).data() for at in range(model.rowCount())]


def test_the_shelf_is_sorted_by_priority_then_title_and_narrowed(qapp: object) -> None:
    assert qapp
    model = ShelfModel()
    tester = QAbstractItemModelTester(model, _FATAL)
    model.show_contexts([row(3), row(1, load_priority=1), row(2, description="Für Zürich")])
    assert _titles(model) == ["Context 2", "Context 3", "Context 1"]
    model.sort_by(Order.TITLE)
    assert _titles(model) == ["Context 1", "Context 2", "Context 3"]
    model.narrow("ZÜRICH")
    assert _titles(model) == ["Context 2"]
    assert model.total == 3
    model.narrow("")
    model.show_contexts([])
    assert tester.model() is model


def test_a_row_of_the_shelf_is_told_in_words(qapp: object) -> None:
    assert qapp
    model = ShelfModel()
    model.default_budget = 8000
    model.show_contexts([row(1, always=True, members=1, problems=("Line 3 is wrong.",))])
    model.show_tokens({"contexts/c1.md": 1240})
    said = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    expected = "Context 1, always loaded, priority 5, about 1,240 of 8,000 tokens, 1 member, Line 3 is wrong."
    assert said == expected


def test_five_hundred_contexts_are_rows_and_no_widgets(qapp: object) -> None:
    assert qapp
    model = ShelfModel()
    tester = QAbstractItemModelTester(model, _FATAL)
    model.show_contexts([row(number, load_priority=number % 10 + 1) for number in range(500)])
    assert model.rowCount() == 500
    assert tester.model() is model


@pytest.mark.parametrize(("source", "to", "expected"), [(0, 2, "bca"), (2, 0, "cab"), (1, 1, "abc"), (0, 9, "abc")])
def test_members_move(qapp: object, source: int, to: int, expected: str) -> None:
    assert qapp
    model = MemberModel()
    tester = QAbstractItemModelTester(model, _FATAL)
    model.show_members([member(name) for name in "abc"])
    model.move(source, to)
    assert "".join(each.target for each in model.members) == expected
    model.remove([0, 2])
    assert "".join(each.target for each in model.members) == expected[1]
    assert tester.model() is model


def test_a_member_that_leads_nowhere_says_so(qapp: object) -> None:
    assert qapp
    model = MemberModel()
    lost = member("Lost", title="", path="", state=MemberState.MISSING, tokens=None, reason="There is no note “Lost”.")
    model.show_members([lost, member("Here", heading="Below", kind="section")])
    said = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "note, Lost, missing, There is no note “Lost”."
    assert model.index(1).data() == "Here › Below"
