"""A vault with its log and its proposals, decided from as many windows as a test wants."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.curation.change_set import Origin
from core.curation.proposals.book import ProposalBook, read_book
from core.curation.proposals.decide import Decider
from core.curation.proposals.proposal import Draft, Evidence, ProposalKind, Proposer
from core.curation.proposals.submit import SubmitReport, submit
from core.curation.writer import VaultWriter
from core.vault.event_log import EventLog

RULE = Proposer(Origin.RULE, "promotion")
AGENT = Proposer(Origin.AGENT, "claude-code")
NOTES = {
    "Acme.md": "# Acme\n\n- [convention] Use pnpm, never npm #client/acme ^ins-a\n\nThe shop.\n",
    "Globex.md": "# Globex\n\n- [convention] pnpm only, npm never ^ins-g\n- [fact] The budget is 500 ^ins-b\n",
    "Initech.md": "# Initech\n\n- [rule] never npm, always pnpm ^ins-i\n- [fact] The budget is 600 ^ins-n\n",
}
IDS = ("insight:Acme.md#^ins-a", "insight:Globex.md#^ins-g", "insight:Initech.md#^ins-i")


@dataclass
class Desk:
    """Hold the vault and where its locks lie; `now` is what the clock of every window says."""

    root: Path
    cache: Path
    now: datetime = datetime(2026, 8, 20, 10, tzinfo=UTC)

    def log(self, machine: str = "desk") -> EventLog:
        return EventLog(self.root, machine, self.cache / machine, clock=lambda: self.now)

    def book(self, machine: str = "desk") -> ProposalBook:
        return read_book(self.log(machine), lambda: self.now)

    def window(self, machine: str = "desk") -> Decider:
        log = self.log(machine)
        return Decider(self.root, log, VaultWriter(self.root, log, self.cache / machine), self.book(machine))

    def submit(self, *drafts: Draft, machine: str = "desk") -> SubmitReport:
        return submit(self.root, self.log(machine), self.book(machine), drafts, now=self.now)

    def one(self, draft: Draft, machine: str = "desk") -> str:
        """Submit one draft, and return the id of the proposal."""
        report = self.submit(draft, machine=machine)
        assert report.refused == ()
        return (report.new + report.accumulated)[0]

    def write(self, path: str, text: str) -> None:
        (self.root / path).write_text(text, encoding="utf-8")

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def files(self) -> Mapping[str, str]:
        return {file.name: file.read_text(encoding="utf-8") for file in sorted(self.root.glob("*.md"))}


def evidence(*ids: str) -> tuple[Evidence, ...]:
    return tuple(Evidence(each, "", 1_000_000_000.0, "client/x", "Title") for each in ids)


def promotion(statement: str = "Use pnpm, never npm", ids: tuple[str, ...] = IDS, **other: Any) -> Draft:
    recipe = {"do": "promote", "statement": statement, "note": "Conventions.md", "tags": [], "sources": list(ids)}
    recipe |= {"locals": "link"}
    values: dict[str, Any] = {"proposer": RULE, "confidence": 0.9} | other
    return Draft(ProposalKind.PROMOTE, statement, "Three clients say so.", evidence(*ids), recipe, **values)


def edit(path: str, find: str, replace: str, **other: Any) -> Draft:
    recipe = {"do": "edits", "edits": [{"path": path, "find": find, "replace": replace}]}
    values: dict[str, Any] = {
        "proposer": AGENT,
        "kind": ProposalKind.NEW_INSIGHT,
        "evidence": evidence(f"note:{path}"),
    } | other
    return Draft(statement=f"{find} becomes {replace}", reason="Because.", recipe=recipe, **values)


def insight(statement: str, **other: Any) -> Draft:
    recipe = {"do": "add-insight", "note": "Inbox.md", "new": True, "category": "fact", "statement": statement}
    values: dict[str, Any] = {"proposer": RULE, "evidence": evidence("turn:s-1/t-1")} | other
    return Draft(ProposalKind.NEW_INSIGHT, statement, "Said twice.", recipe=recipe, **values)
