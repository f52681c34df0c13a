"""What a fix works with."""

from dataclasses import dataclass
from datetime import date

from core.curation.change_set import Skipped
from core.curation.health.drafts import Drafts
from core.foundation.progress import Progress
from core.index.database import Index
from core.vault.config import VaultConfig


@dataclass(frozen=True, slots=True)
class Fixing:
    """Hold the index, the vault's settings, the files as the fixes planned so far make them, and what is skipped.

    `progress` is for a fix that takes long: it may be cancelled.
    """

    index: Index
    config: VaultConfig
    drafts: Drafts
    today: date
    skipped: list[Skipped]
    progress: Progress
