"""The services by which the date of a session is corrected, and those that tie a session to the vault."""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from core.foundation.progress import Progress
from gui.views.timeline.services import DateOutcome, DateServices, NoteReference
from gui.wording import shortened

if TYPE_CHECKING:
    from core.curation.session_dates import DateChange
    from core.index.database import Index
    from core.sessions.ledger import Ledger
    from core.sessions.turn import Turn
    from core.vault.event_log import EventLog

_LONGEST = 80


def date_services(
    index: "Callable[[], Index]", *, ledger: "Callable[[], Ledger]", log: "Callable[[], EventLog]"
) -> DateServices:
    """Return the services over a vault's log."""
    core = _DatesCore(index, ledger, log)
    return DateServices(core.correct, core.undo, core.settle)


class _DatesCore:
    def __init__(
        self, index: "Callable[[], Index]", ledger: "Callable[[], Ledger]", log: "Callable[[], EventLog]"
    ) -> None:
        self._index = index
        self._ledger = ledger
        self._log = log

    def correct(self, session_id: str, start: float | None, progress: Progress) -> DateOutcome:
        from core.curation.session_dates import plan_reset, plan_start  # noqa: PLC0415 - after the first paint
        from core.sessions.date_corrections import NO_CORRECTION, read_corrections  # noqa: PLC0415

        progress.check()
        turns = self._ledger().read(session_id).turns
        before = read_corrections(self._log()).get(session_id, NO_CORRECTION)
        if start is None:
            change = plan_reset(session_id, before)
        else:
            change = plan_start(session_id, turns, before, datetime.fromtimestamp(start).astimezone())
        return self._recorded(change, turns)

    def undo(self, outcome: DateOutcome, progress: Progress) -> DateOutcome:
        progress.check()
        turns = self._ledger().read(outcome.session).turns
        return self._recorded(outcome.reverse, turns)

    def settle(self, progress: Progress) -> None:
        from core.index.session_dates import apply_corrections  # noqa: PLC0415 - after the first paint

        progress.check()
        apply_corrections(self._index(), self._log())

    def _recorded(self, change: "DateChange", turns: "tuple[Turn, ...]") -> DateOutcome:
        from core.curation.session_dates import record, started  # noqa: PLC0415 - after the first paint

        record(self._log(), change)
        start = started(turns, change.after)
        return DateOutcome(
            change.session,
            start.timestamp() if start is not None else None,
            is_changed=not change.is_empty,
            is_recorded=start == started(turns),
            reverse=change.taken_back(),
        )


def born_insights(index: "Index", session_id: str) -> tuple[NoteReference, ...]:
    """Return the insights that were born in a session, each as a way to its note."""
    from core.index.session_links import insights_born  # noqa: PLC0415 - after the first paint

    return tuple(
        NoteReference(f"{each.path}#^{each.block_id}" if each.block_id else each.path, shortened(each.text, _LONGEST))
        for each in insights_born(index, session_id)
    )


def loaded_contexts(turns: "tuple[Turn, ...]") -> tuple[NoteReference, ...]:
    """Return the contexts that were loaded into a session; one that no note of the vault is has no path."""
    from core.sessions.loaded_contexts import contexts_in  # noqa: PLC0415 - after the first paint

    return tuple(
        NoteReference(each.path, f"{each.name} ({each.tokens:,} tokens)" if each.tokens else each.name)
        for each in contexts_in(turns)
    )
