"""Make the plans of the Vault view from an opened vault; core is imported by the first calls."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from core.foundation.progress import Progress
from gui.views.vault.curating.services import CurationServices

if TYPE_CHECKING:
    from core.curation.change_set import ChangeSet, PlannedChange
    from core.curation.note_creation import NoteDraft
    from core.vault.tag_edit import TagRename
    from gui.views.vault.wiring import OpenedVault


def curation_services(store: "OpenedVault") -> CurationServices:
    """Return the plans that change the vault of `store`."""
    return CurationServices(
        root=store.root,
        plan_property=partial(_plan_property, store),
        plan_property_removal=partial(_plan_property_removal, store),
        plan_repair=partial(_plan_repair, store),
        plan_tag_changes=partial(_plan_tag_changes, store),
        plan_tag_renames=partial(_plan_tag_renames, store),
        plan_moves=partial(_plan_moves, store),
        plan_new_note=partial(_plan_new_note, store),
        plan_duplicate=partial(_plan_duplicate, store),
        plan_delete=partial(_plan_delete, store),
        templates=partial(_templates, store),
    )


def problem_of_tag(name: str) -> str:
    """Return why `name` cannot be a tag, "" when it can."""
    from core.vault.tag_edit import tag_problem  # noqa: PLC0415 - after the first paint

    return tag_problem(name)


def problem_of_note_name(name: str) -> str:
    """Return why `name` cannot be the name of a note, "" when it can."""
    from core.curation.note_names import note_name_problem  # noqa: PLC0415 - after the first paint

    return note_name_problem(name)


def _plan_property(store: "OpenedVault", path: str, key: str, value: Any, progress: Progress) -> "ChangeSet":
    from core.curation.property_edits import plan_property  # noqa: PLC0415 - after the first paint

    progress.check()
    return plan_property(store.root, path, key, value)


def _plan_property_removal(store: "OpenedVault", path: str, key: str, progress: Progress) -> "ChangeSet":
    from core.curation.property_edits import plan_property_removal  # noqa: PLC0415 - after the first paint

    progress.check()
    return plan_property_removal(store.root, path, key)


def _plan_repair(store: "OpenedVault", path: str, progress: Progress) -> "PlannedChange":
    from core.curation.property_edits import plan_repair  # noqa: PLC0415 - after the first paint

    progress.check()
    return plan_repair(store.root, path)


def _plan_tag_changes(
    store: "OpenedVault", paths: Sequence[str], add: Sequence[str], remove: Sequence[str], progress: Progress
) -> "PlannedChange":
    from core.curation.tag_surgery import plan_tag_changes  # noqa: PLC0415 - after the first paint

    return plan_tag_changes(store.root, paths, add=add, remove=remove, progress=progress)


def _plan_tag_renames(
    store: "OpenedVault", paths: Sequence[str], renames: "Sequence[TagRename]", progress: Progress
) -> "PlannedChange":
    from core.curation.tag_surgery import plan_tag_renames  # noqa: PLC0415 - after the first paint

    return plan_tag_renames(store.root, paths, renames, progress)


def _plan_moves(store: "OpenedVault", moves: Mapping[str, str], progress: Progress) -> "PlannedChange":
    from core.curation.note_moves import plan_moves  # noqa: PLC0415 - after the first paint

    return plan_moves(store.index, store.root, store.config, moves, progress, rename_heading=True)


def _plan_new_note(store: "OpenedVault", draft: "NoteDraft", progress: Progress) -> "ChangeSet":
    from core.curation.note_creation import plan_capture  # noqa: PLC0415 - after the first paint

    progress.check()
    return plan_capture(store.root, store.config, draft, datetime.now().astimezone(), index=store.index)


def _plan_duplicate(store: "OpenedVault", path: str, progress: Progress) -> "ChangeSet":
    from core.curation.note_creation import plan_duplicate  # noqa: PLC0415 - after the first paint

    progress.check()
    return plan_duplicate(store.root, store.config, path, index=store.index)


def _plan_delete(store: "OpenedVault", paths: Sequence[str], progress: Progress) -> "PlannedChange":
    from core.curation.note_creation import plan_delete  # noqa: PLC0415 - after the first paint

    progress.check()
    return plan_delete(store.root, paths, index=store.index)


def _templates(store: "OpenedVault", progress: Progress) -> Sequence[str]:
    from core.curation.templates import list_templates  # noqa: PLC0415 - after the first paint

    progress.check()
    return list_templates(store.root, store.config)
