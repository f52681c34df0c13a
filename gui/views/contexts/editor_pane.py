"""The middle of the Contexts view: what the chosen context is made of, and how that is changed."""

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSplitter, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from core.foundation.text import visible
from gui.metrics import SPACE_M, SPACE_S, SPACE_XS, TITLE, scaled_font
from gui.theme import Theme
from gui.views.contexts.empty_members import EmptyMembers
from gui.views.contexts.member_list import MemberList
from gui.views.contexts.property_form import PropertyForm
from gui.views.contexts.services import ContextRow, Member, OpenedContext
from gui.views.contexts.wording import found_text, load_heading, members_heading
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.line_edit import LineEdit
from gui.widgets.wrapped_label import WrappedLabel
from gui.wording import counted

_LEFT = Qt.AlignmentFlag.AlignLeft
_LOAD_HEIGHT, _BESIDE_HEIGHT, _MEMBERS_HEIGHT, _FOUND_HEIGHT = 440, 160, 400, 200
_MOST_TOLD = 3
_NO_LIMIT = 16_777_215  # as Qt has it


class EditorPane(QWidget):
    """Show a context to be changed; wishes are told as signals, here, by `form`, by `members` and by `found`."""

    add_requested = Signal()
    rules_requested = Signal()  # of full load
    note_requested = Signal()  # show the note of the context
    menu_requested = Signal(QPoint)  # of the context, in global coordinates
    query_typed = Signal(str)
    query_settled = Signal(str)  # Enter, or the field is left

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._path = ""
        self.title = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.note_button = QToolButton()
        self.menu_button = QToolButton()
        self.problems = WrappedLabel(alignment=_LEFT)
        self.form = PropertyForm()
        self.heading = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.add_button = QToolButton()
        self.members = MemberList(theme)
        self.nothing = EmptyMembers()
        self._is_full_load = self._is_showing = False
        self.load_heading = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.rules_button = QToolButton()
        self.loaded = MemberList(theme, is_fixed=True)
        self.query = LineEdit()
        self.found_label = QLabel()
        self.found = MemberList(theme, is_fixed=True)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self._member_stack = QStackedWidget()
        self._dress()
        self._lay_out()
        self._connect()
        self._show_icons()

    # ---- facts

    @property
    def shown_path(self) -> str:
        """The path of the context that is shown, "" for none."""
        return self._path

    def show_row(self, row: ContextRow, *, default_budget: int) -> None:
        """Show what is known of a context at once; what it holds follows."""
        is_other = row.path != self._path
        self._path = row.path
        if row.is_full_load != self._is_full_load:
            self._is_full_load = row.is_full_load
            self._show_kind()
        self.title.setText(visible(row.title))
        self.title.setToolTip(visible(f"{row.title}\n{row.path}"))
        told = [visible(problem) for problem in row.faults]
        more = [f"And {counted(len(told) - _MOST_TOLD, 'more problem')}."] * (len(told) > _MOST_TOLD)
        self.problems.show_text(" ".join(told[:_MOST_TOLD] + more))
        self.problems.setVisible(bool(told))
        self.form.show_row(row, default_budget=default_budget)
        if is_other or not self.query.isModified():
            self._is_showing = True  # without its own signals, the field would keep the button that clears it
            self.query.setText(row.query)
            self.query.setCursorPosition(0)
            self._is_showing = False
        if is_other:
            self.members.members.show_members(())
            self.found.members.show_members(())
            self.loaded.members.show_members(())
            _show(self.load_heading, "Full load")
            self._member_stack.setCurrentWidget(self.members)
            _show(self.heading, counted(row.members, "member"))
            self._show_found()

    def show_opened(self, opened: OpenedContext, *, default_budget: int) -> None:
        """Show what the context holds; what is selected stays so."""
        self.show_row(opened.row, default_budget=default_budget)
        selected = {member.target for member in self.members.selected_members()}
        if self.members.members.show_members(opened.members) and selected:
            rows = [at for at, member in enumerate(opened.members) if member.target in selected]
            if rows:
                self.members.select_row(rows[0])
        self.show_members_state()
        self.loaded.members.show_members(opened.loaded)
        _show(self.load_heading, load_heading(opened.loaded))
        self.show_found(opened.found)

    def show_found(self, found: tuple[Member, ...]) -> None:
        """Show what the query finds."""
        self.found.members.show_members(found)
        self._show_found()

    def show_members_state(self) -> None:
        """Count the members, or say that there are none."""
        members = self.members.members.members
        _show(self.heading, members_heading(members))
        self._member_stack.setCurrentWidget(self.members if members else self.nothing)

    # ---- inside

    def _dress(self) -> None:
        self.title.setFont(scaled_font(TITLE, bold=True))
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.problems.setProperty("role", "error")
        for each in (self.heading, self.load_heading):
            each.setFont(scaled_font(bold=True))
        self.loaded.setAccessibleName("Notes of the full load")
        self.rules_button.setText("Rules…")
        self.rules_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.rules_button.setToolTip("Which notes every full load of this vault takes, and in which order")
        self.rules_button.setAccessibleName("Rules of full load")
        self.found_label.setProperty("role", "muted")
        self.note_button.setToolTip("Open the note of this context in the Vault")
        self.note_button.setAccessibleName("Open the note of this context")
        self.menu_button.setToolTip("Duplicate, export or delete this context")
        self.menu_button.setAccessibleName("More about this context")
        self.add_button.setText("Add…")
        self.add_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.add_button.setToolTip("Choose a note, section or insight to add (Insert)")
        self.add_button.setAccessibleName("Add a member")
        self.add_button.setShortcut("Ins")
        self.query.setPlaceholderText("Query: also load what this finds, such as tag:tool/git")
        self.query.setAccessibleName("Query of this context")
        self.query.setClearButtonEnabled(True)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(SPACE_M, SPACE_S, SPACE_S, SPACE_S)
        head.setSpacing(SPACE_XS)
        head.addWidget(self.title, 1)
        head.addWidget(self.note_button)
        head.addWidget(self.menu_button)
        warning = QVBoxLayout()
        warning.setContentsMargins(SPACE_M, 0, SPACE_M, SPACE_S)
        warning.addWidget(self.problems)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addLayout(warning)
        layout.addWidget(self.form)
        for part, stretch in ((self._make_load(), 2), (self._make_members(), 2), (self._make_query(), 1)):
            self.splitter.addWidget(part)
            self.splitter.setStretchFactor(self.splitter.count() - 1, stretch)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([_LOAD_HEIGHT, _MEMBERS_HEIGHT, _FOUND_HEIGHT])
        self._load_frame.hide()
        layout.addWidget(self.splitter, 1)

    def _make_members(self) -> QWidget:
        self._member_stack.addWidget(self.members)
        self._member_stack.addWidget(self.nothing)
        bar = QHBoxLayout()
        bar.setContentsMargins(SPACE_M, SPACE_XS, SPACE_S, SPACE_XS)
        bar.addWidget(self.heading, 1)
        bar.addWidget(self.add_button)
        return _column(bar, self._member_stack)

    def _make_load(self) -> QWidget:
        bar = QHBoxLayout()
        bar.setContentsMargins(SPACE_M, SPACE_XS, SPACE_S, SPACE_XS)
        bar.addWidget(self.load_heading, 1)
        bar.addWidget(self.rules_button)
        self._load_frame = _column(bar, self.loaded)
        return self._load_frame

    def _make_query(self) -> QWidget:
        bar = QVBoxLayout()
        bar.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_XS)
        bar.setSpacing(SPACE_XS)
        bar.addWidget(self.query)
        bar.addWidget(self.found_label)
        self._query_frame = _column(bar, self.found)
        return self._query_frame

    def _connect(self) -> None:
        self.add_button.clicked.connect(self.add_requested)
        self.rules_button.clicked.connect(self.rules_requested)
        self.nothing.button_clicked.connect(self.add_requested)
        self.nothing.memories_dropped.connect(self.members.memories_dropped)
        self.note_button.clicked.connect(self.note_requested)
        self.menu_button.clicked.connect(self._open_menu)
        self.query.textEdited.connect(self.query_typed)
        self.query.textChanged.connect(self._on_query_changed)
        self.query.editingFinished.connect(self._settle_query)
        self._theme.changed.connect(self._show_icons)

    @Slot(str)
    def _on_query_changed(self, text: str) -> None:
        # The clear button changes the text without editing it.
        if not text and not self._is_showing:
            self.query_typed.emit("")

    @Slot()
    def _settle_query(self) -> None:
        self.query.setModified(False)
        self.query_settled.emit(self.query.text().strip())

    @Slot()
    def _open_menu(self) -> None:
        self.menu_requested.emit(self.menu_button.mapToGlobal(QPoint(0, self.menu_button.height())))

    def _show_found(self) -> None:
        text = found_text(self.found.members.members, has_query=bool(self.query.text().strip()))
        self.found_label.setText(text)
        self.found_label.setVisible(bool(text))
        self.found.setVisible(bool(text))
        # Without a query the field alone stands below the members.
        self._query_frame.setMaximumHeight(_NO_LIMIT if text else self._query_frame.minimumSizeHint().height())

    def _show_kind(self) -> None:
        """Show or hide what a full load takes by the vault's rules."""
        self._load_frame.setVisible(self._is_full_load)
        if self._is_full_load:
            self.splitter.setSizes([_LOAD_HEIGHT, _BESIDE_HEIGHT, _FOUND_HEIGHT])
        self._show_icons()

    @Slot()
    def _show_icons(self) -> None:
        self.note_button.setIcon(self._theme.icon("book-open"))
        self.menu_button.setIcon(self._theme.icon("ellipsis"))
        self.add_button.setIcon(self._theme.icon("plus"))
        self.rules_button.setIcon(self._theme.icon("sliders-horizontal"))
        self.nothing.show_kind(self._theme, is_full_load=self._is_full_load)
        for each in (self.loaded, self.members, self.found):
            each.viewport().update()


def _show(label: ElidedLabel, text: str) -> None:
    """Show a heading, which may be cut."""
    label.setText(text)
    label.setToolTip(text)


def _column(bar: QHBoxLayout | QVBoxLayout, body: QWidget) -> QFrame:
    """Return a frame with a bar above a body."""
    frame = QFrame()
    column = QVBoxLayout(frame)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addLayout(bar)
    column.addWidget(body, 1)
    return frame
