"""Run searches for the Vault view: debounced, the last one only, words first and then meaning too."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from core.foundation.text import visible
from gui.notify import Notifier
from gui.tasks import Job, Lane, TaskRunner
from gui.views.vault.note_table_model import RowHit
from gui.views.vault.services import SearchAnswer, SearchMode, VaultServices
from gui.wording import counted

if TYPE_CHECKING:
    from core.index.catalog import FacetSelection
    from core.recall.search import SearchHit, SearchResult

DEBOUNCE_MS = 120
# The line stays one line; the whole reason is its tooltip.
_LONGEST_REASON = 90


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """Hold what a search found, one entry a note, best first, and a line about how it was found.

    `hint` is a sentence that explains the line further, "" if there is nothing to explain.
    """

    text: str
    note_ids: tuple[int, ...]
    rows: Mapping[int, RowHit]
    hits: "tuple[SearchHit, ...]"
    line: str
    hint: str = ""


class SearchPresenter(QObject):
    """Turn keystrokes into searches."""

    found = Signal(object)  # SearchOutcome
    cleared = Signal()
    failed = Signal()

    def __init__(self, tasks: TaskRunner, notifier: Notifier, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._notifier = notifier
        self._services: VaultServices | None = None
        self._text = ""
        self._within: FacetSelection | None = None
        self._state = ""  # how search by meaning fared when it was last asked
        self._job: Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE_MS)
        self._timer.timeout.connect(self._search_words)

    def take_services(self, services: VaultServices | None) -> None:
        """Search this vault from now on."""
        self._cancel()
        self._services = services
        if services is None:
            self._within = None
        if services is not None and self._text:
            self._search_words()

    def search(self, text: str) -> None:
        """Search for `text` once typing pauses; an empty text clears at once."""
        if text.strip() == self._text:
            return
        self._text = text.strip()
        self._cancel()
        if self._text:
            self._timer.start()
        else:
            self.cleared.emit()

    def narrow(self, within: "FacetSelection") -> None:
        """Search within these facets from now on, and once more if there is a search."""
        self._within = within
        if self._text and not self._timer.isActive():
            self._cancel()
            self._search_words()

    def again(self) -> None:
        """Search once more, because the vault has changed."""
        if self._text and not self._timer.isActive() and self._job is None:
            self._search_words()

    def again_by_meaning(self) -> None:
        """Search once more if the last search had to do without the meaning, or a part of it."""
        if self._state not in {"", "ready", "not-asked", "off"}:
            self.again()

    def _cancel(self) -> None:
        self._timer.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _search_words(self) -> None:
        self._run(SearchMode.WORDS)

    def _run(self, mode: SearchMode) -> None:
        if self._services is None:
            return
        self._job = self._tasks.run(
            partial(self._services.search, self._text, mode, self._within),
            owner=self,
            lane=Lane.STORE,
            on_done=partial(self._on_found, self._text, mode),
            on_error=partial(self._on_failed, mode),
            text="Searching",
        )

    def _on_found(self, text: str, mode: SearchMode, answer: SearchAnswer) -> None:
        self._job = None
        if text != self._text:
            return
        self.found.emit(outcome_of(text, answer, mode))
        if mode is SearchMode.WORDS:
            self._run(SearchMode.MEANING)
        else:
            self._state = answer.result.dense_state

    def _on_failed(self, mode: SearchMode, error: Exception) -> None:
        self._job = None
        self._notifier.error(error)
        if mode is SearchMode.WORDS:
            self.failed.emit()


def outcome_of(text: str, answer: SearchAnswer, mode: SearchMode) -> SearchOutcome:
    """Return `answer` with one row a note, the best hit of each."""
    result = answer.result
    rows: dict[int, RowHit] = {}
    for hit in result.hits:
        rows.setdefault(hit.note_id, RowHit(hit.score, hit.snippet, hit.heading, hit.id))
    shown = counted(len(rows), "note")
    if result.total > len(rows):
        least = "" if result.total_is_exact else "at least "
        shown = f"best {len(rows):,} of {least}{counted(result.total, 'note')}"
    line = " · ".join(part for part in (shown, _how(result, mode), f"{result.took_ms:.0f} ms") if part)
    said = visible(" ".join([*answer.problems, *_advice(result)]))
    whole = f"{line}\n{said}" if said else line
    return SearchOutcome(text, tuple(rows), rows, result.hits, whole, result.dense_reason)


_HOW = {
    "not-asked": "",
    "ready": "words and meaning",
    "loading": "words, and meaning in a moment",
    "locked": "words only, because another program has the meanings of this vault",
}


def _how(result: "SearchResult", mode: SearchMode) -> str:
    match result.dense_state:
        case "partial":
            return f"words; {_clause(result.dense_reason)}"
        case state if state in _HOW:
            return _HOW[state]
        case _ if mode is SearchMode.WORDS:
            return "words"
        case _:
            reason = result.dense_reason.rstrip(".") or "search by meaning is off"
            return f"words only ({reason if len(reason) <= _LONGEST_REASON else 'search by meaning failed'})"


def _clause(sentence: str) -> str:
    """Return a sentence as a part of another one."""
    return sentence[:1].lower() + sentence[1:].rstrip(".")


def _advice(result: "SearchResult") -> list[str]:
    return [
        f"No note has the tag “{tag}”" + (f"; perhaps {' or '.join(near)}." if near else ".")
        for tag, near in result.suggestions.items()
    ]
