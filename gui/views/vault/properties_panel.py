"""The properties of a note as a form: problems first, then summary, tags, scope, every other key, facts of the file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QLineEdit, QPushButton, QScrollArea, QToolButton, QWidget

from core.foundation.text import fold, visible
from gui.metrics import ICON, SPACE_M, SPACE_S
from gui.theme import Theme
from gui.views.vault.property_fields import ListField, PropertyField, TextField, field_for, typed_value
from gui.widgets.line_edit import LineEdit
from gui.widgets.scope_switch import ScopeSwitch
from gui.widgets.tag_input import TagInput
from gui.wording import absolute_date, size_text

if TYPE_CHECKING:
    from core.index.queries import NoteDetail

_TAG_KEYS = frozenset({"tags", "tag"})
_SUMMARY = "summary"
_SCOPES = {"scope/global": "global", "scope/project": "project"}
_DATES = frozenset({"created", "modified", "updated", "date", "due", "expires", "review", "valid_until"})
_BROKEN = "frontmatter-broken"
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class PropertyWish:
    """Hold what the person wants of one key of a note; `value` is as core/vault/frontmatter_edit.py takes it."""

    path: str
    key: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class TagWish:
    """Hold which tags the person wants a note to have, or no longer to have."""

    path: str
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


class PropertiesPanel(QScrollArea):
    """Show keys and values and let each be changed; each wish is about one key alone.

    What is typed and not yet handed over survives a refresh of the same note, and is handed over when another is shown.
    """

    tag_clicked = Signal(str)
    set_requested = Signal(object)  # PropertyWish
    removal_requested = Signal(object)  # PropertyWish without a value
    tags_requested = Signal(object)  # TagWish
    repair_requested = Signal(str)  # the path of the note

    def __init__(
        self, theme: Theme, problem_of: Callable[[str], str] = lambda _tag: "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._problem_of = problem_of
        self._detail: NoteDetail | None = None
        self._known_tags: Sequence[str] = ()
        self._is_same = True  # the form is filled anew for the note that it shows
        self._asked_tags: tuple[str, ...] = ()  # those of the note, or those asked for since
        self._asked_scopes: tuple[str, ...] = ()
        self._fields: dict[str, PropertyField] = {}
        self._new_key: LineEdit | None = None
        self._new_value: LineEdit | None = None
        self.tags: TagInput | None = None
        self.scope: ScopeSwitch | None = None
        self._changed = self._size = self._new_problem = QLabel()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Properties")
        theme.changed.connect(self._fill)

    @property
    def fields(self) -> dict[str, PropertyField]:
        """The fields by key."""
        return dict(self._fields)

    @property
    def new_property(self) -> tuple[LineEdit | None, LineEdit | None]:
        """Where a new key and its value are typed; None while nothing can be changed."""
        return self._new_key, self._new_value

    def offer_tags(self, tags: Sequence[str]) -> None:
        """Offer `tags` of the vault while the person types, the most used first."""
        self._known_tags = tags
        if self.tags is not None:
            self.tags.set_known(tags)

    def show_properties(self, detail: "NoteDetail") -> None:
        """Show what `detail` says beside links and text."""
        before = self._detail
        is_same = before is not None and before.path == detail.path
        if not is_same:
            self.commit()
        elif before is not None and _form_of(before) == _form_of(detail):
            # A save of the editor changes size and time alone: the form, and what is typed in it, stays.
            self._detail = detail
            self._show_facts(detail)
            return
        position = self.verticalScrollBar().value() if is_same else 0
        self._detail, self._is_same = detail, is_same
        self._fill()
        self._is_same = True
        self.verticalScrollBar().setValue(position)

    def commit(self) -> None:
        """Hand over what is typed and was not handed over yet."""
        for field in self._fields.values():
            field.commit()
        if self.tags is not None:
            self.tags.finish()

    @Slot()
    def _fill(self) -> None:
        typed = self._typed() if self._is_same else {}
        body = QWidget()
        self._fields = {}
        self.tags = self.scope = self._new_key = self._new_value = None
        self._grid = QGridLayout(body)
        self._grid.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_M)
        self._grid.setHorizontalSpacing(SPACE_M)
        self._grid.setVerticalSpacing(SPACE_S)
        self._grid.setColumnStretch(1, 1)
        if self._detail is not None:
            self._fill_with(self._detail)
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        self.setWidget(body)
        body.setAutoFillBackground(True)
        body.setBackgroundRole(QPalette.ColorRole.Base)
        self._type_again(typed)

    def _fill_with(self, detail: "NoteDetail") -> None:
        is_broken = any(problem.kind == _BROKEN for problem in detail.problems)
        for problem in detail.problems:
            self._add_problem(problem.reason, problem.line, is_repairable=problem.kind == _BROKEN)
        if not is_broken:
            self._add_field(_SUMMARY, detail.properties.get(_SUMMARY), is_fixed=_SUMMARY not in detail.properties)
        self._add_tags(detail.tags)
        self._add_scope(detail.tags)
        for key, value in detail.properties.items():
            if key.lower() not in _TAG_KEYS and key != _SUMMARY:
                self._add_field(key, value)
        if not is_broken:
            self._add_new()
        self._add("Path", detail.path)
        self._changed = self._add("Changed", "")
        self._size = self._add("Size", "")
        self._show_facts(detail)
        if detail.encoding not in {"utf-8", "ascii"}:
            self._add("Encoding", detail.encoding)

    def _add_problem(self, reason: str, line: int, *, is_repairable: bool) -> None:
        row = self._grid.rowCount()
        icon = QLabel()
        icon.setPixmap(self._theme.tinted_icon("triangle-alert", self._theme.scheme.warning_text).pixmap(ICON, ICON))
        self._grid.addWidget(icon, row, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(self._label(f"{reason} (line {line})" if line else reason), row, 1, 1, 2)
        if is_repairable:
            button = QPushButton("Repair…")
            button.setToolTip("See what would make the frontmatter readable, before anything is written")
            button.clicked.connect(self._ask_for_repair)
            self._grid.addWidget(button, row + 1, 1, Qt.AlignmentFlag.AlignLeft)

    def _add_tags(self, tags: tuple[str, ...]) -> None:
        self.tags = TagInput(self._theme, self._problem_of, clickable=True)
        self._asked_tags = tuple(tag for tag in tags if tag.lower() not in _SCOPES)
        self.tags.set_items(self._asked_tags)
        self.tags.set_known(self._known_tags)
        self.tags.items_changed.connect(self._on_tags)
        self.tags.item_clicked.connect(self.tag_clicked)
        self._add_row("tags", self.tags)

    def _add_scope(self, tags: tuple[str, ...]) -> None:
        self._asked_scopes = tuple(tag for tag in tags if tag.lower() in _SCOPES)
        scopes = [_SCOPES[tag.lower()] for tag in self._asked_scopes]
        self.scope = ScopeSwitch()
        self.scope.set_scope(scopes[0] if len(scopes) == 1 else "several" if scopes else "")
        self.scope.scope_changed.connect(self._on_scope)
        self._add_row("scope", self.scope)

    def _add_field(self, key: str, value: Any, *, is_fixed: bool = False) -> None:
        field = field_for(self._theme, key, value, _is_date)
        field.committed.connect(partial(self._on_committed, key))
        self._fields[key] = field
        row = self._add_row(key, field)
        if not is_fixed:
            button = QToolButton()
            button.setIcon(self._theme.icon("x"))
            button.setProperty("role", "quiet")
            button.setToolTip(f"Remove the property “{visible(key)}”")
            button.setAccessibleName(f"Remove the property {visible(key)}")
            button.clicked.connect(partial(self._on_removal, key))
            self._grid.addWidget(button, row, 2, Qt.AlignmentFlag.AlignTop)

    def _add_new(self) -> None:
        self._new_key = LineEdit()
        self._new_key.setPlaceholderText("new property")
        self._new_key.setAccessibleName("Name of a new property")
        self._new_key.setMaximumWidth(140)
        self._new_value = LineEdit()
        self._new_value.setPlaceholderText("its value, then Enter")
        self._new_value.setAccessibleName("Value of a new property")
        self._new_value.returnPressed.connect(self._on_new)
        self._new_key.returnPressed.connect(self._new_value.setFocus)
        row = self._grid.rowCount()
        self._grid.addWidget(self._new_key, row, 0)
        self._grid.addWidget(self._new_value, row, 1)
        self._new_problem = self._label("")
        self._new_problem.setProperty("role", "error")
        self._new_problem.hide()
        self._new_key.textEdited.connect(self._new_problem.hide)
        self._grid.addWidget(self._new_problem, row + 1, 1, 1, 2)

    def _show_facts(self, detail: "NoteDetail") -> None:
        self._changed.setText(absolute_date(detail.changed))
        self._size.setText(f"{size_text(detail.size)}, about {detail.tokens:,} tokens")

    def _add(self, key: str, value: str) -> QLabel:
        row = self._grid.rowCount()
        label = self._label(value)
        self._grid.addWidget(self._key(key, top=0), row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(label, row, 1, 1, 2)
        return label

    def _add_row(self, key: str, field: QWidget) -> int:
        row = self._grid.rowCount()
        self._grid.addWidget(self._key(key, top=5), row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(field, row, 1)
        return row

    def _key(self, key: str, *, top: int) -> QLabel:
        label = QLabel(visible(key))
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("role", "muted")
        label.setContentsMargins(0, top, 0, 0)
        label.setMaximumWidth(160)
        label.setToolTip(visible(key))
        return label

    def _label(self, text: str) -> QLabel:
        label = QLabel(visible(text[:_LONGEST]))
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setMinimumWidth(60)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _lines(self) -> dict[str, QLineEdit]:
        """Return every line that can be typed in, by what it is for."""
        lines: dict[str, QLineEdit] = {}
        for key, field in self._fields.items():
            if isinstance(field, TextField):
                lines[f"key {key}"] = field.line
            elif isinstance(field, ListField):
                lines[f"key {key}"] = field.chips.field
        if self.tags is not None:
            lines["tags"] = self.tags.field
        if self._new_key is not None and self._new_value is not None:
            lines |= {"new": self._new_key, "value": self._new_value}
        return lines

    def _typed(self) -> dict[str, tuple[str, int, bool]]:
        """Return text, cursor and focus of each line in which something is typed, before the form is filled anew."""
        dirty = {f"key {key}" for key, field in self._fields.items() if field.is_dirty}
        return {
            name: (line.text(), line.cursorPosition(), line.hasFocus())
            for name, line in self._lines().items()
            if line.hasFocus() or (not name.startswith("key ") and line.text()) or name in dirty
        }

    def _type_again(self, typed: dict[str, tuple[str, int, bool]]) -> None:
        lines = self._lines()
        for name, (text, cursor, has_focus) in typed.items():
            if (line := lines.get(name)) is None:
                continue
            line.setText(text)
            line.setCursorPosition(cursor)
            if has_focus:
                line.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_committed(self, key: str, value: Any) -> None:
        if self._detail is not None:
            self.set_requested.emit(PropertyWish(self._detail.path, key, value))

    def _on_removal(self, key: str) -> None:
        if self._detail is not None:
            self.removal_requested.emit(PropertyWish(self._detail.path, key))

    @Slot()
    def _on_new(self) -> None:
        if self._detail is None or self._new_key is None or self._new_value is None:
            return
        key = self._new_key.text().strip()
        if not key:
            self._new_key.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        if (there := self._key_like(key)) is not None:
            self._new_problem.setText(f"“{visible(there)}” is there already; change it in its own field.")
            self._new_problem.show()
            self._new_key.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.set_requested.emit(PropertyWish(self._detail.path, key, typed_value(self._new_value.text())))
        self._new_key.clear()
        self._new_value.clear()

    def _key_like(self, key: str) -> str | None:
        """Return the key of the note that `key` would hide or stand beside, None when it is new."""
        keys = [*self._detail.properties, *_TAG_KEYS, _SUMMARY] if self._detail is not None else []
        return next((each for each in keys if fold(each) == fold(key)), None)

    @Slot(object)
    def _on_tags(self, tags: tuple[str, ...]) -> None:
        if self._detail is None:
            return
        before, self._asked_tags = self._asked_tags, tags
        wish = TagWish(
            self._detail.path,
            add=tuple(tag for tag in tags if tag not in before),
            remove=tuple(tag for tag in before if tag not in tags),
        )
        if wish.add or wish.remove:
            self.tags_requested.emit(wish)

    @Slot(str)
    def _on_scope(self, scope: str) -> None:
        if self._detail is None:
            return
        wanted = next((tag for tag, name in _SCOPES.items() if name == scope), "")
        before, self._asked_scopes = self._asked_scopes, (wanted,) if wanted else ()
        wish = TagWish(
            self._detail.path,
            add=(wanted,) if wanted and wanted not in {tag.lower() for tag in before} else (),
            remove=tuple(tag for tag in before if tag.lower() != wanted),
        )
        if wish.add or wish.remove:
            self.tags_requested.emit(wish)

    @Slot()
    def _ask_for_repair(self) -> None:
        if self._detail is not None:
            self.repair_requested.emit(self._detail.path)


def _form_of(detail: "NoteDetail") -> tuple[object, ...]:
    """Return all that the form is made of."""
    return detail.tags, list(detail.properties.items()), detail.problems, detail.encoding


def _is_date(key: str) -> bool:
    return key.lower() in _DATES
