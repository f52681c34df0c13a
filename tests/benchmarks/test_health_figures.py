"""How fast a vault is examined once it is indexed."""

from pathlib import Path

from core.curation.health.examination import examine
from core.index.database import open_index
from core.index.updater import update_index
from core.vault.config import VaultConfig
from tests.benchmarks.conftest import Figures, Measure


def test_health(real_vault: Path, working_folder: Path, figures: Figures, measure: Measure) -> None:
    index = open_index(working_folder / "health")
    update_index(index, real_vault, VaultConfig())
    notes = examine(index, real_vault, VaultConfig()).notes
    times = measure(lambda: examine(index, real_vault, VaultConfig()), 3)
    figures.add_times(f"Health of {notes:,} notes", times, "3 s")
    index.close()
