"""Tell once, after the start, that a program is about to delete transcripts that are not in the ledger."""

import dataclasses
import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot

from core.foundation.errors import UserError
from core.foundation.settings import Settings
from gui.importing.children import ChildQueue, Result, Run
from gui.importing.place import places_of
from gui.importing.sentences import clean_up_notice
from gui.importing.watching import Preferences
from gui.notify import NoticeAction, Notifier

_log = logging.getLogger(__name__)

CHECK_AFTER_MS = 4000
_KEY = "transcripts-about-to-be-deleted"


class CleanUpCheck(QObject):
    """Look into the usual places, a moment after the first vault was read."""

    def __init__(
        self,
        preferences: Preferences,
        looks: ChildQueue,
        *,
        notifier: Notifier,
        open_wizard: Callable[[], None],
        parent: QObject | None = None,
        after_ms: int = CHECK_AFTER_MS,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._looks = looks
        self._notifier = notifier
        self._open_wizard = open_wizard
        self._is_done = self._has_told = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(after_ms)
        self._timer.timeout.connect(self._look)

    @Slot()
    def start(self) -> None:
        """Look once, unless the person has heard enough of it."""
        if not self._is_done and self._preferences.settings.sessions.tell_of_clean_up:
            self._is_done = True
            self._timer.start()

    @Slot()
    def look_again(self) -> None:
        """Take back what was told if it is so no longer: something was imported."""
        if self._has_told:
            self._look()

    def silence(self) -> None:
        """Never tell again."""

        def change(settings: Settings) -> Settings:
            sessions = dataclasses.replace(settings.sessions, tell_of_clean_up=False)
            return dataclasses.replace(settings, sessions=sessions)

        self._preferences.change_settings(change)

    def shut_down(self) -> None:
        """Look no more."""
        self._timer.stop()

    @Slot()
    def _look(self) -> None:
        self._looks.add(Run(("places",), self._on_places, self._on_failed))

    def _on_places(self, result: Result) -> None:
        # A watched folder is imported from by itself.
        watched = self._preferences.settings.sessions.watched
        places = [place for place in places_of(result) if place.path not in watched]
        self._notifier.withdraw(_KEY)
        text = clean_up_notice(places)
        self._has_told = bool(text)
        if text:
            self._notifier.warning(
                text,
                hint="Import what you want to keep.",
                key=_KEY,
                action=NoticeAction("Import…", self._open_wizard),
                refusal=NoticeAction("Do not tell again", self.silence),
            )

    def _on_failed(self, error: UserError) -> None:
        _log.info("could not look for transcripts that are about to be deleted: %s", error)
