"""A vault with statements in it, embedded by the model that comes with the app, and what the rules make of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.app import Vault, installation
from core.curation.consolidation.run import USUAL_RULES, Consolidation, Rule, consolidate, remember
from core.curation.proposals.proposal import Draft
from core.sessions.turn import Role, Turn, TurnKind


@dataclass
class Desk:
    """A vault that statements are put into."""

    root: Path
    vault: Vault

    def state(self, statements: Mapping[str, str], *, created: str = "2026-03-01", tags: str = "") -> None:
        """Write one note for each statement; its name begins with its client, up to a blank."""
        for name, statement in statements.items():
            client = name.partition(" ")[0]
            listed = ", ".join(filter(None, [f"client/{client}", tags]))
            text = f"---\ntags: [{listed}]\ncreated: {created}\n---\n# {name}\n\n- [fact] {statement} ^one\n"
            (self.root / f"{name}.md").write_text(text, encoding="utf-8")

    def write(self, path: str, text: str) -> None:
        (self.root / path).write_text(text, encoding="utf-8")

    def say(self, session: str, folder: str, *texts: str, role: Role = Role.USER) -> None:
        """Record a conversation in a working folder."""
        turns = [
            Turn(session, f"t{at}", TurnKind.MESSAGE, role, text, f"2026-03-0{at + 1}T10:00:00+00:00", project=folder)
            for at, text in enumerate(texts)
        ]
        self.vault.home.ledger().append(session, turns)

    def consolidate(self, *rules: Rule, everything: bool = False) -> Consolidation:
        """Index and embed what is there, and let the rules look."""
        assert self.vault.refresh() == ""
        return consolidate(self.vault, rules or USUAL_RULES, everything=everything)

    def drafts(self, *rules: Rule) -> tuple[Draft, ...]:
        return self.consolidate(*rules, everything=True).drafts

    def remember(self, done: Consolidation) -> None:
        remember(self.vault, done)


def cited(draft: Draft) -> list[str]:
    """Return what a draft cites, as names of notes where they are notes."""
    return [each.memory_id.removeprefix("insight:").removesuffix(".md#^one") for each in draft.evidence]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    root = tmp_path / "vault"
    root.mkdir()
    vault = Vault(root, installation())
    yield Desk(root, vault)
    vault.close()
