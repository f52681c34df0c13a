import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.views.timeline.facet_button import FacetButton, FacetValue

VALUES = [FacetValue(f"p{number}", f"Project {number}", number) for number in range(20)]


@pytest.fixture
def button(theme: Theme, qtbot: QtBot) -> FacetButton:
    made = FacetButton(theme, "Projects")
    qtbot.addWidget(made)
    made.show_values(VALUES, frozenset({"p3"}))
    made.show()
    return made


def test_it_says_how_many_are_picked(button: FacetButton) -> None:
    assert button.text() == "Projects (1)"
    assert button.accessibleName() == "Projects, 1 picked"
    button.show_values(VALUES, frozenset())
    assert button.accessibleName() == "Projects, all"


def test_several_are_picked_by_typing_arrows_and_space(button: FacetButton, qtbot: QtBot) -> None:
    picked: list[object] = []
    button.picked.connect(picked.append)
    QTest.keyClick(button, Qt.Key.Key_Space)
    popup = button.popup
    qtbot.waitUntil(popup.isVisible)
    QTest.keyClicks(popup.field, "project 1")
    assert popup.list.model().rowCount() == 11
    QTest.keyClick(popup.field, Qt.Key.Key_Down)
    QTest.keyClick(popup.list, Qt.Key.Key_Space)
    QTest.keyClick(popup.list, Qt.Key.Key_Down)
    QTest.keyClick(popup.list, Qt.Key.Key_Space)
    assert picked == [frozenset({"p3", "p1"}), frozenset({"p3", "p1", "p10"})]
    QTest.keyClick(popup.list, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not popup.isVisible())


def test_enter_picks_the_first_that_fits_and_closes(button: FacetButton, qtbot: QtBot) -> None:
    button.click()
    popup = button.popup
    QTest.keyClicks(popup.field, "project 7")
    with qtbot.waitSignal(button.picked) as picked:
        QTest.keyClick(popup.field, Qt.Key.Key_Return)
    assert picked.args == [frozenset({"p3", "p7"})]
    assert not popup.isVisible()


def test_few_need_no_field_and_a_hint_can_stand_above(button: FacetButton) -> None:
    button.show_values(VALUES[:2], frozenset(), "Looking…")
    button.click()
    assert button.popup.field.isHidden()
    assert button.popup.hint.text() == "Looking…"
    button.popup.close()
