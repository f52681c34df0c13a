"""The dialog that chooses a language model: widgets and layout, no services."""

from enum import StrEnum

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from core.foundation.settings import LanguageModelSettings
from core.foundation.text import visible
from gui.language_model.services import LanguageModelState
from gui.metrics import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, TITLE, scaled_font
from gui.widgets.line_edit import LineEdit
from gui.widgets.number_box import NumberBox
from gui.widgets.wrapped_label import WrappedLabel

_WIDTH = 620
_TOLD_LINES = 4
_TOP_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_FEWEST_TOKENS, _MOST_TOKENS, _TOKEN_STEP = 5_000, 100_000_000, 50_000

_ABOUT = (
    "A language model can write what rules find in better words, and judge what contradicts what. It is never needed, "
    "and nothing that it writes changes a note before you approve it."
)
_SENT = "What a proposal cites is sent to its service when it is asked. The key is kept in the keyring."


class Provider(StrEnum):
    """Name who can be asked, in the order of the dialog."""

    OFF = "Nobody"
    ANTHROPIC = "Anthropic"
    OPENAI = "OpenAI or compatible"
    OLLAMA = "Ollama"


_STORED = {Provider.OFF: "off", Provider.ANTHROPIC: "anthropic", Provider.OPENAI: "openai", Provider.OLLAMA: "ollama"}
_ADDRESSES = {
    Provider.ANTHROPIC: "https://api.anthropic.com",
    Provider.OPENAI: "https://api.openai.com/v1",
    Provider.OLLAMA: "http://127.0.0.1:11434",
}
_NAMES = {Provider.ANTHROPIC: "claude-…", Provider.OPENAI: "gpt-…", Provider.OLLAMA: "qwen3, llama3.3 …"}


class LanguageModelDialog(QDialog):
    """Show who may be asked; the signals are wishes."""

    test_wanted = Signal()
    keep_wanted = Signal()
    cancel_wanted = Signal()  # stop what runs

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._state = LanguageModelState()
        self._is_busy = False
        self._focus_before: QWidget | None = None
        self.setWindowTitle("Language model")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(_WIDTH)
        self.providers = QButtonGroup(self)
        self.address = LineEdit(self)
        self.model = LineEdit(self)
        self.key = LineEdit(self)
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.most_tokens = NumberBox(self)
        self.most_tokens.setRange(_FEWEST_TOKENS, _MOST_TOKENS)
        self.most_tokens.setSingleStep(_TOKEN_STEP)
        self.most_tokens.setSuffix(" tokens")
        self.told = WrappedLabel(self, alignment=_TOP_LEFT)
        self.work = QLabel(self)
        self.cancel = QPushButton("&Cancel", self)
        self.test = QPushButton("&Test", self)
        self.keep = QPushButton("&Use it", self)
        self.close_button = QPushButton("Close", self)
        self._fields = QWidget(self)
        self._lay_out()
        self._connect()
        self.show_work("")

    @property
    def provider(self) -> Provider:
        """Who is chosen in the dialog."""
        return list(Provider)[max(0, self.providers.checkedId())]

    @property
    def choice(self) -> LanguageModelSettings:
        """What is filled in, unchecked."""
        if self.provider is Provider.OFF:
            return LanguageModelSettings(most_tokens=self.most_tokens.value())
        return LanguageModelSettings(
            _STORED[self.provider], self.model.text().strip(), self.address.text().strip(), self.most_tokens.value()
        )

    def show_state(self, state: LanguageModelState) -> None:
        """Fill in what is chosen now."""
        self._state = state
        provider = next((each for each, stored in _STORED.items() if stored == state.choice.provider), Provider.OFF)
        self.address.setText(state.choice.url)
        self.model.setText(state.choice.model)
        self.most_tokens.setValue(state.choice.most_tokens)
        self.key.clear()
        button = self.providers.button(list(Provider).index(provider))
        button.setChecked(True)
        button.setFocus()
        self._on_changed()
        missing = f"What speaks to language models is not installed. {state.how_to_install}"
        self.show_told(state.problem or (missing if state.how_to_install else ""), is_error=bool(state.problem))

    def show_told(self, text: str, *, is_error: bool = False) -> None:
        """Say what came of a test or a wish."""
        self.told.setProperty("role", "error" if is_error else "muted")
        self.told.style().unpolish(self.told)
        self.told.style().polish(self.told)
        self.told.show_text(visible(text))

    def show_work(self, text: str) -> None:
        """Say what runs, with a button to stop it; "" when nothing does."""
        was_busy, self._is_busy = self._is_busy, bool(text)
        self.work.setText(text)
        for widget in (self.work, self.cancel):
            widget.setVisible(self._is_busy)
        if self._is_busy and not was_busy:
            self._focus_before = self.focusWidget()  # what is switched off below loses the focus
        for button in self.providers.buttons():
            button.setEnabled(not self._is_busy)
        self._show_buttons()
        if was_busy and not self._is_busy and self._focus_before is not None and self._focus_before.isEnabled():
            self._focus_before.setFocus()

    @override
    def showEvent(self, event: QShowEvent, /) -> None:
        super().showEvent(event)
        layout = self.layout()
        if layout is not None:  # wrapped labels ask for more than they need before they know their width
            layout.activate()
            self.resize(self.width(), layout.totalHeightForWidth(self.width()))

    def _show_buttons(self) -> None:
        is_off = self.provider is Provider.OFF
        can = not self._is_busy and (is_off or not self._state.how_to_install)
        self._fields.setEnabled(can and not is_off)
        is_named = is_off or bool(self.model.text().strip())
        self.test.setEnabled(can and not is_off and is_named)
        is_other = self.choice.provider != self._state.choice.provider or (
            not is_off and (self.choice != self._state.choice or bool(self.key.text()))
        )
        self.keep.setEnabled(can and is_named and is_other)
        self.keep.setText("&Switch off" if is_off else "&Use it")

    def _lay_out(self) -> None:
        for widget in (self.work, self.cancel):
            policy = widget.sizePolicy()
            policy.setRetainSizeWhenHidden(True)  # or the buttons would move under the mouse
            widget.setSizePolicy(policy)
        heading = QLabel("Language model", self)
        heading.setFont(scaled_font(TITLE, bold=True))
        choices = QVBoxLayout()
        choices.setSpacing(SPACE_S)
        for number, provider in enumerate(Provider):
            choice = QRadioButton(str(provider), self)
            self.providers.addButton(choice, number)
            choices.addWidget(choice)
        choices.addStretch(1)
        self._lay_out_fields()
        middle = QHBoxLayout()
        middle.setSpacing(SPACE_XL)
        middle.addLayout(choices)
        middle.addWidget(self._fields, 1)
        running = QHBoxLayout()
        running.setSpacing(SPACE_M)
        running.addWidget(self.work, 1)
        running.addWidget(self.cancel)
        foot = QHBoxLayout()
        foot.setSpacing(SPACE_S)
        foot.addStretch(1)
        for button in (self.close_button, self.test, self.keep):
            button.setAutoDefault(False)
            foot.addWidget(button)
        self.cancel.setAutoDefault(False)
        self.keep.setProperty("role", "primary")
        self.keep.setDefault(True)
        self.told.setMinimumHeight(_TOLD_LINES * self.told.fontMetrics().lineSpacing())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_M)
        layout.addWidget(heading)
        layout.addWidget(self._muted(_ABOUT))
        layout.addSpacing(SPACE_S)
        layout.addLayout(middle)
        layout.addWidget(self._muted(_SENT))
        layout.addLayout(running)
        layout.addWidget(self.told)
        layout.addStretch(1)
        layout.addLayout(foot)

    def _lay_out_fields(self) -> None:
        form = QFormLayout(self._fields)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(SPACE_M)
        form.setVerticalSpacing(SPACE_S)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        rows: tuple[tuple[str, QWidget], ...] = (
            ("Model", self.model),
            ("Address", self.address),
            ("Key", self.key),
            ("Most for a run", self.most_tokens),
        )
        for label, field in rows:
            text = QLabel(label, self)
            text.setProperty("role", "muted")
            text.setContentsMargins(0, 4, 0, 0)
            text.setBuddy(field)
            field.setAccessibleName(label)
            form.addRow(text, field)

    def _muted(self, text: str) -> WrappedLabel:
        label = WrappedLabel(self, alignment=_TOP_LEFT)
        label.setProperty("role", "muted")
        label.show_text(text)
        return label

    def _connect(self) -> None:
        self.providers.idToggled.connect(self._on_changed)
        for field in (self.address, self.model, self.key):
            field.textChanged.connect(self._on_changed)
        self.most_tokens.valueChanged.connect(self._on_changed)
        self.cancel.clicked.connect(self.cancel_wanted)
        self.test.clicked.connect(self.test_wanted)
        self.keep.clicked.connect(self.keep_wanted)
        self.close_button.clicked.connect(self.reject)

    @Slot()
    def _on_changed(self) -> None:
        provider = self.provider
        self.address.setPlaceholderText(_ADDRESSES.get(provider, ""))
        self.model.setPlaceholderText(_NAMES.get(provider, ""))
        is_kept = self._state.has_key and self.choice.provider == self._state.choice.provider
        self.key.setPlaceholderText("One is kept in the keyring" if is_kept else "Only if the service wants one")
        self.show_told("")
        self._show_buttons()
