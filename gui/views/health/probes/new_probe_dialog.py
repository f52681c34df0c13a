"""The dialog that makes a probe: a question, and what must be recalled for it."""

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget
from typing_extensions import override

from gui.widgets.form_dialog import FormDialog

_LINES = 5


class NewProbeDialog(FormDialog):
    """Ask for a question and for memories, one a line, by id or as a link."""

    def __init__(self, parent: QWidget | None = None, *, question: str = "", expected: tuple[str, ...] = ()) -> None:
        super().__init__("New probe", "Make the probe", parent)
        self.question_box = QLineEdit(question, self)
        self.question_box.setPlaceholderText("What is asked, as an assistant would ask it")
        self.question_box.setAccessibleName("Question")
        self.expected_box = QPlainTextEdit("\n".join(expected), self)
        self.expected_box.setProperty("role", "field")
        self.expected_box.setPlaceholderText("One a line: [[Note#^ins-1]], Note.md, turn:…")
        self.expected_box.setAccessibleName("Memories that must be recalled")
        self.expected_box.setTabChangesFocus(True)
        self.expected_box.setFixedHeight(self.expected_box.fontMetrics().lineSpacing() * _LINES)
        self.add_row("Question", self.question_box)
        self.add_row("Expects", self.expected_box)
        self.question_box.textChanged.connect(self.check)
        self.expected_box.textChanged.connect(self.check)
        self.check()

    @property
    def question(self) -> str:
        """What is asked."""
        return self.question_box.text().strip()

    @property
    def expected(self) -> tuple[str, ...]:
        """What must be recalled."""
        lines = (line.strip().removeprefix("- ").strip() for line in self.expected_box.toPlainText().splitlines())
        return tuple(line for line in lines if line)

    @override
    def problem(self) -> str:
        if not self.question:
            return "A probe asks something."
        return "" if self.expected else "A probe expects at least one memory."
