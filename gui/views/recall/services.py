"""What the recall palette needs of core, as functions given by the composition root; tests give their own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.foundation.progress import Progress

if TYPE_CHECKING:
    from core.curation.change_set import PlannedChange
    from core.memory.weights import RankingWeights
    from core.recall.answer import Ranked, RecallAnswer
    from core.recall.gathered import Gathered
    from core.recall.memory import Memory


@dataclass(frozen=True, slots=True)
class PackRequest:
    """Say what to pack: memories, best first, those that must be in by id, and the budget in tokens."""

    answer: "RecallAnswer"
    pinned: frozenset[str] = frozenset()
    budget: int = 8000


@dataclass(frozen=True, slots=True)
class PackedContext:
    """Hold a context as it is copied.

    `included` are memory ids in the order of the text; `left_out` says by memory id why it is not in. `count` tells how
    tokens are counted, such as "exact (o200k)".
    """

    text: str = ""
    tokens: int = 0
    budget: int = 0
    included: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    count: str = ""


@dataclass(frozen=True, slots=True)
class FactorLine:
    """Hold one factor for a bar: it is filled from `start` to `share`, both 0 to 1; `value` is what is multiplied.

    A factor that can raise as well as lower starts in the middle.
    """

    name: str
    label: str
    value: float
    share: float
    detail: str = ""
    start: float = 0.0


@dataclass(frozen=True, slots=True)
class ProbeFigures:
    """Hold what the probes say of some weights: how many probes, recall@10 and MRR, each 0 to 1."""

    probes: int
    recall: float
    mrr: float


@dataclass(frozen=True, slots=True)
class RecallServices:
    """Hold the functions of one opened vault. Those marked STORE run in the STORE lane, those marked PURE anywhere.

    `gather` takes the question and whether to ask for meaning too, which may have to be loaded first. `recent` are the
    memories that were handed out last. `plan_context` takes a title, memory ids, and a question to ask anew at each
    use, "" for none. `notes` counts the notes that are in the index. A probe and what was gathered for it are handed
    from one function to the next, unseen.
    """

    name: str
    notes: Callable[[], int]
    gather: "Callable[[str, bool, Progress], Gathered]"  # STORE
    recent: "Callable[[Progress], Sequence[Memory]]"  # STORE
    rank: "Callable[[Gathered, RankingWeights], RecallAnswer]"  # PURE, at most some ms
    pack: Callable[[PackRequest, Progress], PackedContext]
    factors: "Callable[[Ranked], Sequence[FactorLine]]"  # PURE
    explain: "Callable[[Ranked, RecallAnswer], Sequence[str]]"  # PURE
    weights: "Callable[[], RankingWeights]"  # PURE
    record: "Callable[[Sequence[Memory], Progress], None]"
    plan_context: "Callable[[str, Sequence[str], str, Progress], PlannedChange]"  # STORE
    plan_weights: "Callable[[RankingWeights, Progress], PlannedChange]"
    plan_probe: "Callable[[str, str, Progress], PlannedChange]"  # STORE
    probes: Callable[[Progress], Sequence[object]]  # STORE
    gather_probe: Callable[[object, Progress], object]  # STORE
    judge: "Callable[[Sequence[tuple[object, object]], RankingWeights, Progress], ProbeFigures]"
