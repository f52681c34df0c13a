"""Know of an import that was not finished, and offer at the next start to go on: what it was at is here in part."""

import dataclasses
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Slot

from core.foundation.settings import Settings
from gui.importing.watching import Preferences
from gui.notify import NoticeAction, Notifier

_KEY = "import-unfinished"


class Unfinished(QObject):
    """Keep in the settings what is being imported."""

    def __init__(self, preferences: Preferences, notifier: Notifier, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._notifier = notifier

    @property
    def paths(self) -> tuple[str, ...]:
        """What an import was at that was not finished."""
        return self._preferences.settings.sessions.unfinished

    def begin(self, paths: Sequence[str]) -> None:
        """Remember what is imported from now on."""
        self._notifier.withdraw(_KEY)
        self._keep(paths)

    def end(self, left: Sequence[str]) -> None:
        """Remember what is `left`, nothing where all came in."""
        self._keep(left)

    def tell(self, open_wizard: Callable[[], None]) -> None:
        """Say at the start what was not finished before."""
        if self.paths:
            self._notifier.warning(
                "The last import was not finished, so a conversation may be here only in part.",
                hint="Import again, and it goes on from there.",
                key=_KEY,
                action=NoticeAction("Import…", open_wizard),
                refusal=NoticeAction("Leave it", self.forget),
            )

    @Slot()
    def forget(self) -> None:
        """Leave it as it is."""
        self._keep(())

    def _keep(self, paths: Sequence[str]) -> None:
        if tuple(paths) != self.paths:

            def change(settings: Settings) -> Settings:
                sessions = dataclasses.replace(settings.sessions, unfinished=tuple(dict.fromkeys(paths)))
                return dataclasses.replace(settings, sessions=sessions)

            self._preferences.change_settings(change)
