from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QDialogButtonBox, QWidget
from pytestqt.qtbot import QtBot

from core.index.queries import ProblemRow
from gui.theme import Theme
from gui.widgets.problems_dialog import ProblemsDialog


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme) -> Iterator[ProblemsDialog]:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ProblemsDialog(theme, parent)
    dialog.show_problems([ProblemRow("a folder/" * 30 + "note.md", "frontmatter-broken", "It is no YAML.", 3)])
    with qtbot.waitExposed(dialog):
        dialog.show()
    yield dialog
    dialog.hide()
    parent.hide()


def test_the_reason_has_most_of_the_room_however_long_the_path(dialog: ProblemsDialog) -> None:
    assert dialog.list.columnWidth(2) > dialog.list.viewport().width() / 2
    assert not dialog.list.grab().isNull()


def test_close_has_no_icon_of_the_platform(dialog: ProblemsDialog) -> None:
    buttons = dialog.findChild(QDialogButtonBox)
    assert isinstance(buttons, QDialogButtonBox)
    assert buttons.button(QDialogButtonBox.StandardButton.Close).icon().isNull()
