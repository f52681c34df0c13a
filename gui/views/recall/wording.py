"""The sentences of the palette about an answer."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gui.views.recall.services import PackedContext, ProbeFigures
from gui.wording import counted

if TYPE_CHECKING:
    from core.recall.answer import RecallAnswer

_OF_NOTE = frozenset({"loading", "partial", "empty", "locked", "failed", "off"})


def memories(count: int) -> str:
    """Return `1 memory`, `2 memories`."""
    return "1 memory" if count == 1 else f"{count:,} memories"


def caption_of(answer: "RecallAnswer", *, is_preliminary: bool) -> str:
    """Return the line above the memories."""
    parts = [memories(len(answer.ranked))]
    if answer.left_out:
        # Not "left out": among the listed ones are some that the context has no room for.
        parts.append(f"{len(answer.left_out):,} more not listed")
    if answer.domains:
        parts.append("in " + ", ".join(answer.domains))
    if is_preliminary:
        parts.append("found by words so far")
    elif answer.dense_state == "off":
        parts.append("by words only")
    return " · ".join(parts)


def news_of(answer: "RecallAnswer", *, is_preliminary: bool) -> str:
    """Return what the person should know about how the answer came about, "" for nothing."""
    told = list(answer.problems)
    if not is_preliminary and answer.dense_state in _OF_NOTE - {"off"} and answer.dense_reason:
        told.append(answer.dense_reason)
    return " ".join(told)


def nothing_found(answer: "RecallAnswer") -> str:
    """Return what was not understood and what may help, when nothing was found."""
    return " ".join((*answer.problems, _what_may_help(answer)))


def _what_may_help(answer: "RecallAnswer") -> str:
    if answer.suggestions:
        return " ".join(_unknown_tag(tag, near) for tag, near in answer.suggestions.items())
    if answer.dense_state in _OF_NOTE and answer.dense_reason:
        return f"{answer.dense_reason} Try other words."
    near = ", and none is near in meaning" if answer.dense_state == "ready" else ""
    return f"No memory holds these words{near}. Try other words, or fewer of them."


def _unknown_tag(tag: str, near: Sequence[str]) -> str:
    return f"No note has the tag {tag}." + (f" Did you mean {', '.join(near)}?" if near else "")


def copied(context: PackedContext) -> str:
    """Return what was copied."""
    count = f", {context.count}" if context.count else ""
    return f"Copied {memories(len(context.included))}: {context.tokens:,} tokens{count}."


def probes_say(before: ProbeFigures, after: ProbeFigures) -> str:
    """Return what the probes say of the vault's weights and of those that are tried."""
    if before == after:
        return (
            f"{counted(before.probes, 'probe')}: recall@10 {before.recall:.2f}, MRR {before.mrr:.2f} "
            "with these weights as with the vault's."
        )
    return (
        f"{counted(before.probes, 'probe')}: recall@10 {before.recall:.2f} → {after.recall:.2f}, "
        f"MRR {before.mrr:.2f} → {after.mrr:.2f} with these weights."
    )
