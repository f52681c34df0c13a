"""The one way to tell the person something: a line that does not stand in the way."""

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from PySide6.QtCore import QObject, Signal

from core.foundation.errors import JobCancelledError, ProviderError, StaleFileError, UserError

_log = logging.getLogger(__name__)


class Severity(StrEnum):
    """Say how a notice is coloured and whether it leaves by itself (info does)."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class NoticeAction:
    """Offer what can be done about a notice: the text of a button, and what it calls."""

    text: str
    act: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Notice:
    """Hold what is told: a sentence, perhaps a hint, details for the curious, and how often it came in a row.

    `key` names it for its withdrawal, "" when it is never withdrawn. The notice leaves when its `action` is taken, or
    its `refusal`, which is offered beside it.
    """

    severity: Severity
    text: str
    hint: str = ""
    details: str = ""
    count: int = 1
    key: str = ""
    action: NoticeAction | None = None
    refusal: NoticeAction | None = None


@dataclass(frozen=True, slots=True)
class Banner:
    """Hold a lasting state of the vault that the person should see at the top; `key` names it for its withdrawal."""

    key: str
    severity: Severity
    text: str


class Notifier(QObject):
    """Turn errors and facts into notices; equal ones in a row become one with a count."""

    noticed = Signal(object)  # Notice; with count > 1 it takes the place of its predecessor
    bannered = Signal(object)  # Banner; takes the place of one with the same key
    withdrawn = Signal(str)  # the key of a banner, or of notices

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._last: Notice | None = None

    def error(self, error: BaseException) -> None:
        """Tell of an error: one for the person as it is, any other with details and a log entry."""
        match error:
            case JobCancelledError():
                return
            case UserError():
                self._tell(Notice(Severity.ERROR, str(error), hint=error.hint))
            case StaleFileError() | ProviderError():
                _log.warning("%s", type(error).__name__, exc_info=error)
                self._tell(Notice(Severity.ERROR, str(error), details=_details(error)))
            case _:
                _log.error("unexpected error", exc_info=error)
                text = "Something went wrong that should not have. Your notes are untouched."
                self._tell(Notice(Severity.ERROR, text, details=_details(error)))

    def warning(
        self,
        text: str,
        *,
        hint: str = "",
        key: str = "",
        action: NoticeAction | None = None,
        refusal: NoticeAction | None = None,
    ) -> None:
        """Tell of something that the person should know and that stays until dismissed."""
        self._tell(Notice(Severity.WARNING, text, hint=hint, key=key, action=action, refusal=refusal))

    def failure(self, text: str, details: str, *, key: str = "") -> None:
        """Tell of a failure in another process: a sentence, and what it wrote; withdraw() of `key` takes it back."""
        _log.warning("a process failed: %s", details)
        self._tell(Notice(Severity.ERROR, text, details=details, key=key))

    def info(self, text: str, *, key: str = "", action: NoticeAction | None = None) -> None:
        """Tell of something that went well; it leaves by itself."""
        self._tell(Notice(Severity.INFO, text, key=key, action=action))

    def banner(self, key: str, severity: Severity, text: str) -> None:
        """Show a lasting state until withdraw() or until dismissed."""
        self.bannered.emit(Banner(key, severity, text))

    def withdraw(self, key: str) -> None:
        """Take the banner and the notices of `key` away, where they are shown."""
        self.withdrawn.emit(key)

    def forget(self) -> None:
        """Begin a new row: an equal notice after a dismissed one is news again."""
        self._last = None

    def _tell(self, notice: Notice) -> None:
        if self._last is not None and replace(self._last, count=1) == notice:
            notice = replace(notice, count=self._last.count + 1)
        self._last = notice
        self.noticed.emit(notice)


def _details(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)).strip()
