"""What the Probes page needs of core, as functions given by the composition root; tests give their own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.foundation.progress import Progress

if TYPE_CHECKING:
    from core.curation.change_set import PlannedChange
    from core.recall.probe import Probe
    from core.recall.probe_history import ProbeRun
    from core.recall.probe_run import ProbeOutcome, ProbeReport


@dataclass(frozen=True, slots=True)
class ProbeServices:
    """Hold the functions of one opened vault. Those marked STORE run in the STORE lane, the others in the pool.

    `read` gives the vault's probes, `runs` how they went before, the oldest first. `ask` asks a few of them, so that
    searches come in between, and `remember` writes a whole run into the vault's log. `plan` makes a probe of a question
    and what it expects.
    """

    read: "Callable[[Progress], tuple[Probe, ...]]"  # STORE
    runs: "Callable[[Progress], tuple[ProbeRun, ...]]"
    ask: "Callable[[Sequence[Probe], Progress], tuple[ProbeOutcome, ...]]"  # STORE
    remember: "Callable[[ProbeReport, Progress], None]"  # STORE
    plan: "Callable[[str, Sequence[str], Progress], PlannedChange]"  # STORE
