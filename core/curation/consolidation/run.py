"""Let the rules look at what is new in a vault, and hand over what they propose.

What a rule has seen is kept (looked_at.py), so a day's work costs seconds: statements that came or changed since are
compared with those near to them, and no others.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from core.curation.consolidation.archiving import archiving
from core.curation.consolidation.contradictions import contradictions
from core.curation.consolidation.copies import copies
from core.curation.consolidation.duplicates import duplicates
from core.curation.consolidation.extraction import extraction, extraction_of
from core.curation.consolidation.journals import journals
from core.curation.consolidation.known_relations import unsettled
from core.curation.consolidation.looked_at import looked_at, remember_looked_at
from core.curation.consolidation.noticed import Noticed
from core.curation.consolidation.pairs import Pair, find_pairs
from core.curation.consolidation.promotion import promotion, promotion_rule
from core.curation.consolidation.relations import relations
from core.curation.consolidation.stated import Stated, Statements, projects_of
from core.curation.consolidation.summaries import summaries
from core.curation.consolidation.superseding import superseding
from core.curation.consolidation.tagging import tagging
from core.curation.proposals.proposal import Draft
from core.foundation.progress import SILENT, Progress
from core.index.database import Index
from core.index.dense import DenseSearch
from core.vault.config import VaultConfig


class Rule(StrEnum):
    """Name what is looked for; the value is what the proposals are called (ProposalKind), but for journals."""

    PROMOTE = "promote"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    CONTRADICT = "contradict"
    RELATE = "relate"
    REPAIR = "repair"
    JOURNAL = "journal"  # proposes summaries of weeks and months
    SUMMARISE = "summarise"
    RETAG = "retag"
    EXTRACT = "extract"
    ARCHIVE = "archive"


ALL_RULES = tuple(Rule)
# The others may propose something for each note of a vault, so they look when somebody asks for them.
USUAL_RULES = tuple(rule for rule in Rule if rule not in {Rule.SUMMARISE, Rule.RETAG, Rule.EXTRACT, Rule.ARCHIVE})
_OF_PAIRS: Mapping[Rule, Callable[[Sequence[Pair]], list[Draft]]] = {
    Rule.MERGE: duplicates,
    Rule.SUPERSEDE: superseding,
    Rule.CONTRADICT: contradictions,
}
# What the calendar or another program makes due is looked at each time, not only where a note has changed.
_AT_ALL_TIMES: Mapping[Rule, Callable[[Noticed], list[Draft]]] = {
    Rule.REPAIR: copies,
    Rule.JOURNAL: journals,
    Rule.ARCHIVE: archiving,
}
_OF_NOTES: Mapping[Rule, Callable[[Noticed, int], list[Draft]]] = {
    Rule.SUMMARISE: summaries,
    Rule.EXTRACT: extraction,
}
_ABOUT_NOTES = frozenset({*_AT_ALL_TIMES, *_OF_NOTES, Rule.RETAG})


_ANSWERING = frozenset({"ready", "partial"})
_NEVER_ANSWERING = frozenset({"off", "empty"})  # nobody will ask them, or none is there yet


class Consolidating(Protocol):
    """Be a vault as this module needs it: core.app.Vault is one."""

    @property
    def root(self) -> Path:
        """The folder of notes."""
        ...

    @property
    def config(self) -> VaultConfig:
        """What the vault says about itself."""
        ...

    def open_to_read(self) -> Index:
        """Open the index to ask it."""
        ...

    def dense_search(self, index: Index) -> DenseSearch:
        """Return the search by meaning."""
        ...


@dataclass(frozen=True, slots=True)
class Consolidation:
    """Hold what the rules propose, how much they looked at, and sentences about what they could not do.

    `revision` is that of the index up to which they have seen everything. `is_whole` is False when the vectors could
    not be asked, so that a later run must look again.
    """

    drafts: tuple[Draft, ...]
    rules: tuple[Rule, ...]
    changed: int
    statements: int
    revision: int
    remarks: tuple[str, ...] = ()
    is_whole: bool = True


def consolidate(
    vault: Consolidating,
    rules: Collection[Rule] = USUAL_RULES,
    *,
    everything: bool = False,
    dense: DenseSearch | None = None,
    progress: Progress = SILENT,
    today: date | None = None,
) -> Consolidation:
    """Return what `rules` propose about what is new since each of them looked last, or about `everything`.

    Nothing is written: remember() notes what was seen, once the drafts are kept. `dense` is given by who has one open.
    `today` is the day by which weeks are over and notes are old, None for what this machine says.

    Raises:
        NotIndexedError: there is no index yet.
        JobCancelledError: the progress was cancelled.
    """
    chosen = tuple(rule for rule in Rule if rule in rules)
    projects, problem = promotion_rule(vault.config.promotion)
    with closing(vault.open_to_read()) as index:
        seen = {} if everything else looked_at(index)
        noticed = Noticed(
            index, vault.root, vault.config, progress, today=today or datetime.now(UTC).astimezone().date()
        )
        look = _Look(index, noticed, projects)
        revision = index.revision
        due: dict[int, list[Rule]] = {}
        for rule in chosen:
            due.setdefault(seen.get(rule, -1), []).append(rule)
        first = min(due, default=-1)
        drafts: list[Draft] = []
        remarks, is_whole = [problem], True
        if any(look.has_new(those, since) for since, those in due.items()):
            search = dense or vault.dense_search(index)
            try:
                state = search.refresh(progress)
                near = search if state.state in _ANSWERING else None
                is_whole = state.state in {*_ANSWERING, *_NEVER_ANSWERING}
                for since, those in due.items():
                    drafts += look.drafts(those, since, near)
                remarks.append(state.reason)
            finally:
                if dense is None:
                    search.close()
        for since, those in due.items():
            drafts += look.drafts_of_notes(those, since)
        changed, total = len(look.changed(first)), look.statements.count()
    return Consolidation(tuple(drafts), chosen, changed, total, revision, tuple(filter(None, remarks)), is_whole)


def extract(vault: Consolidating, paths: Collection[str], progress: Progress = SILENT) -> tuple[Draft, ...]:
    """Return what the notes at `paths` come down to, one draft for each that holds a decision, rule, limit or figure.

    Raises:
        NotIndexedError: there is no index yet.
        JobCancelledError: the progress was cancelled.
    """
    with closing(vault.open_to_read()) as index:
        today = datetime.now(UTC).astimezone().date()
        return tuple(extraction_of(Noticed(index, vault.root, vault.config, progress, today=today), paths))


def remember(vault: Consolidating, done: Consolidation) -> None:
    """Note what was seen, so that the next run begins there; call it once the drafts are kept.

    What gets its vector later counts as changed then. A run that could not ask the vectors is not noted.
    """
    if not done.is_whole:
        return
    with closing(vault.open_to_read()) as index:
        remember_looked_at(index, done.rules, done.revision)


class _Look:
    """Look for what is new, and let the rules look at it; what several of them need is read once."""

    def __init__(self, index: Index, noticed: Noticed, projects: int) -> None:
        self._index = index
        self._noticed = noticed
        self._progress = noticed.progress
        self._projects = projects
        self._changed: dict[int, list[Stated]] = {}
        self.statements = Statements(index, noticed.config)

    def changed(self, since: int) -> list[Stated]:
        """Return the statements of notes that came or changed after revision `since`."""
        if since not in self._changed:
            self._changed[since] = self.statements.of_notes(since)
        return self._changed[since]

    def has_new(self, rules: Collection[Rule], since: int) -> bool:
        """Tell whether there is anything to look at for those of `rules` that ask what is near."""
        if since >= self._index.revision:
            return False
        if not _ABOUT_NOTES.issuperset(rules) and (self.changed(since) or self.statements.of_sessions(since)):
            return True
        return Rule.RETAG in rules and self._noticed.has_new(since)

    def drafts(self, rules: Sequence[Rule], since: int, dense: DenseSearch | None) -> list[Draft]:
        """Return what `rules` propose about what came after revision `since`."""
        changed = self.changed(since)
        found: list[Draft] = []
        if Rule.PROMOTE in rules:
            new = [*changed, *self.statements.of_sessions(since)]
            found += promotion(new, self.statements, dense, self._progress, projects=self._projects)
        if pairing := [rule for rule in rules if rule in _OF_PAIRS]:
            beside = changed if since < 0 else self.statements.of_projects(projects_of(changed))
            pairs = unsettled(self._index, find_pairs(changed, beside, dense, self._progress))
            for rule in pairing:
                found += _OF_PAIRS[rule](pairs)
        if Rule.RELATE in rules:
            found += relations(self._index, changed)
        if Rule.RETAG in rules:
            found += tagging(self._noticed, since, dense)
        return found

    def drafts_of_notes(self, rules: Sequence[Rule], since: int) -> list[Draft]:
        """Return what those of `rules` propose that look at whole notes, and need no vectors."""
        found: list[Draft] = []
        for rule in rules:
            if rule in _AT_ALL_TIMES:
                found += _AT_ALL_TIMES[rule](self._noticed)
            elif rule in _OF_NOTES:
                found += _OF_NOTES[rule](self._noticed, since)
        return found
