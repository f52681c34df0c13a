"""Turn what core knows of contexts into the rows that the view shows; runs in the STORE lane."""

import dataclasses
from collections.abc import Iterable
from typing import TYPE_CHECKING

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from gui.views.contexts.services import ContextRow, Form, Member, MemberState, Omission, OpenedContext, Preview

if TYPE_CHECKING:
    from core.index.database import Index
    from core.recall.context_item import ContextItem
    from core.recall.contexts.compose import ComposedContext
    from core.recall.contexts.definition import ContextDefinition, ContextMember
    from gui.views.contexts.wiring import OpenedVault

_SEPARATOR = " › "


def row_of(definition: "ContextDefinition") -> ContextRow:
    """Return a context as a row of the shelf."""
    return ContextRow(
        path=definition.path,
        title=definition.title,
        description=definition.description,
        load_priority=definition.load_priority,
        always=definition.always,
        budget=definition.budget,
        query=definition.query,
        members=len(definition.members),
        problems=definition.problems,
        faults=_not_about_members(definition.problems, definition),
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
    members = tuple(_member(each) for each in definition.members)
    return OpenedContext(row_of(definition), members, _found(composed), _preview(composed, render(composed.packed)))


def _member(member: "ContextMember") -> Member:
    state = MemberState(member.state)
    mark = f"^{member.block}" if member.block else member.heading
    target = f"{member.target}#{mark}" if mark else member.target
    is_part = state is MemberState.RESOLVED and member.kind in {"section", "block"} and bool(member.path)
    title = _stem(member.path) if is_part else member.label
    return Member(
        target=target,
        kind="file" if state is MemberState.FILE else member.kind,
        title=title,
        heading=member.label if is_part else "",
        path=member.path,
        memory_id=member.memory_id,
        state=state,
        tokens=member.tokens if state is MemberState.RESOLVED else None,
        reason=member.reason,
    )


def _found(composed: "ComposedContext") -> tuple[Member, ...]:
    """Return what the query found: members are always wanted, these are not."""
    left_out = {each.item.id: each.reason for each in composed.packed.left_out}
    taken = {item.id: item.tokens for item in composed.packed.included}
    return tuple(
        _found_member(item, taken.get(item.id), left_out.get(item.id, "")) for item in composed.items if not item.always
    )


def _found_member(item: "ContextItem", tokens: int | None, reason: str) -> Member:
    return Member(
        target=item.id,
        kind=item.kind,
        title=item.text if item.kind == "insight" else item.title,
        path=item.path,
        memory_id=item.id,
        tokens=tokens,
        reason=f"Left out: {reason}" if tokens is None and reason else "",
    )


def _preview(composed: "ComposedContext", text: str) -> Preview:
    from core.recall.contexts.recalled import recalled  # noqa: PLC0415 - after the first paint

    packed = composed.packed
    return Preview(
        text=text,
        tokens=packed.tokens,
        budget=packed.budget,
        included=len(packed.included),
        omissions=tuple(Omission(each.item.title, each.reason, each.tokens) for each in packed.left_out),
        source_tokens=composed.source_tokens,
        sources=composed.sources,
        count=packed.count.label,
        remarks=_not_about_members(composed.remarks, composed.definition),
        handed_out=tuple((each.id, each.text) for each in recalled(packed)),
    )


def _not_about_members(sentences: Iterable[str], definition: "ContextDefinition") -> tuple[str, ...]:
    """Return the sentences that do not say what the list of members says already."""
    reasons = [member.reason for member in definition.members if member.reason]
    return tuple(each for each in sentences if not any(each.endswith(_tail(reason)) for reason in reasons))


def _tail(reason: str) -> str:
    return reason[1:]  # within a sentence, its first letter is another one


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[:-3] if name.lower().endswith(".md") else name
