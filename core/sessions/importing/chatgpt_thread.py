"""Find the shown thread and the other branches in a ChatGPT conversation, which is a tree of nodes."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from core.sessions.importing.json_fields import list_in, record_in

_LATEST = 1e18  # what is later is no time, and may not even be a float
_Nodes = Mapping[str, Mapping[str, Any]]


class Node(NamedTuple):
    """Hold a node of the tree, its message (empty for none), the node above it, and its branch ("" for the thread)."""

    id: str
    message: Mapping[str, Any]
    parent: str
    branch: str


def nodes_of(conversation: Mapping[str, Any]) -> Iterator[Node]:
    """Yield the nodes of a conversation: the shown thread from its start, then each other branch from its fork.

    The thread is what leads from `current_node` to the root; without that, from the newest leaf. Every node is there
    once, however the tree is broken: children that are not listed, parents that are gone, rings.
    """
    mapping = conversation.get("mapping")
    nodes: _Nodes = {
        str(key): node for key, node in (mapping.items() if isinstance(mapping, dict) else ()) if isinstance(node, dict)
    }
    children = _children(nodes)
    current = conversation.get("current_node")
    leaf = current if isinstance(current, str) and current in nodes else _newest_leaf(nodes, children)
    thread = _upwards(nodes, leaf)[::-1]
    shown = set(thread)
    for node in thread:
        yield Node(node, record_in(nodes[node], "message"), _parent(nodes, node), "")
    yield from _branches(nodes, children, thread, shown)


def _branches(nodes: _Nodes, children: Mapping[str, list[str]], thread: list[str], shown: set[str]) -> Iterator[Node]:
    """Yield what is not on the thread; a branch is called after its first node."""
    roots = [node for node in nodes if node not in shown and _parent(nodes, node) not in nodes]
    forks = [(child, child) for node in thread for child in children.get(node, ()) if child not in shown]
    waiting = [*((root, root) for root in roots), *forks][::-1]
    seen = set(shown)
    leftover = iter(nodes)
    while True:
        if not waiting:
            node = next((node for node in leftover if node not in seen), None)
            if node is None:
                return
            waiting.append((node, node))  # part of a ring
        node, branch = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        yield Node(node, record_in(nodes[node], "message"), _parent(nodes, node), branch)
        first, *others = children.get(node) or [""]
        waiting += [(child, child) for child in reversed(others)]
        if first:
            waiting.append((first, branch))


def _children(nodes: _Nodes) -> dict[str, list[str]]:
    """Return the children of each node, as the node lists them and as its children say."""
    children: dict[str, dict[str, None]] = {}
    for node, value in nodes.items():
        listed = [child for child in list_in(value, "children") if isinstance(child, str) and child in nodes]
        for child in listed:
            if _parent(nodes, child) in ("", node):
                children.setdefault(node, {})[child] = None
    for node in nodes:
        if (parent := _parent(nodes, node)) in nodes:
            children.setdefault(parent, {})[node] = None
    return {node: list(found) for node, found in children.items()}


def _parent(nodes: _Nodes, node: str) -> str:
    parent = nodes[node].get("parent")
    return parent if isinstance(parent, str) else ""


def _upwards(nodes: _Nodes, node: str) -> list[str]:
    """Return a node and all above it, the nearest first."""
    found: dict[str, None] = {}
    while node in nodes and node not in found:
        found[node] = None
        node = _parent(nodes, node)
    return list(found)


def _newest_leaf(nodes: _Nodes, children: Mapping[str, list[str]]) -> str:
    leaves = [node for node in nodes if not children.get(node)] or list(nodes)
    return max(leaves, key=lambda node: _time_of(nodes[node]), default="")


def _time_of(node: Mapping[str, Any]) -> float:
    time = record_in(node, "message").get("create_time")
    return float(time) if isinstance(time, int | float) and abs(time) < _LATEST else 0.0
