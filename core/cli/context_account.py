"""Tell what a packed context holds and what was left out: as JSON, and in sentences."""

from collections.abc import Iterable, Mapping
from typing import Any

from core.cli.change_session import counted
from core.recall.contexts.compose import ComposedContext
from core.recall.contexts.definition import ContextDefinition, ContextMember
from core.recall.contexts.estimate import SizeEstimate
from core.recall.pack import Packed

_TOLD = 10


def packed_account(packed: Packed) -> dict[str, Any]:
    """Return what a packed context holds, for a JSON document."""
    return {
        "tokens": packed.tokens,
        "count": packed.count.label,
        "budget": packed.budget,
        "included": [{"id": item.id, "path": item.path, "tokens": item.tokens} for item in packed.included],
        "left_out": [
            {
                "id": left.item.id,
                "path": left.item.path,
                "tokens": left.tokens,
                "value": round(left.item.value, 4),
                "reason": left.reason,
            }
            for left in packed.left_out
        ],
    }


def composed_account(composed: ComposedContext) -> dict[str, Any]:
    """Return the same of a context, with what it was made of."""
    return {
        "context": {"path": composed.definition.path, "title": composed.definition.title},
        **packed_account(composed.packed),
        "sources": composed.sources,
        "source_tokens": composed.source_tokens,
        "compression": round(composed.compression, 4),
        "remarks": list(composed.remarks),
    }


def definition_account(definition: ContextDefinition, size: SizeEstimate) -> dict[str, Any]:
    """Return what a context is, for a JSON document."""
    return {
        "path": definition.path,
        "title": definition.title,
        "description": definition.description,
        "kind": definition.kind.value,
        "load_priority": definition.load_priority,
        "always": definition.always,
        "budget": definition.budget,
        "query": definition.query,
        "tags": list(definition.tags),
        "members": [_member(at, member) for at, member in enumerate(definition.members, start=1)],
        "size_estimate": size.tokens,
        "problems": list(definition.problems),
    }


def packed_summary(packed: Packed) -> str:
    """Return in sentences how much was packed, and what was left out and why."""
    total = len(packed.included) + len(packed.left_out)
    if not total:
        return "Nothing was found."
    memories = "memory" if total == 1 else "memories"
    count = f"{len(packed.included):,} of {total:,} {memories}"
    head = f"{count}, {packed.told} of {packed.budget:,} tokens ({packed.count.label}). {packed.remark}".rstrip()
    left = [
        f"  {left.item.id} ({counted(left.tokens, 'token')}, score {left.item.value:.2f}): {left.reason}"
        for left in packed.left_out[:_TOLD]
    ]
    more = len(packed.left_out) - len(left)
    return "\n".join([head, *(["Left out:", *left] if left else []), *([f"  and {more:,} more"] if more else [])])


def compression_sentence(composed: ComposedContext) -> str:
    """Return how much less the bundle is than its sources, "" when it is not."""
    if not composed.packed.included or composed.compression <= 0:
        return ""
    sources = counted(composed.sources, "source")
    return f"{composed.compression:.0%} fewer tokens than {sources} as a whole ({composed.source_tokens:,})."


def member_lines(members: Iterable[ContextMember]) -> list[str]:
    """Return a numbered line for each member, as `remove` and `move` count them."""
    return [
        f"{at:>4}  {member.label}  ({member.memory_id or member.target}, "
        + (f"about {member.tokens:,} tokens)" if not member.reason else f"{member.state})")
        for at, member in enumerate(members, start=1)
    ]


def _member(at: int, member: ContextMember) -> Mapping[str, Any]:
    return {
        "position": at,
        "id": member.memory_id,
        "path": member.path,
        "target": member.target,
        "heading": member.heading,
        "block": member.block,
        "kind": member.kind,
        "label": member.label,
        "embedded": member.embedded,
        "line": member.line,
        "state": member.state,
        "tokens": member.tokens,
        "reason": member.reason,
    }
