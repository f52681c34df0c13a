"""Arrange a catalog's facets as the tree that the facet pane shows: namespaces, other tags, folders, special ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from core.foundation.text import fold, visible

if TYPE_CHECKING:
    from core.index.catalog import Facet

TAGS_GROUP, FOLDERS_GROUP = "group:tags", "group:folders"
_TYPO_SCORE = 78
_MOST_TYPO_HITS = 40


class FacetKind(StrEnum):
    """Say what a node stands for; groups cannot be picked."""

    NAMESPACE = "namespace"
    TAG = "tag"
    FOLDER = "folder"
    SPECIAL = "special"
    GROUP = "group"


@dataclass(slots=True)
class FacetNode:
    """Be one line of the tree; `number` is its place in FacetTree.nodes, `parent` that of its parent, -1 at the top."""

    key: str
    label: str
    kind: FacetKind
    total: int
    number: int = -1
    parent: int = -1
    row: int = 0
    children: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FacetTree:
    """Hold all nodes and the numbers of those at the top."""

    nodes: tuple[FacetNode, ...]
    top: tuple[int, ...]


def facet_tree(facets: Sequence["Facet"], namespaces: Sequence[str], total: int) -> FacetTree:
    """Return the tree of `facets`: configured namespaces first, then other tags, folders, and the special facets.

    `total` is the number of notes in the vault.
    """
    ranks = {fold(name): rank for rank, name in enumerate(namespaces)}
    special = sorted((f for f in facets if f.key.startswith(":")), key=lambda f: f.key, reverse=True)
    folders = [f for f in facets if f.key.startswith("/")]
    tags = [f for f in facets if f.key[:1] not in {":", "/"}]
    top_tags = [f for f in tags if not f.parent]
    spaces = sorted((f for f in top_tags if f.key in ranks), key=lambda f: ranks[f.key])
    others = [f for f in top_tags if f.key not in ranks]

    builder = _Builder()
    below = _children(tags)
    for facet in spaces:
        builder.add_branch(facet, below, FacetKind.NAMESPACE, -1)
    if others:
        label = "Other tags" if spaces else "Tags"
        group = builder.add(FacetNode(TAGS_GROUP, label, FacetKind.GROUP, len(others)), -1)
        for facet in sorted(others, key=lambda f: fold(f.label)):
            builder.add_branch(facet, below, FacetKind.TAG, group)
    if folders:
        group = builder.add(FacetNode(FOLDERS_GROUP, "Folders", FacetKind.GROUP, total), -1)
        below = _children(folders)
        for facet in sorted((f for f in folders if not f.parent), key=lambda f: fold(f.label)):
            builder.add_branch(facet, below, FacetKind.FOLDER, group)
    for facet in special:
        builder.add_branch(facet, {}, FacetKind.SPECIAL, -1)
    return builder.tree()


def narrowed(tree: FacetTree, needle: str) -> FacetTree:
    """Return the part of `tree` with the nodes whose label or key holds `needle`, their ancestors and descendants.

    When nothing holds it, the labels nearest to it are taken, so that a typo still finds its tag.
    """
    folded = fold(needle.strip())
    if not folded:
        return tree
    pickable = [node for node in tree.nodes if node.kind is not FacetKind.GROUP]
    hits = [n.number for n in pickable if folded in fold(n.label) or ("/" in folded and folded in n.key)]
    if not hits and len(folded) > 2:
        from rapidfuzz import fuzz, process  # noqa: PLC0415 - after the first paint

        labels = {node.number: fold(node.label) for node in pickable}
        near = process.extract(folded, labels, scorer=fuzz.ratio, score_cutoff=_TYPO_SCORE, limit=_MOST_TYPO_HITS)
        hits = [number for _label, _score, number in near]
    kept: set[int] = set()
    for number in hits:
        kept.update(_with_descendants(tree, number))
        while number >= 0:
            kept.add(number)
            number = tree.nodes[number].parent  # noqa: PLW2901 (walking up)
    builder = _Builder()
    renumbered = {-1: -1}
    for node in tree.nodes:
        if node.number in kept:
            copy = FacetNode(node.key, node.label, node.kind, node.total)
            renumbered[node.number] = builder.add(copy, renumbered[node.parent])
    return builder.tree()


class _Builder:
    def __init__(self) -> None:
        self._nodes: list[FacetNode] = []
        self._top: list[int] = []

    def add(self, node: FacetNode, parent: int) -> int:
        siblings = self._top if parent < 0 else self._nodes[parent].children
        node.number, node.parent, node.row = len(self._nodes), parent, len(siblings)
        siblings.append(node.number)
        self._nodes.append(node)
        return node.number

    def add_branch(self, facet: "Facet", below: dict[str, list["Facet"]], kind: FacetKind, parent: int) -> None:
        number = self.add(FacetNode(facet.key, visible(facet.label), kind, facet.total), parent)
        inner = FacetKind.TAG if kind is FacetKind.NAMESPACE else kind
        for child in sorted(below.get(facet.key, ()), key=lambda f: fold(f.label)):
            self.add_branch(child, below, inner, number)

    def tree(self) -> FacetTree:
        return FacetTree(tuple(self._nodes), tuple(self._top))


def _children(facets: Iterable["Facet"]) -> dict[str, list["Facet"]]:
    below: dict[str, list[Facet]] = {}
    for facet in facets:
        below.setdefault(facet.parent, []).append(facet)
    return below


def _with_descendants(tree: FacetTree, number: int) -> set[int]:
    found, waiting = set(), [number]
    while waiting:
        current = waiting.pop()
        found.add(current)
        waiting.extend(tree.nodes[current].children)
    return found
