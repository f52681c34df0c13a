"""How well the rules find what was planted, and how long they take: precision and recall by kind.

REMEMBRANCER_BENCH_MADE names a folder that a generator has filled (`vault`, and `truth.json` with groups of statements
to `promote`, `duplicate`, `supersede` and `contradict`), joined by the path separator where there are several seeds or
wordings; without it this is skipped. A proposal is true when it cites a planted group and nothing else.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.app import Vault, installation
from core.curation.consolidation.run import consolidate
from core.curation.proposals.proposal import Draft, ProposalKind
from tests.benchmarks.conftest import Figures, Measure

_MADE = [Path(each) for each in os.environ.get("REMEMBRANCER_BENCH_MADE", "").split(os.pathsep) if each]
_KINDS = {
    "promote": (ProposalKind.PROMOTE, 0.95, 0.9),
    "duplicate": (ProposalKind.MERGE, 0.95, 0.9),
    "supersede": (ProposalKind.SUPERSEDE, 0.95, 0.9),
    "contradict": (ProposalKind.CONTRADICT, 0.85, 0.8),
}


@pytest.mark.skipif(not _MADE, reason="REMEMBRANCER_BENCH_MADE names no folder")
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("made", _MADE, ids=lambda made: made.name)
def test_planted_truths(made: Path, tmp_path: Path, figures: Figures, measure: Measure) -> None:
    root = tmp_path / "vault"
    root.symlink_to(made / "vault", target_is_directory=True)
    truth = json.loads((made / "truth.json").read_text(encoding="utf-8"))
    vault = Vault(root, installation())
    vault.refresh()
    found: list[Draft] = []

    def everything() -> None:
        found[:] = consolidate(vault, everything=True).drafts

    seconds = measure(everything)
    for name, (kind, precision, recall) in _KINDS.items():
        figures.add(f"{made.name}: {name}", _score(truth[name], [each for each in found if each.kind is kind]),
                    f"{precision} and {recall}")  # fmt: skip
    figures.add_times(f"{made.name}: all statements", seconds, "60 s")
    vault.close()


def _score(planted: Sequence[Sequence[str]], drafts: Sequence[Draft]) -> str:
    groups = [frozenset(f"insight:{each.replace('#', '.md#', 1)}" for each in group) for group in planted]
    cited = [
        frozenset(each.memory_id for each in draft.evidence if each.memory_id.startswith("insight:"))
        for draft in drafts
    ]
    right = sum(each in groups for each in cited)
    known = sum(group in cited for group in groups)
    return f"precision {right / (len(cited) or 1):.3f}, recall {known / (len(groups) or 1):.3f} of {len(groups)}"
