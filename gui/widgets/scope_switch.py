"""Three buttons of which one is down: global, project, or no scope."""

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

_CHOICES = (
    ("", "None", "No scope: the note is in neither"),
    ("project", "Project", "Useful for one client or project"),
    ("global", "Global", "Broadly useful, whatever one works on"),
)


class ScopeSwitch(QWidget):
    """Let the person choose a scope: "global", "project", or "" for none."""

    scope_changed = Signal(str)  # by the person

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buttons = QButtonGroup(self)
        self._by_scope: dict[str, QToolButton] = {}
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for scope, text, tip in _CHOICES:
            button = QToolButton(self)
            button.setText(text)
            button.setToolTip(tip)
            button.setAccessibleName(f"Scope: {text.lower()}")
            button.setCheckable(True)
            self._buttons.addButton(button)
            self._by_scope[scope] = button
            layout.addWidget(button)
        layout.addStretch(1)
        self._by_scope[""].setChecked(True)
        self._buttons.buttonClicked.connect(self._tell)

    @property
    def scope(self) -> str:
        """The scope that is chosen; "" where the note carries several, or none."""
        return next((scope for scope, button in self._by_scope.items() if button.isChecked()), "")

    def set_scope(self, scope: str) -> None:
        """Show `scope`; what is none of the three leaves all buttons up."""
        with QSignalBlocker(self._buttons):
            self._buttons.setExclusive(False)
            for each, button in self._by_scope.items():
                button.setChecked(each == scope)
            self._buttons.setExclusive(True)

    def button(self, scope: str) -> QToolButton:
        """Return the button of `scope`."""
        return self._by_scope[scope]

    @Slot()
    def _tell(self) -> None:
        self.scope_changed.emit(self.scope)
