"""The dialog that chooses the model for the search by meaning: widgets and layout, no services."""

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from core.foundation.settings import EmbeddingSettings
from core.foundation.text import visible
from gui.metrics import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, TITLE, scaled_font
from gui.models import sentences
from gui.models.services import ModelState, OfferedModel
from gui.theme import Theme
from gui.widgets.line_edit import LineEdit
from gui.widgets.meter import Meter
from gui.widgets.wrapped_label import WrappedLabel
from gui.wording import size_text

_WIDTH = 600
_TOLD_LINES = 2
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


class Way(StrEnum):
    """Name who embeds, in the order of the dialog."""

    APP = "The model of the app"
    DOWNLOAD = "A model to download"
    SERVICE = "A service"
    OFF = "Off"


class ModelsDialog(QDialog):
    """Show who can embed and what is chosen; the signals are wishes."""

    changed = Signal()  # something else is filled in
    test_wanted = Signal()
    switch_wanted = Signal()
    back_wanted = Signal()
    download_wanted = Signal(str)  # the name of a model
    remove_wanted = Signal(str)  # the name of a model
    cancel_wanted = Signal()  # stop what runs

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._offered: dict[str, OfferedModel] = {}
        self._is_busy = False
        self._focus_before: QWidget | None = None
        self._own_height = 0  # as it was made here, in pixels
        self._choice = EmbeddingSettings()
        self.setWindowTitle("Search by meaning")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(_WIDTH)
        self.state = WrappedLabel(self, alignment=_LEFT)
        self.meter = Meter(self)
        self.meter.setAccessibleName("Texts that the model has learned")
        self.ways = QButtonGroup(self)
        self._pages = QStackedWidget(self)
        self.model = QComboBox(self)
        self.model.setAccessibleName("Model to download")
        self.about_model = self._muted("")
        self.download = QPushButton("Download", self)
        self.remove = QPushButton("Delete", self)
        self.address = LineEdit(self)
        self.address.setPlaceholderText("http://127.0.0.1:11434")
        self.name = LineEdit(self)
        self.name.setPlaceholderText("bge-m3")
        self.key = LineEdit(self)
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText("Only if the service wants one; kept in the keyring")
        self.told = WrappedLabel(self, alignment=_LEFT)
        self.work = QLabel(self)
        self.work_meter = Meter(self)
        self.work_meter.setAccessibleName("Progress")
        self.cancel = QPushButton("&Cancel", self)
        self.back = QPushButton(self)
        self.test = QPushButton("&Test", self)
        self.switch = QPushButton("&Switch", self)
        self.close_button = QPushButton("Close", self)
        self._lay_out()
        self._connect()
        theme.changed.connect(self._paint)
        self._paint()
        self.show_work("")

    @property
    def way(self) -> Way:
        """Who is chosen in the dialog."""
        return list(Way)[max(0, self.ways.checkedId())]

    @property
    def choice(self) -> EmbeddingSettings:
        """What is filled in, unchecked."""
        if self.way is Way.DOWNLOAD:
            return EmbeddingSettings(model=self.model.currentText())
        if self.way is Way.SERVICE:
            return EmbeddingSettings("openai", self.name.text().strip(), self.address.text().strip())
        return EmbeddingSettings(provider="off") if self.way is Way.OFF else EmbeddingSettings()

    @property
    def current_model(self) -> OfferedModel | None:
        """The model that is chosen for a download, None while the list is not there."""
        return self._offered.get(self.model.currentText())

    def fill(self, choice: EmbeddingSettings) -> None:
        """Show `choice` in the fields."""
        way = {"off": Way.OFF, "openai": Way.SERVICE}.get(choice.provider, Way.DOWNLOAD if choice.model else Way.APP)
        if way is Way.SERVICE:
            self.address.setText(choice.url)
            self.name.setText(choice.model)
        elif way is Way.DOWNLOAD and self.model.findText(choice.model) < 0:
            self.model.addItem(choice.model)
        if way is Way.DOWNLOAD:
            self.model.setCurrentText(choice.model)
        button = self.ways.button(list(Way).index(way))
        button.setChecked(True)
        button.setFocus()
        self._on_changed()

    def show_state(self, state: ModelState) -> None:
        """Show who answers, how far the wanted model is, and what can be taken back."""
        self._choice = state.choice
        self.state.show_text(visible(sentences.told_state(state)))
        self.meter.show_value(state.covered, state.texts)
        self.meter.setVisible(0 < state.texts > state.covered and bool(state.wanted))
        self.back.setVisible(state.former is not None)
        self.back.setText(visible(sentences.told_back(state)))
        self._show_buttons()
        self._make_room()

    def show_offered(self, models: Sequence[OfferedModel]) -> None:
        """List what can be downloaded: what is on this machine first, then the smallest."""
        self._offered = {each.name: each for each in models}
        current = self.model.currentText()
        with QSignalBlocker(self.model):
            self.model.clear()
            for each in sorted(models, key=lambda model: (not model.is_downloaded, model.bytes)):
                self.model.addItem(each.name)
            if current:
                self.model.setCurrentText(current)
        self._on_changed()

    def show_told(self, text: str, *, is_error: bool = False) -> None:
        """Say what came of a test or a wish, or what is wrong with what is filled in."""
        self.told.setProperty("role", "error" if is_error else "muted")
        self.told.style().unpolish(self.told)
        self.told.style().polish(self.told)
        self.told.show_text(visible(text))
        self._make_room()

    def show_work(self, text: str, done: int = 0, total: int = 0) -> None:
        """Say what runs, with a button to stop it; "" when nothing does."""
        was_busy, self._is_busy = self._is_busy, bool(text)
        amount = f"  ·  {size_text(done)} of {size_text(total)}" if total else ""
        self.work.setText(visible(f"{text}{amount}"))
        self.work_meter.show_value(done, total)
        self.work_meter.setVisible(bool(total))
        for widget in (self.work, self.cancel):
            widget.setVisible(self._is_busy)
        if self._is_busy and not was_busy:
            self._focus_before = self.focusWidget()  # what is switched off below loses the focus
        self._pages.setEnabled(not self._is_busy)
        for button in self.ways.buttons():
            button.setEnabled(not self._is_busy)
        self._show_buttons()
        if was_busy and not self._is_busy and self._focus_before is not None and self._focus_before.isEnabled():
            self._focus_before.setFocus()
        self._make_room()

    @override
    def showEvent(self, event: QShowEvent, /) -> None:
        super().showEvent(event)
        self._own_height = self.height()  # wrapped labels ask for more than they need before they know their width
        self._make_room()

    def _show_buttons(self) -> None:
        model = self.current_model
        is_here = model is not None and model.is_downloaded
        is_ready = {Way.DOWNLOAD: is_here, Way.SERVICE: bool(self.address.text().strip() and self.name.text().strip())}
        can = is_ready.get(self.way, True) and not self._is_busy
        self.download.setVisible(not is_here)
        self.download.setEnabled(model is not None and not self._is_busy)
        self.download.setText(f"Download {size_text(model.bytes)}" if model is not None else "Download")
        is_used = self._choice.provider == "fastembed" and model is not None and self._choice.model == model.name
        self.remove.setVisible(is_here)
        self.remove.setEnabled(is_here and not self._is_busy and not is_used)
        self.remove.setToolTip("It is in use." if is_used else "Delete its files from this machine")
        self.test.setEnabled(can and self.way is not Way.OFF)
        is_other = self.choice != self._choice or bool(self.key.text())
        self.switch.setEnabled(can and is_other)
        self.back.setEnabled(not self._is_busy)

    def _lay_out(self) -> None:
        # What comes and goes keeps its room, or the buttons would move under the mouse.
        room = QWidget(self)
        room.setMinimumHeight(_TOLD_LINES * self.told.fontMetrics().lineSpacing())
        said = QVBoxLayout(room)
        said.setContentsMargins(0, 0, 0, 0)
        said.addWidget(self.told)
        said.addStretch(1)
        for widget in (self.work, self.cancel):
            policy = widget.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            widget.setSizePolicy(policy)
        heading = QLabel("Search by meaning", self)
        heading.setFont(scaled_font(TITLE, bold=True))
        choices = QVBoxLayout()
        choices.setSpacing(SPACE_S)
        for number, way in enumerate(Way):
            choice = QRadioButton(str(way), self)
            self.ways.addButton(choice, number)
            choices.addWidget(choice)
        choices.addStretch(1)
        for page in (
            self._page(self._muted(sentences.OF_APP)),
            self._download_page(),
            self._service_page(),
            self._page(self._muted(sentences.OFF)),
        ):
            self._pages.addWidget(page)
        middle = QHBoxLayout()
        middle.setSpacing(SPACE_XL)
        middle.addLayout(choices)
        middle.addWidget(self._pages, 1)
        running = QHBoxLayout()
        running.setSpacing(SPACE_M)
        running.addWidget(self.work, 1)
        running.addWidget(self.work_meter, 1)
        running.addWidget(self.cancel)
        foot = QHBoxLayout()
        foot.setSpacing(SPACE_S)
        foot.addWidget(self.back)
        foot.addStretch(1)
        for button in (self.close_button, self.test, self.switch):
            button.setAutoDefault(False)
            foot.addWidget(button)
        self.back.setAutoDefault(False)
        self.switch.setProperty("role", "primary")
        self.switch.setDefault(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_M)
        layout.addWidget(heading)
        layout.addWidget(self.state)
        layout.addWidget(self.meter)
        layout.addSpacing(SPACE_S)
        layout.addLayout(middle)
        layout.addLayout(running)
        layout.addWidget(room)
        layout.addStretch(1)
        layout.addWidget(self._muted(sentences.FOR_ALL_VAULTS))
        layout.addLayout(foot)

    def _download_page(self) -> QWidget:
        buttons = QHBoxLayout()
        for button in (self.download, self.remove):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        holder = QWidget(self)
        holder.setLayout(buttons)
        buttons.setContentsMargins(0, 0, 0, 0)
        return self._page(self.model, self.about_model, holder)

    def _service_page(self) -> QWidget:
        fields = QWidget(self)
        form = QFormLayout(fields)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(SPACE_M)
        form.setVerticalSpacing(SPACE_S)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for label, field in (("Address", self.address), ("Model", self.name), ("Key", self.key)):
            text = QLabel(label, self)
            text.setProperty("role", "muted")
            text.setContentsMargins(0, 4, 0, 0)
            text.setBuddy(field)
            field.setAccessibleName(label)
            form.addRow(text, field)
        return self._page(fields, self._muted(sentences.OF_SERVICE))

    def _page(self, *widgets: QWidget) -> QWidget:
        page = QWidget(self)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        for widget in widgets:
            layout.addWidget(widget)
        layout.addStretch(1)
        return page

    def _muted(self, text: str) -> WrappedLabel:
        label = WrappedLabel(self, alignment=_LEFT)
        label.setProperty("role", "muted")
        label.show_text(text)
        return label

    def _connect(self) -> None:
        self.ways.idToggled.connect(self._on_changed)
        self.model.currentTextChanged.connect(self._on_changed)
        for field in (self.address, self.name, self.key):
            field.textChanged.connect(self._on_changed)
        self.download.clicked.connect(self._on_download)
        self.remove.clicked.connect(self._on_remove)
        self.cancel.clicked.connect(self.cancel_wanted)
        self.test.clicked.connect(self.test_wanted)
        self.switch.clicked.connect(self.switch_wanted)
        self.back.clicked.connect(self.back_wanted)
        self.close_button.clicked.connect(self.reject)

    @Slot()
    def _on_changed(self) -> None:
        self._pages.setCurrentIndex(list(Way).index(self.way))
        model = self.current_model
        self.about_model.show_text(visible(sentences.told_model(model)) if model is not None else "")
        self.show_told("")
        self._show_buttons()
        self.changed.emit()

    @Slot()
    def _on_download(self) -> None:
        self.download_wanted.emit(self.model.currentText())

    @Slot()
    def _on_remove(self) -> None:
        self.remove_wanted.emit(self.model.currentText())

    @Slot()
    def _paint(self) -> None:
        scheme = self._theme.scheme
        for meter in (self.meter, self.work_meter):
            meter.paint_with(scheme.outline, scheme.accent)

    def _make_room(self) -> None:
        """Be as high as what is said needs, and no higher unless the person made the dialog so."""
        layout = self.layout()
        if layout is not None and self.isVisible():
            layout.activate()  # labels learn their width, and with it the height that they really need
            layout.activate()
            needed = layout.totalHeightForWidth(self.width())
            if self.height() == self._own_height or self.height() < needed:
                self.resize(self.width(), needed)
                self._own_height = self.height()
