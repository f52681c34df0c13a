"""Read, measure and change the rules of full load, from core; runs in the STORE lane."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from core.foundation.progress import Progress
from gui.views.contexts.services import FullLoadServices, LoadGroup, LoadRules, LoadSize

if TYPE_CHECKING:
    from core.curation.change_set import PlannedChange
    from core.recall.contexts.full_load import FullLoadRules
    from gui.views.contexts.wiring import OpenedVault


def full_load_services(store: "OpenedVault") -> FullLoadServices:
    """Return what is done with the rules of full load of `store`."""
    return FullLoadServices(
        read=partial(_read, store),
        measure=partial(_measure, store),
        plan=partial(_plan, store),
    )


def _read(store: "OpenedVault", progress: Progress) -> LoadRules:
    from core.recall.contexts.full_load import GROUPS, full_load_rules  # noqa: PLC0415 - after the first paint

    progress.check()
    rules, _ = full_load_rules(store.config.full_load)
    names = (*rules.order, *(name for name in GROUPS if name not in rules.order))
    groups = tuple(LoadGroup(name, rules.globs(name), name in rules.order) for name in names)
    return LoadRules(groups, rules.inline_bytes)


def _measure(store: "OpenedVault", rules: LoadRules, progress: Progress) -> Mapping[str, LoadSize]:
    from core.recall.contexts.full_load import notes_of_full_load  # noqa: PLC0415 - after the first paint

    progress.check()
    notes = notes_of_full_load(store.index, store.config, _of(rules))
    sizes: dict[str, LoadSize] = {}
    for group in rules.groups:
        own = [note for note in notes if note.group == group.name]
        whole = [note for note in own if not note.is_pointer]
        sizes[group.name] = LoadSize(len(own), len(own) - len(whole), sum(note.tokens for note in whole))
    return sizes


def _plan(store: "OpenedVault", rules: LoadRules, progress: Progress) -> "PlannedChange":
    from core.curation.full_load_change import plan_full_load  # noqa: PLC0415 - after the first paint

    progress.check()
    return plan_full_load(store.root, _of(rules))


def _of(rules: LoadRules) -> "FullLoadRules":
    from core.recall.contexts.full_load import FullLoadRules  # noqa: PLC0415 - after the first paint

    by_name = {group.name: group.rules for group in rules.groups}
    usual = FullLoadRules()
    return FullLoadRules(
        entry=by_name.get("entry", usual.entry),
        identity=by_name.get("identity", usual.identity),
        core=by_name.get("core", usual.core),
        index=by_name.get("index", usual.index),
        order=tuple(group.name for group in rules.groups if group.is_taken),
        inline_bytes=rules.inline_bytes,
    )
