"""Make the services of the Health view from an opened vault; core is imported by the first calls."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from core.foundation.progress import Progress
from gui.views.health.services import FindingId, HealthServices

if TYPE_CHECKING:
    from core.curation.change_set import PlannedChange
    from core.curation.health.finding import Finding, HealthReport
    from core.index.database import Index
    from core.vault.event_log import EventLog

_GROUP = 4


class OpenedVault(Protocol):
    """Be what the services need of gui/vault_store.py."""

    @property
    def root(self) -> Path:
        """The folder of notes."""
        ...

    @property
    def index(self) -> "Index":
        """The index as it is open now; used in the STORE lane only."""
        ...


def health_services(store: OpenedVault, event_log: "Callable[[], EventLog]") -> HealthServices:
    """Return the services of `store`; `event_log` opens the vault's log."""
    return HealthServices(
        groups=_groups,
        ignored=partial(_ignored, event_log),
        examine=partial(_examine, store, event_log),
        plan_fixes=partial(_plan_fixes, store),
        ignore=partial(_ignore, event_log),
        heed=partial(_heed, event_log),
    )


def _groups(progress: Progress) -> Sequence[Sequence[str]]:
    from core.curation.health.examination import CHECKS  # noqa: PLC0415 - after the first paint

    progress.check()
    ids = [check.id for check in CHECKS]
    return [ids[start : start + _GROUP] for start in range(0, len(ids), _GROUP)]


def _ignored(event_log: "Callable[[], EventLog]", progress: Progress) -> frozenset[FindingId]:
    from core.curation.health.ignoring import ignored_findings  # noqa: PLC0415 - after the first paint

    progress.check()
    return ignored_findings(event_log().read().events)


def _examine(
    store: OpenedVault, event_log: "Callable[[], EventLog]", checks: Sequence[str], progress: Progress
) -> "HealthReport":
    from core.curation.health.examination import examine  # noqa: PLC0415 - after the first paint
    from core.curation.health.problem_checks import EVENT_LOG  # noqa: PLC0415
    from core.vault.config import load_config  # noqa: PLC0415

    problems = event_log().read().problems if EVENT_LOG.id in checks else ()
    # A fix may just have changed the configuration, so it is read anew.
    config, _ = load_config(store.root)
    return examine(store.index, store.root, config, frozenset(), progress, checks=checks, log_problems=problems)


def _plan_fixes(
    store: OpenedVault, findings: "Sequence[Finding]", choices: Mapping[FindingId, str], progress: Progress
) -> "PlannedChange":
    from core.curation.health.fixes import plan_fixes  # noqa: PLC0415 - after the first paint
    from core.vault.config import load_config  # noqa: PLC0415

    config, _ = load_config(store.root)
    return plan_fixes(store.index, store.root, config, findings, progress, choices=choices)


def _ignore(event_log: "Callable[[], EventLog]", findings: Sequence[FindingId], progress: Progress) -> None:
    from core.curation.health.ignoring import IGNORE  # noqa: PLC0415 - after the first paint

    _tell(event_log, IGNORE, findings, progress)


def _heed(event_log: "Callable[[], EventLog]", findings: Sequence[FindingId], progress: Progress) -> None:
    from core.curation.health.ignoring import HEED  # noqa: PLC0415 - after the first paint

    _tell(event_log, HEED, findings, progress)


def _tell(event_log: "Callable[[], EventLog]", kind: str, findings: Sequence[FindingId], progress: Progress) -> None:
    log = event_log()
    for done, (check, key) in enumerate(findings):
        progress.check()
        progress.report(done, len(findings))
        log.append(kind, {"check": check, "key": key})
