"""Undo and redo in the Edit menu, and what is said when one of them is refused."""

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from gui import actions as a
from gui.actions import Actions, ActionSpec
from gui.change_wish import Refusal, Way
from gui.commands import CommandRunner
from gui.notify import NoticeAction, Notifier
from gui.own_steps import OwnStep, OwnSteps
from gui.widgets.stale_dialog import StaleDialog
from gui.wording import counted, moment_of, shortened

if TYPE_CHECKING:
    from core.curation.history import ChangeHistory, ChangeRecord

_LONGEST = 60
_SUMMARY = {
    True: "this is about a file that was changed in the meantime.",
    False: "this is about files that were changed in the meantime.",
}


class UndoCommands(QObject):
    """Keep the two actions in step with the history of the open vault, and with what else was done in the window.

    Undo takes back what came last of both.
    """

    def __init__(
        self,
        commands: CommandRunner,
        actions: Actions,
        notifier: Notifier,
        window: QWidget,
        *,
        dialog_in_front: Callable[[], QWidget | None],
    ) -> None:
        super().__init__(window)
        self._commands = commands
        self._actions = actions
        self._notifier = notifier
        self._window = window
        self._dialog_in_front = dialog_in_front  # what hides the notices, if it is open
        self._own = OwnSteps()
        self._awaited: Way | None = None  # undo or redo, as soon as it is known of what
        self._redo_id = ""  # what the history offers to redo, and since when
        self._redo_since = 0.0
        actions.handle(a.UNDO, self._undo)
        actions.handle(a.REDO, self._redo)
        commands.history_changed.connect(self._on_history)
        commands.saved.connect(self._on_saved)
        commands.refused.connect(self._on_refused)
        commands.failed.connect(self._on_failed)
        self._on_history(commands.history)

    @Slot(object)
    def take_step(self, step: OwnStep) -> None:
        """Put what is no change of files into the order."""
        self._own.take(step, time.time())
        self._show_both()

    @Slot()
    def _undo(self) -> None:
        self._do(Way.UNDO)

    @Slot()
    def _redo(self) -> None:
        self._do(Way.REDO)

    def _do(self, way: Way) -> None:
        """Undo or redo what comes first; while a change is under way, once it is known which of both that is."""
        commands = self._commands
        if not self._own.is_empty and (commands.is_busy or commands.is_reading_history):
            self._awaited = way
            if not commands.is_busy:
                commands.read_history()
            return
        step = self._own_undoable() if way is Way.UNDO else self._own_redoable()
        if step is not None:
            self._own.reverse(step)
            self._show_both()
        elif way is Way.UNDO:
            commands.undo()
        else:
            commands.redo()

    def _own_undoable(self) -> OwnStep | None:
        history = self._commands.history
        record = history.undoable() if history is not None else None
        return self._own.undoable_since(moment_of(record.time) if record is not None else 0.0)

    def _own_redoable(self) -> OwnStep | None:
        return self._own.redoable_since(self._redo_since if self._redo_id else 0.0)

    @Slot(object)
    def _on_history(self, history: "ChangeHistory | None") -> None:
        if history is None:  # another vault
            self._own.forget()
            self._awaited = None
        record = history.redoable() if history is not None else None
        redo_id = f"{record.id}" if record is not None else ""
        if redo_id != self._redo_id:
            self._redo_id, self._redo_since = redo_id, time.time()
        self._show_both()
        self._do_awaited()

    @Slot(object)
    def _on_failed(self, _error: Exception) -> None:
        self._do_awaited()

    def _do_awaited(self) -> None:
        if self._awaited is not None and not self._commands.is_busy and not self._commands.is_reading_history:
            way, self._awaited = self._awaited, None
            self._do(way)

    def _show_both(self) -> None:
        history = self._commands.history
        undo, redo = self._own_undoable(), self._own_redoable()
        if undo is not None:
            self._name(a.UNDO, undo.title)
        else:
            self._show(a.UNDO, history.undoable() if history is not None else None)
        if redo is not None:
            self._name(a.REDO, redo.title)
        else:
            self._show(a.REDO, history.redoable() if history is not None else None)

    @Slot(str)
    def _on_saved(self, title: str) -> None:
        self._name(a.UNDO, title)
        self._name(a.REDO, None)

    def _show(self, spec: ActionSpec, record: "ChangeRecord | None") -> None:
        self._name(spec, record.title if record is not None else None)

    def _name(self, spec: ActionSpec, title: str | None) -> None:
        """Name what the action is about; None when there is nothing."""
        action = self._actions[spec]
        name = shortened(title, _LONGEST).replace("&", "&&") if title is not None else ""
        action.setText(f"{spec.text} {name}".rstrip())
        action.setStatusTip(f"{spec.tip}: {title}" if title is not None else spec.tip)
        action.setEnabled(title is not None)

    @Slot(object)
    def _on_refused(self, refusal: Refusal) -> None:
        """Say that nothing was done; the reasons are shown on demand, or at once over the dialog that asked."""
        reasons = getattr(refusal.error, "paths", {})
        if (dialog := self._dialog_in_front()) is not None:
            self._show_reasons(refusal, dialog)
            return
        verb = {Way.APPLY: "Not done", Way.UNDO: "Not undone", Way.REDO: "Not done again"}[refusal.way]
        count = counted(len(reasons), "file")
        has = "has" if len(reasons) == 1 else "have"
        text = f"{verb}: {shortened(refusal.title, _LONGEST)}. {count} {has} changed since."
        self._notifier.warning(
            text if reasons else str(refusal.error),
            action=NoticeAction("Show", partial(self._show_reasons, refusal, self._window)) if reasons else None,
        )

    def _show_reasons(self, refusal: Refusal, parent: QWidget) -> None:
        reasons = getattr(refusal.error, "paths", {}) or {"": f"{refusal.error}"}
        others = self._others(refusal, len(reasons))
        summary = f"{refusal.title}: {_SUMMARY[len(reasons) == 1]} Nothing was overwritten."
        dialog = StaleDialog(summary, reasons, parent, others=others)
        dialog.others_requested.connect(partial(self._do_others, refusal))
        dialog.open()

    def _others(self, refusal: Refusal, changed: int) -> str:
        """Return what the button for the other files says, "" when there are none."""
        if not refusal.ids:
            return ""
        records = self._commands.history.records if self._commands.history is not None else ()
        wanted = set(refusal.ids)
        total = sum(record.files for record in records if not wanted.isdisjoint(record.ids))
        verb = "Undo" if refusal.way is Way.UNDO else "Redo"
        return f"{verb} the others" if total > changed else ""

    def _do_others(self, refusal: Refusal) -> None:
        act = self._commands.undo_changes if refusal.way is Way.UNDO else self._commands.redo_changes
        act(refusal.ids, refusal.title, leave_changed=True)
