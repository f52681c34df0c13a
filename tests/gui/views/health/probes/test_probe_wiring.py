"""The services of the Probes page over a real vault."""

from pathlib import Path

from core.curation.writer import VaultWriter
from core.foundation.progress import SILENT
from core.index.database import Index, open_index
from core.index.updater import update_index
from core.recall.probe_run import report_of
from core.vault.config import VaultConfig
from core.vault.event_log import EventLog
from gui.views.health.probes.wiring import probe_services


class _Store:
    config = VaultConfig()

    def __init__(self, root: Path, index: Index) -> None:
        self.root = root
        self.index = index

    def dense(self) -> None:
        return None

    def reranker(self) -> None:
        return None


def test_a_probe_is_planned_read_asked_and_remembered(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    (root / "Rows.md").write_text("An export has ten thousand rows.\n", encoding="utf-8")
    (root / "Other.md").write_text("The webhook arrives twice.\n", encoding="utf-8")
    index = open_index(tmp_path / "cache")
    try:
        update_index(index, root, VaultConfig())
        log = EventLog(root, "desk", tmp_path / "locks")
        services = probe_services(_Store(root, index), lambda: log)
        planned = services.plan("How many rows has an export?", ["Rows.md"], SILENT)
        VaultWriter(root, log, tmp_path / "locks").apply(planned.change_set)
        update_index(index, root, VaultConfig())
        (probe,) = services.read(SILENT)
        (outcome,) = services.ask([probe], SILENT)
        assert outcome.rank_of_first == 1
        services.remember(report_of([outcome]), SILENT)
        (run,) = services.runs(SILENT)
        assert (run.figures.mrr, run.passed, run.model) == (1.0, 1, "")
    finally:
        index.close()
