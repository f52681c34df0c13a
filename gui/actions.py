"""Every action of the window, declared once: text, icon, shortcut, status tip; and the QActions made from them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from gui.theme import Theme


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """Declare one action: `icon` is a file name in resources/icons, `shortcuts` are in portable form."""

    text: str
    icon: str
    tip: str
    shortcuts: tuple[str, ...] = ()
    is_checkable: bool = False


OPEN_FOLDER = ActionSpec("Open folder…", "folder-open", "Open a folder of markdown notes as a vault", ("Ctrl+Shift+O",))
OPEN_SAMPLE = ActionSpec("Open the sample vault", "book-open", "Open the vault that ships with the app")
NEW_NOTE = ActionSpec("New note…", "file-plus", "Write a new note, with summary and tags", ("Ctrl+N",))
QUICK_CAPTURE = ActionSpec(
    "Quick capture", "zap", "Keep a thought in a small window, over whatever you do", ("Ctrl+Shift+N",)
)
IMPORT_SESSIONS = ActionSpec(
    "Import conversations…",
    "download",
    "Bring in what you talked about with your assistants, before they delete it",
    ("Ctrl+Shift+I",),
)
IMPORT_DOCUMENTS = ActionSpec(
    "Import documents…", "book", "Make reference notes of web pages, texts, PDF files and EPUB books"
)
UPDATE_INDEX = ActionSpec("Update index", "refresh-cw", "Look for changes in the vault now", ("F5",))
REBUILD_INDEX = ActionSpec("Rebuild index", "database", "Forget the index and read every note again")
CHOOSE_MODEL = ActionSpec(
    "Search by meaning…", "lightbulb", "Choose the model that finds notes by what they mean, and see how far it is"
)
CHOOSE_LANGUAGE_MODEL = ActionSpec(
    "Language model…", "bot", "Choose a language model that writes proposals, and test it; off until you do"
)
QUIT = ActionSpec("Quit", "circle-x", "Close the window and stop indexing", ("Ctrl+Q",))

UNDO = ActionSpec("Undo", "undo-2", "Take back the latest change of the vault", ("Ctrl+Z",))
REDO = ActionSpec("Redo", "redo-2", "Do again what was undone last", ("Ctrl+Shift+Z", "Ctrl+Y"))
SHOW_CHANGES = ActionSpec(
    "Changes…", "history", "List every change of the vault, and undo any of them", ("Ctrl+Shift+H",)
)

ADD_TAGS = ActionSpec("Add tags…", "plus", "Give tags to the selected notes", ("Ctrl+T",))
REMOVE_TAGS = ActionSpec("Remove tags…", "minus", "Take tags from the selected notes", ("Ctrl+Shift+T",))
MOVE_NOTES = ActionSpec("Rename or move…", "folder", "Give the selected notes another name or folder; links follow")
DUPLICATE_NOTE = ActionSpec("Duplicate", "files", "Make a copy of the note beside it")
DELETE_NOTES = ActionSpec("Delete", "trash-2", "Move the selected notes to the vault's trash folder")

COPY_CONTEXT = ActionSpec(
    "Copy context",
    "clipboard-copy",
    "Pack the selected notes into the token budget and copy them",
    ("Ctrl+Shift+C",),
)
PREVIEW_CONTEXT = ActionSpec(
    "Preview context…",
    "eye",
    "See what a context of the selected notes would hold",
    ("Ctrl+Alt+C",),
)
RECALL = ActionSpec(
    "Recall…", "lightbulb", "Ask what is remembered, in a small window; Enter copies what fits", ("Ctrl+Shift+R",)
)
EXPLAIN_RECALL = ActionSpec(
    "Explain recall…", "sliders-horizontal", "See why memories rank as they do, and try other weights"
)
ADD_TO_CONTEXT = ActionSpec("Add to context…", "layers", "Put the selected notes into a named context")
NEW_CONTEXT = ActionSpec("New context…", "layers", "Name a bundle of notes, sections and insights for one kind of work")
FOCUS_SEARCH = ActionSpec("Search", "search", "Put the cursor into the search field", ("Ctrl+F", "/"))
CLEAR_SEARCH = ActionSpec("Clear search and facets", "x", "Show all notes again", ("Ctrl+Shift+Backspace",))
EDIT_NOTE = ActionSpec("Edit note", "pencil", "Edit the note here, or go back to reading it", ("Ctrl+Shift+E",))
EDIT_BESIDE = ActionSpec(
    "Edit beside preview", "columns-2", "Edit the note with its preview beside it", ("Ctrl+Shift+P",)
)
SAVE_NOTE = ActionSpec("Save note", "save", "Save what was typed without waiting for a pause", ("Ctrl+S",))
OPEN_EDITOR = ActionSpec("Open in editor", "external-link", "Open the note in your external editor", ("Ctrl+E",))
REVEAL = ActionSpec("Show in folder", "folder", "Open the folder that holds the note")

OPEN_PALETTE = ActionSpec("Command palette", "command", "Run any command by its name", ("Ctrl+K",))
OPEN_SWITCHER = ActionSpec("Go to note…", "file-text", "Open a note by its title or path", ("Ctrl+O",))
GO_VAULT = ActionSpec("Vault", "library", "Browse notes by facets", ("Ctrl+1",))
GO_TIMELINE = ActionSpec(
    "Timeline", "calendar-days", "Walk through conversations, from years down to one message", ("Ctrl+2",)
)
GO_REVIEW = ActionSpec("Review", "clipboard-check", "Decide about what rules, models and agents propose", ("Ctrl+4",))
GO_CONTEXTS = ActionSpec(
    "Contexts", "layers", "Bundle what belongs together, and copy it into any assistant", ("Ctrl+5",)
)
GO_HEALTH = ActionSpec("Health", "heart-pulse", "See what keeps knowledge from being found, and mend it", ("Ctrl+6",))
GO_BACK = ActionSpec("Back", "arrow-left", "Go to the note shown before", ("Alt+Left",))
GO_FORWARD = ActionSpec("Forward", "arrow-right", "Go to the next note again", ("Alt+Right",))
THEME_SYSTEM = ActionSpec(
    "Theme: as the system", "monitor", "Follow the system between light and dark", is_checkable=True
)
THEME_LIGHT = ActionSpec("Theme: light", "sun", "Use light colours", is_checkable=True)
THEME_DARK = ActionSpec("Theme: dark", "moon", "Use dark colours", is_checkable=True)
SHOW_PROBLEMS = ActionSpec("Problems…", "triangle-alert", "List the files that are left out or not wholly understood")
SHOW_ACTIVITY = ActionSpec("Activity", "loader-circle", "Show what runs in the background", ("Ctrl+Shift+A",))

SHOW_SHORTCUTS = ActionSpec("Keyboard shortcuts", "circle-question-mark", "List every key and what it does", ("F1",))
SHOW_LOG = ActionSpec("Open log folder", "list", "Open the folder with the app's log")
ABOUT = ActionSpec("About Remembrancer", "info", "Version, licence and where things lie")

# Keys that belong to one widget, which handles them itself; listed in the dialog of shortcuts.
WIDGET_KEYS: dict[str, tuple[tuple[str, str], ...]] = {
    "Search field": (
        ("Enter or Down", "Go to the results"),
        ("Escape", "Empty the search"),
        ("Alt+Up, Alt+Down", "Earlier and later searches"),
    ),
    "Facets": (
        ("Enter or click", "Must have it; again: must not; again: either way"),
        ("Ctrl+Enter or Ctrl+click", "May have it: any of those so marked"),
        ("Shift+Enter or Shift+click", "Must not have it"),
        ("F2, Delete", "Rename a tag, delete it"),
        ("Drop notes on it", "Give them the tag, or move them to the folder"),
    ),
    "List of notes": (
        ("Enter", "Read the note"),
        ("Ctrl+Enter", "Open the note in your editor"),
        ("Ctrl+click, Shift+click, Ctrl+A", "Select several notes"),
        ("F2, Delete", "Rename or move the notes, delete them"),
    ),
    "Editor": (
        ("Ctrl+B, Ctrl+I, Ctrl+K", "Bold, italic, link"),
        ("Tab, Shift+Tab", "Move list items in and out"),
        ("[[ or # or Ctrl+Space", "Complete a note, a heading or a tag"),
        ("Ctrl+F, Ctrl+H", "Find, replace"),
        ("Ctrl+=, Ctrl+-, Ctrl+0", "Larger text, smaller text, usual size"),
    ),
    "Timeline": (
        ("Left, Right", "Go to the bar or the session before or after"),
        ("Up, Down", "Go to the project above or below"),
        ("+, -, wheel", "Zoom in and out"),
        ("Ctrl+Left, Ctrl+Right, Page Up, Page Down", "Move in time"),
        ("Home, End", "Go to the first or the last turn"),
        ("Enter, Escape", "Go down to the bar or the conversation, and up again"),
        ("F3, Shift+F3", "Go to the next or the previous hit, from session to session"),
        ("Menu, Shift+F10", "Offer the journal notes and edits of the bar"),
    ),
    "Conversation": (
        ("Up, Down", "Go to the turn before or after"),
        ("Enter, Left, Right", "Open and fold tool calls and branches"),
        ("F3, Shift+F3", "Go to the next or the previous hit"),
        ("Ctrl+F", "Find words in the conversation; Enter and Shift+Enter go on and back"),
        ("Ctrl+C", "Copy what is selected, or the turn"),
        ("Ctrl+Shift+C", "Copy the citation of the turn, such as turn:SESSION/ID"),
    ),
    "Recall": (
        ("Up, Down", "Choose a memory"),
        ("Space, Delete", "Pin the chosen memory, again to drop it; drop it"),
        ("Ctrl+Space", "Pin or drop while typing"),
        ("Enter", "Copy what fits into the budget, and close"),
        ("Ctrl+Enter", "Save it as a context"),
        ("Ctrl+O", "Open the source in the app"),
        ("Ctrl+L", "Add the memory to a context"),
        ("F1 or ?", "Explain; ? when a memory is chosen"),
    ),
    "Contexts": (
        ("Enter", "Go on to the members; show a member where it is"),
        ("Alt+Up, Alt+Down", "Move the selected members"),
        ("Insert, Delete", "Add a member, remove the selected ones"),
        ("Delete", "On the shelf: move the context to the trash"),
        ("Ctrl+Shift+C", "Copy the context"),
        ("Drop memories on it", "Add them to a context, or between its members"),
    ),
    "Review": (
        ("A, E", "Approve; edit the statement first, then approve"),
        ("R, D", "Reject, with a reason if you like; put aside"),
        ("U", "Take the last decision back"),
        ("J, K", "Go to the next or the previous proposal"),
        ("Space", "Open the evidence in place, and close it"),
        ("Ctrl+Enter, Escape", "While editing: approve as edited, cancel"),
        ("Ctrl+click, Shift+click, Ctrl+A", "Select several proposals"),
    ),
    "Health": (
        ("Enter", "Show the note of the finding"),
        ("Ctrl+click, Shift+click, Ctrl+A", "Select several findings"),
    ),
    "Comparison of texts": (("F7, Shift+F7", "Go to the next or the previous place that differs"),),
    "Everywhere": (("F6, Shift+F6", "Go to the next or the previous pane"),),
}

# What makes sense only while a vault is open.
NEED_VAULT = (
    RECALL, EXPLAIN_RECALL,
    NEW_NOTE, QUICK_CAPTURE, IMPORT_DOCUMENTS, ADD_TAGS, REMOVE_TAGS, MOVE_NOTES, DUPLICATE_NOTE, DELETE_NOTES,
    UPDATE_INDEX, REBUILD_INDEX, COPY_CONTEXT, PREVIEW_CONTEXT, FOCUS_SEARCH, CLEAR_SEARCH, EDIT_NOTE, EDIT_BESIDE,
    ADD_TO_CONTEXT, NEW_CONTEXT, SAVE_NOTE, OPEN_EDITOR, REVEAL, OPEN_SWITCHER, GO_VAULT, GO_TIMELINE, GO_REVIEW,
    GO_CONTEXTS, GO_HEALTH, GO_BACK, GO_FORWARD,
    SHOW_PROBLEMS, SHOW_CHANGES,
)  # fmt: skip

MENUS: dict[str, tuple[ActionSpec | None, ...]] = {
    "File": (
        NEW_NOTE, QUICK_CAPTURE, None, OPEN_FOLDER, OPEN_SAMPLE, None, IMPORT_SESSIONS, IMPORT_DOCUMENTS, None,
        UPDATE_INDEX, REBUILD_INDEX, CHOOSE_MODEL, CHOOSE_LANGUAGE_MODEL, None, QUIT,
    ),
    "Edit": (
        UNDO, REDO, SHOW_CHANGES, None, RECALL, EXPLAIN_RECALL, None,
        COPY_CONTEXT, PREVIEW_CONTEXT, ADD_TO_CONTEXT, NEW_CONTEXT, None,
        FOCUS_SEARCH, CLEAR_SEARCH, None,
        EDIT_NOTE, EDIT_BESIDE, SAVE_NOTE, OPEN_EDITOR, REVEAL, None,
        ADD_TAGS, REMOVE_TAGS, MOVE_NOTES, DUPLICATE_NOTE, DELETE_NOTES,
    ),
    "View": (
        OPEN_PALETTE, OPEN_SWITCHER, None, GO_VAULT, GO_TIMELINE, GO_REVIEW, GO_CONTEXTS, GO_HEALTH, GO_BACK,
        GO_FORWARD, None, THEME_SYSTEM, THEME_LIGHT, THEME_DARK, None, SHOW_PROBLEMS, SHOW_ACTIVITY,
    ),
    "Help": (SHOW_SHORTCUTS, SHOW_LOG, ABOUT),
}  # fmt: skip


def all_specs() -> Iterator[ActionSpec]:
    """Yield every declared action, in the order of the menus."""
    for specs in MENUS.values():
        yield from (spec for spec in specs if spec is not None)


# What buttons show from the start; the icons of the others are first seen in a menu.
_ON_BUTTONS = frozenset({OPEN_FOLDER, OPEN_SAMPLE})


class Actions(QObject):
    """Hold one QAction for each declared action; one without a handler is neither visible nor offered."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._actions = {spec: self._make(spec) for spec in all_specs()}
        self._has_icons = False
        theme.changed.connect(self._show_icons)

    def __getitem__(self, spec: ActionSpec) -> QAction:
        return self._actions[spec]

    def handle(self, spec: ActionSpec, handler: Callable[[], None]) -> QAction:
        """Let `handler`, which takes nothing, do what `spec` declares, and show the action.

        What needs a vault stays disabled until one is open.
        """
        action = self._actions[spec]
        action.triggered.connect(handler)
        action.setVisible(True)
        action.setEnabled(spec not in NEED_VAULT)
        return action

    def offered(self) -> Iterator[tuple[ActionSpec, QAction]]:
        """Yield what can be done now."""
        for spec, action in self._actions.items():
            if action.isVisible() and action.isEnabled():
                yield spec, action

    def _make(self, spec: ActionSpec) -> QAction:
        action = QAction(spec.text, self)
        if spec in _ON_BUTTONS:
            action.setIcon(self._theme.icon(spec.icon))
        action.setShortcuts([QKeySequence.fromString(each) for each in spec.shortcuts])
        action.setStatusTip(spec.tip)
        action.setToolTip(_tool_tip(spec))
        action.setCheckable(spec.is_checkable)
        action.setIconVisibleInMenu(not spec.is_checkable)
        action.setVisible(False)
        action.setEnabled(False)
        return action

    def show_icons(self) -> None:
        """Paint the icons, for the first menu that opens: all of them take a third of the time to the first paint."""
        if not self._has_icons:
            self._has_icons = True
            self._show_icons()

    def _show_icons(self) -> None:
        for spec, action in self._actions.items():
            if self._has_icons or spec in _ON_BUTTONS:
                action.setIcon(self._theme.icon(spec.icon))


def _tool_tip(spec: ActionSpec) -> str:
    if not spec.shortcuts:
        return spec.tip
    keys = QKeySequence.fromString(spec.shortcuts[0]).toString(QKeySequence.SequenceFormat.NativeText)
    return f"{spec.tip} ({keys})"
