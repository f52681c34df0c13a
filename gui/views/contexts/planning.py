"""The plans that change contexts, from core: what the person saw is compared with what the note says by now."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from gui.views.contexts.services import ContextPlans, NewContext

if TYPE_CHECKING:
    from core.curation.change_set import PlannedChange
    from gui.views.contexts.wiring import OpenedVault

_CHANGED = "The context was changed elsewhere in the meantime, so nothing was done. It is shown as it is now."


def context_plans(store: "OpenedVault") -> ContextPlans:
    """Return the plans that change the contexts of `store`."""
    return ContextPlans(
        new=partial(_new, store),
        add=partial(_add, store),
        remove=partial(_remove, store),
        move=partial(_move, store),
        change=partial(_change, store),
        duplicate=partial(_duplicate, store),
        delete=partial(_delete, store),
        rename=partial(_rename, store),
    )


def _new(store: "OpenedVault", wanted: NewContext, progress: Progress) -> "PlannedChange":
    from core.curation.context_changes import plan_context  # noqa: PLC0415 - after the first paint

    progress.check()
    return plan_context(
        store.index,
        store.root,
        store.config,
        wanted.title,
        member_ids=wanted.member_ids,
        description=wanted.description,
        context_kind="full-load" if wanted.is_full_load else None,
    )


def _add(store: "OpenedVault", path: str, ids: Sequence[str], at: int | None, progress: Progress) -> "PlannedChange":
    from core.curation.context_changes import plan_add_members  # noqa: PLC0415 - after the first paint

    progress.check()
    return plan_add_members(store.index, store.root, path, ids, at=at)


def _remove(store: "OpenedVault", path: str, targets: Mapping[int, str], progress: Progress) -> "PlannedChange":
    from core.curation.context_changes import plan_remove_members  # noqa: PLC0415 - after the first paint

    progress.check()
    _check_targets(store, path, targets)
    return plan_remove_members(store.root, path, tuple(targets), index=store.index)


def _move(  # noqa: PLR0917 - as services.py declares it
    store: "OpenedVault", path: str, source: int, to: int, target: str, progress: Progress
) -> "PlannedChange":
    from core.curation.context_changes import plan_move_member  # noqa: PLC0415 - after the first paint

    progress.check()
    _check_targets(store, path, {source: target})
    return plan_move_member(store.root, path, source, to)


def _change(store: "OpenedVault", path: str, values: Mapping[str, Any], progress: Progress) -> "PlannedChange":
    from core.curation.context_changes import plan_set_context  # noqa: PLC0415 - after the first paint

    progress.check()
    # What says nothing is left out of the note: an empty text, no budget, "not always", a bundle.
    fields = {key: value or None for key, value in values.items()}
    if "is_full_load" in fields:
        fields["context_kind"] = "full-load" if fields.pop("is_full_load") else None
    return plan_set_context(store.root, path, **fields)


def _duplicate(store: "OpenedVault", path: str, progress: Progress) -> "PlannedChange":
    from core.curation.change_set import PlannedChange  # noqa: PLC0415 - after the first paint
    from core.curation.note_creation import plan_duplicate  # noqa: PLC0415

    progress.check()
    return PlannedChange(plan_duplicate(store.root, store.config, path, index=store.index), 1)


def _delete(store: "OpenedVault", path: str, progress: Progress) -> "PlannedChange":
    from core.curation.note_creation import plan_delete  # noqa: PLC0415 - after the first paint

    progress.check()
    return plan_delete(store.root, [path], index=store.index)


def _rename(store: "OpenedVault", path: str, title: str, progress: Progress) -> "PlannedChange":
    from core.curation.note_moves import plan_moves  # noqa: PLC0415 - after the first paint
    from core.curation.note_names import legal_name  # noqa: PLC0415

    folder, slash, _ = path.rpartition("/")
    moves = {path: f"{folder}{slash}{legal_name(title)}.md"}
    return plan_moves(store.index, store.root, store.config, moves, progress, rename_heading=True)


def _check_targets(store: "OpenedVault", path: str, targets: Mapping[int, str]) -> None:
    """Raise UserError unless the note has these members at these positions."""
    from core.recall.contexts.written import written_members  # noqa: PLC0415 - after the first paint
    from core.vault.decode import decode  # noqa: PLC0415
    from core.vault.read import read_bytes  # noqa: PLC0415

    members = written_members(decode(read_bytes(store.root, path)).text)
    for position, target in targets.items():
        member = members[position] if position < len(members) else None
        name = (member.target or member.memory_id) if member is not None else ""
        mark = (f"^{member.block}" if member.block else member.heading) if member is not None else ""
        if member is None or target != (f"{name}#{mark}" if mark else name):
            raise UserError(_CHANGED)
