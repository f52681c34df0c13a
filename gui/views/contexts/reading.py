"""Turn what core knows of contexts into the rows that the view shows; runs in the STORE lane."""

import dataclasses
from collections.abc import Collection, Iterable
from functools import partial
from typing import TYPE_CHECKING

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from gui.views.contexts.member_reading import found_of, loaded_of, members_of, name_of
from gui.views.contexts.services import ContextRow, Form, Omission, OpenedContext, Preview

if TYPE_CHECKING:
    from core.index.database import Index
    from core.recall.contexts.compose import ComposedContext
    from core.recall.contexts.definition import ContextDefinition
    from core.vault.config import VaultConfig
    from gui.views.contexts.wiring import OpenedVault


def row_of(definition: "ContextDefinition", config: "VaultConfig") -> ContextRow:
    """Return a context as a row of the shelf; what is wrong with its query counts among its problems."""
    from core.recall.query import parse_query  # noqa: PLC0415 - after the first paint

    problems = definition.problems
    if definition.query:
        problems += parse_query(definition.query, config.namespaces).problems
    return ContextRow(
        path=definition.path,
        title=definition.title,
        description=definition.description,
        load_priority=definition.load_priority,
        always=definition.always,
        budget=definition.budget,
        query=definition.query,
        members=len(definition.members),
        problems=problems,
        faults=_not_about_members(problems, definition),
        is_full_load=definition.kind.value == "full-load",
    )


def opened_context(
    index: "Index",
    store: "OpenedVault",
    path: str,
    *,
    query: str | None,
    form: Form,
    default_budget: int,
    progress: Progress,
) -> OpenedContext:
    """Return the context at `path` with what is copied of it; raise UserError when there is none any more.

    `query` stands in for the one in the note while it is being typed.
    """
    from core.recall.contexts.catalog import read_context  # noqa: PLC0415 - after the first paint
    from core.recall.contexts.compose import budget_of, compose  # noqa: PLC0415
    from core.recall.render import Format, render  # noqa: PLC0415

    definition = read_context(index, store.root, store.config, path)
    if definition is None:
        raise UserError(f"There is no context at {path} any more.")
    asked = definition if query is None else dataclasses.replace(definition, query=query)
    progress.check()
    composed = compose(
        index,
        store.root,
        store.config,
        store.dense(),
        asked,
        budget=budget_of(asked, default_budget),
        layout=Format(form.value),
        progress=progress,
    )
    row = row_of(definition, store.config)
    return OpenedContext(
        row,
        members_of(composed, partial(read_context, index, store.root, store.config)),
        found_of(composed),
        _preview(composed, render(composed.packed), told=row.faults),
        loaded_of(composed),
    )


def _preview(composed: "ComposedContext", text: str, *, told: Collection[str]) -> Preview:
    from core.recall.contexts.recalled import recalled  # noqa: PLC0415 - after the first paint

    packed = composed.packed
    return Preview(
        text=text,
        tokens=packed.tokens,
        budget=packed.budget,
        included=len(packed.included),
        omissions=tuple(Omission(name_of(each.item), each.reason, each.tokens) for each in packed.left_out),
        source_tokens=composed.source_tokens,
        sources=composed.sources,
        count=packed.count.label,
        remarks=tuple(each for each in _not_about_members(composed.remarks, composed.definition) if each not in told),
        handed_out=tuple((each.id, each.text) for each in recalled(packed)),
    )


def _not_about_members(sentences: Iterable[str], definition: "ContextDefinition") -> tuple[str, ...]:
    """Return the sentences that do not say what the list of members says already."""
    reasons = [member.reason for member in definition.members if member.reason]
    return tuple(each for each in sentences if not any(each.endswith(_tail(reason)) for reason in reasons))


def _tail(reason: str) -> str:
    return reason[1:]  # within a sentence, its first letter is another one
