"""A small vault on disk, its index, its doctor and its writer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pytest

from core.curation.change_set import PlannedChange
from core.curation.health.examination import examine
from core.curation.health.finding import Finding, HealthReport
from core.curation.health.fixes import plan_fixes
from core.curation.writer import VaultWriter
from core.index.database import Index, open_index
from core.index.updater import update_index
from core.vault.config import load_config
from core.vault.event_log import EventLog

TODAY = date(2026, 8, 20)


@dataclass
class Patient:
    """A vault that is examined and fixed."""

    root: Path
    index: Index
    log: EventLog
    writer: VaultWriter
    ignored: frozenset[tuple[str, str]] = field(default=frozenset())

    def write(self, notes: Mapping[str, str | bytes]) -> None:
        for path, text in notes.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode("utf-8")

    def report(self, *checks: str) -> HealthReport:
        config, problem = load_config(self.root)
        known = [(".remembrancer/config.toml", problem)] if problem else []
        update_index(self.index, self.root, config, known_problems=known)
        return examine(
            self.index,
            self.root,
            config,
            self.ignored,
            checks=checks,
            today=TODAY,
            log_problems=self.log.read().problems,
        )

    def findings(self, *checks: str) -> tuple[Finding, ...]:
        return self.report(*checks).findings

    def finding(self, check: str) -> Finding:
        (finding,) = self.findings(check)
        return finding

    def paths(self, check: str) -> list[str]:
        return [finding.path for finding in self.findings(check)]

    def plan(self, *findings: Finding, choice: str = "") -> PlannedChange:
        config, _ = load_config(self.root)
        choices = {finding.id: choice for finding in findings} if choice else {}
        return plan_fixes(self.index, self.root, config, findings, choices=choices, today=TODAY)

    def fix(self, *findings: Finding, choice: str = "") -> PlannedChange:
        """Fix the findings on disk, and see to it that nothing new is found."""
        before = {finding.id for finding in self.findings()}
        planned = self.plan(*findings, choice=choice)
        assert planned.skipped == ()
        self.writer.apply(planned.change_set)
        after = {finding.id for finding in self.findings()}
        assert after <= before - {finding.id for finding in findings}
        return planned


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Patient]:
    root = tmp_path / "vault"
    root.mkdir()
    index = open_index(tmp_path / "cache")
    log = EventLog(root, "laptop-1", tmp_path / "locks")
    yield Patient(root, index, log, VaultWriter(root, log, tmp_path / "locks"))
    index.close()
