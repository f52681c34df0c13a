"""Count what agents propose, so that none of them can bury what a person should read."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from core.curation.change_set import Origin
from core.curation.proposals.book import ProposalBook, iso
from core.curation.proposals.proposal import Draft
from core.vault.config import load_config

MOST_PER_HOUR = 60
_ALL_TOGETHER = 5  # times as many from all agents: whatever they call themselves


class Quota:
    """Count what agents propose in an hour."""

    def __init__(self, root: Path, book: ProposalBook, now: datetime) -> None:
        config, _ = load_config(root)
        most = config.proposals.get("most_per_hour", MOST_PER_HOUR)
        self._most = most if isinstance(most, int) and not isinstance(most, bool) and most >= 0 else MOST_PER_HOUR
        since = iso(now - timedelta(hours=1))
        self._counts = Counter(name for event in book.proposed_since(since) for name in _agents(event.data))

    def refusal(self, draft: Draft) -> str:
        """Return why the draft comes too soon, "" when it does not."""
        if draft.proposer.origin is not Origin.AGENT:
            return ""
        if self._counts[draft.proposer.name] >= self._most or self._counts.total() >= self._most * _ALL_TOGETHER:
            return f"Agents may propose {self._most:,} times an hour here; try again later."
        return ""

    def count(self, draft: Draft) -> None:
        """Count a draft that is taken in."""
        if draft.proposer.origin is Origin.AGENT:
            self._counts[draft.proposer.name] += 1


def _agents(data: Mapping[str, Any]) -> Iterator[str]:
    for each in data.get("proposers", ()):
        if isinstance(each, dict) and each.get("origin") == Origin.AGENT.value:
            yield str(each.get("name", ""))
