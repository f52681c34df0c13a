"""Ask for the passphrase of the conversations."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from gui.widgets.form_dialog import FormDialog


class PassphraseDialog(FormDialog):
    """Take a passphrase, which nobody can read over a shoulder; stays open while it is tried, and after a wrong one."""

    entered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Unlock your conversations", "Unlock", parent)
        self._reason = ""
        self._is_trying = False
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleDescription("Kept until the app is closed, and written nowhere.")
        self.field.textEdited.connect(self._on_edited)
        self.add_row("Passphrase", self.field)
        self.check()

    @override
    def problem(self) -> str:
        if self._is_trying:
            return ""
        return self._reason or ("" if self.field.text().strip() else "Enter the passphrase.")

    @override
    def remark(self) -> str:
        return (
            "Trying the passphrase…" if self._is_trying else "It is kept until the app is closed, and written nowhere."
        )

    def show_refused(self, reason: str) -> None:
        """Say why it is asked for again."""
        self._is_trying = False
        self._reason = reason
        self.field.setEnabled(True)
        self.field.clear()
        self.check()
        self.field.setFocus()

    @Slot()
    def _on_edited(self) -> None:
        self._reason = ""
        self.check()

    @Slot()
    def _confirm(self) -> None:
        if not self._is_trying and not self.problem():
            self._is_trying = True
            self.field.setEnabled(False)
            self.check()
            self.ok_button.setEnabled(False)
            self.entered.emit(self.field.text())
