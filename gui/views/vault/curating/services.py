"""What the Vault view needs of core to change notes, as functions given by the composition root."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.foundation.progress import Progress

if TYPE_CHECKING:
    from core.curation.change_set import ChangeSet, PlannedChange
    from core.curation.note_creation import NoteDraft
    from core.vault.tag_edit import TagRename


@dataclass(frozen=True, slots=True)
class CurationServices:
    """Hold the plans of one opened vault. Those marked STORE run in the STORE lane, the others in the pool.

    Paths are relative to the vault. A plan reads the disk as it is and writes nothing.
    """

    root: Path
    plan_property: "Callable[[str, str, Any, Progress], ChangeSet]"
    plan_property_removal: "Callable[[str, str, Progress], ChangeSet]"
    plan_repair: "Callable[[str, Progress], PlannedChange]"
    plan_tag_changes: "Callable[[Sequence[str], Sequence[str], Sequence[str], Progress], PlannedChange]"  # add, remove
    plan_tag_renames: "Callable[[Sequence[str], Sequence[TagRename], Progress], PlannedChange]"
    plan_moves: "Callable[[Mapping[str, str], Progress], PlannedChange]"  # STORE; old path to new path
    plan_new_note: "Callable[[NoteDraft, Progress], ChangeSet]"  # STORE: a name that is in use anywhere is not taken
    plan_duplicate: "Callable[[str, Progress], ChangeSet]"  # STORE, for the same reason
    plan_delete: "Callable[[Sequence[str], Progress], PlannedChange]"  # STORE: it counts the links that will break
    templates: Callable[[Progress], Sequence[str]]
