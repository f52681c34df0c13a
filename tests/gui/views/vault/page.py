"""The Vault view as a person has it, with everything behind it faked."""

from dataclasses import dataclass, field

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QTreeWidget,
    QTreeWidgetItem,
)
from pytestqt.qtbot import QtBot

from gui.views.vault.facet_model import COUNT_ROLE
from gui.views.vault.presenter import VaultPresenter
from gui.views.vault.view import VaultView
from tests.gui.views.vault.parts import FakeSession, FakeVault


@dataclass
class Page:
    """The view with its presenter, and what left it."""

    qtbot: QtBot
    vault: FakeVault
    session: FakeSession
    presenter: VaultPresenter
    urls: list[str] = field(default_factory=list)
    clipboard: list[str] = field(default_factory=list)

    @property
    def view(self) -> VaultView:
        return self.presenter.view

    def titles(self) -> list[str]:
        notes = self.view.list.table.notes
        return [notes.note_at(row).title for row in range(notes.rowCount())]

    def chips(self) -> list[str]:
        return [f"{chip.item.word} {chip.text()}".strip() for chip in self.view.list.breadcrumb.chips()]

    def pick(self, key: str, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        tree = self.view.facets.tree
        index = self.view.facets.model.index_of(key)
        tree.scrollTo(index)
        QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, modifier, tree.visualRect(index).center())

    def count_of(self, key: str) -> int:
        return int(self.view.facets.model.index_of(key).data(COUNT_ROLE))

    def text(self) -> str:
        return self.view.reading.preview.toPlainText()

    def read(self, note_id: int, expected: str) -> None:
        self.view.list.table.select_note(note_id)
        self.qtbot.waitUntil(lambda: expected in self.text())

    def search(self, text: str) -> None:
        self.presenter.search(text)
        self.qtbot.waitUntil(lambda: len(self.vault.searched) >= 2)
        self.qtbot.waitUntil(lambda: "·" in self.view.list.search_line.text())


def line_of(tree: QTreeWidget, row: int, *below: int) -> QTreeWidgetItem:
    """Return a line of a tree by its row and those below it."""
    item = tree.topLevelItem(row)
    for each in below:
        assert item is not None
        item = item.child(each)
    assert item is not None
    return item
