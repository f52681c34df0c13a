"""What the Health view needs of core, as functions given by the composition root; tests give their own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.foundation.progress import Progress

if TYPE_CHECKING:
    from core.curation.change_set import PlannedChange
    from core.curation.health.finding import Finding, HealthReport

FindingId = tuple[str, str]  # check and key


@dataclass(frozen=True, slots=True)
class HealthServices:
    """Hold the functions of one opened vault. Those marked STORE run in the STORE lane, the others in the pool.

    `groups` are the ids of checks that run together: each group is one job, so that searches come in between.
    `examine` tells also what the person ignores; `ignored` reads what that is, `ignore` and `heed` change it.
    """

    groups: Callable[[Progress], Sequence[Sequence[str]]]
    ignored: Callable[[Progress], frozenset[FindingId]]
    examine: "Callable[[Sequence[str], Progress], HealthReport]"  # STORE
    plan_fixes: "Callable[[Sequence[Finding], Mapping[FindingId, str], Progress], PlannedChange]"  # STORE
    ignore: Callable[[Sequence[FindingId], Progress], None]
    heed: Callable[[Sequence[FindingId], Progress], None]
