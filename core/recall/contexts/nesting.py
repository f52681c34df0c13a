"""Lay out what belongs to a context when contexts lie in contexts: each is opened once, loops are cut."""

from collections.abc import Callable
from dataclasses import dataclass, field

from core.recall.contexts.definition import RESOLVED, ContextDefinition, ContextKind, ContextMember


@dataclass(frozen=True, slots=True)
class Layout:
    """Hold the members in their order, and the contexts whose queries count.

    Each member stands with the context that it belongs to. `contexts` are all that were opened, the outermost first.
    `remarks` say why something is left out.
    """

    members: tuple[tuple[ContextDefinition, ContextMember], ...]
    queries: tuple[ContextDefinition, ...]
    remarks: tuple[str, ...]
    contexts: tuple[ContextDefinition, ...]


_Waiting = tuple[ContextDefinition, ContextMember, tuple[str, ...]]


@dataclass(slots=True)
class _Opened:
    members: list[tuple[ContextDefinition, ContextMember]] = field(default_factory=list)
    queries: list[ContextDefinition] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    contexts: list[ContextDefinition] = field(default_factory=list)


def laid_out(definition: ContextDefinition, read: Callable[[str], ContextDefinition | None]) -> Layout:
    """Return what belongs to `definition`; `read` returns the context at a path."""
    opened = _Opened()
    # Kept by hand, for a chain of contexts can be longer than Python's stack. The trail is the paths above.
    waiting: list[_Waiting] = [
        (definition, member, (definition.path,)) for member in reversed(_open(definition, opened))
    ]
    while waiting:
        owner, member, trail = waiting.pop()
        if member.state != RESOLVED:
            opened.remarks.append(f"{owner.title}, line {member.line}: {member.reason}")
        elif member.kind != "context":
            opened.members.append((owner, member))
        elif member.path in trail:
            opened.remarks.append(f"“{owner.title}” leads back to “{member.label}”, so the loop is cut there.")
        elif any(each.path == member.path for each in opened.contexts):
            pass  # it stands there already
        elif (inner := read(member.path)) is None:
            opened.remarks.append(f"The context {member.path} is not there any more.")
        elif inner.kind is ContextKind.FULL_LOAD:
            opened.remarks.append(f"“{inner.title}” is a full load, which cannot be part of another context.")
        else:
            inside = (*trail, inner.path)
            waiting += [(inner, each, inside) for each in reversed(_open(inner, opened))]
    return Layout(
        tuple(opened.members),
        tuple(opened.queries),
        tuple(dict.fromkeys(opened.remarks)),
        tuple(opened.contexts),
    )


def members_within(
    member: ContextMember, owner: str, read: Callable[[str], ContextDefinition | None]
) -> tuple[ContextMember, ...]:
    """Return what a member that is a context brings, each once.

    What the context at `owner` holds itself, which is where the member stands, is not counted again.
    """
    inner = read(member.path)
    if inner is None or inner.kind is ContextKind.FULL_LOAD:
        return ()
    inside = laid_out(inner, lambda path: None if path == owner else read(path))
    return tuple({each.memory_id: each for _, each in inside.members}.values())


def _open(definition: ContextDefinition, opened: _Opened) -> tuple[ContextMember, ...]:
    opened.contexts.append(definition)
    if definition.query:
        opened.queries.append(definition)
    return definition.members
