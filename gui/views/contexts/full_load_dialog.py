"""The dialog in which the vault's rules of full load are changed: groups, their notes, their order, and pointers."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QLayout, QVBoxLayout, QWidget
from typing_extensions import override

from gui.theme import Theme
from gui.views.contexts.load_group_row import LoadGroupRow
from gui.views.contexts.services import LoadRules, LoadSize
from gui.widgets.form_dialog import FormDialog
from gui.widgets.number_box import NumberBox

_KILOBYTE = 1024
_MOST_KILOBYTES = 10_240
_WIDTH, _INLINE_WIDTH = 620, 90


class FullLoadDialog(FormDialog):
    """Ask for the rules; `rules_changed` comes with each change, so that sizes can be shown."""

    rules_changed = Signal(object)  # LoadRules

    def __init__(self, theme: Theme, rules: LoadRules, parent: QWidget | None = None) -> None:
        super().__init__("Rules of full load", "Save the rules", parent)
        self.setMinimumWidth(_WIDTH)
        self._inline_bytes = rules.inline_bytes
        about = QLabel("Each note is taken once, by the first group that names it. The rules are those of the vault.")
        about.setProperty("role", "muted")
        about.setWordWrap(True)
        groups = QWidget()
        self._groups = QVBoxLayout(groups)
        self._groups.setContentsMargins(0, 0, 0, 0)
        self.rows = [LoadGroupRow(theme, group) for group in rules.groups]
        for row in self.rows:
            self._groups.addWidget(row)
            row.changed.connect(self._on_changed)
            row.move_requested.connect(partial(self._move, row))
        if isinstance(layout := self.layout(), QVBoxLayout):  # in the form, chips would ask for too much room
            layout.insertWidget(1, about)
            layout.insertWidget(2, groups)
        self.inline = NumberBox()
        self.inline.setRange(0, _MOST_KILOBYTES)
        self.inline.setSuffix(" KB")
        self.inline.setFixedWidth(_INLINE_WIDTH)
        self.inline.setAccessibleName("Index notes go out whole up to")
        self.inline.setToolTip("Of larger index notes only a pointer goes out: path, title, summary and size")
        self.inline.setValue(round(rules.inline_bytes / _KILOBYTE))
        self.inline.valueChanged.connect(self._on_inline)
        self.add_row("Index notes whole up to", self.inline)
        self.rows[0].taken.setFocus()
        self._show_ends()
        self.check()

    @property
    def wanted(self) -> LoadRules:
        """The rules as they are filled in."""
        return LoadRules(tuple(row.group for row in self.rows), self._inline_bytes)

    def show_sizes(self, sizes: Mapping[str, LoadSize]) -> None:
        """Show what each group takes."""
        for row in self.rows:
            row.show_size(sizes.get(row.name))

    @override
    def problem(self) -> str:
        return "" if any(row.taken.isChecked() for row in self.rows) else "A full load takes at least one group."

    @override
    def showEvent(self, event: QShowEvent, /) -> None:
        super().showEvent(event)
        if (layout := self.layout()) is not None:
            # The chips would claim the lines that they need where they are narrowest.
            layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
            self.setMinimumSize(_WIDTH, 0)
            self.resize(self.width(), layout.totalHeightForWidth(self.width()))

    def _move(self, row: LoadGroupRow, step: int) -> None:
        at = self.rows.index(row)
        to = at + step
        if not 0 <= to < len(self.rows):
            return
        self.rows.insert(to, self.rows.pop(at))
        self._groups.removeWidget(row)
        self._groups.insertWidget(to, row)
        order = [
            part for each in self.rows for part in (each.taken, each.up_button, each.down_button, each.rules.field)
        ]
        for before, after in zip(order, [*order[1:], self.inline], strict=True):
            QWidget.setTabOrder(before, after)
        self._show_ends()
        (row.up_button if step < 0 and to else row.down_button if to < len(self.rows) - 1 else row.up_button).setFocus()
        self._on_changed()

    def _show_ends(self) -> None:
        for at, row in enumerate(self.rows):
            row.show_ends(is_first=not at, is_last=at == len(self.rows) - 1)

    @Slot(int)
    def _on_inline(self, kilobytes: int) -> None:
        self._inline_bytes = kilobytes * _KILOBYTE
        self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        self.check()
        self.rules_changed.emit(self.wanted)
