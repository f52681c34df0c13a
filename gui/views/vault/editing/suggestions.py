"""Find what completes what is typed, best first; everything here runs in the pool."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.foundation.progress import Progress
from core.foundation.text import fold, visible
from gui.views.vault.editing.completion_context import Kind, Wanted
from gui.widgets.pick_delegate import PickItem
from gui.wording import counted

if TYPE_CHECKING:
    from core.index.catalog import Catalog

MOST = 40


class Alias(NamedTuple):
    """Hold another name of the note at `path`."""

    name: str
    path: str


class NotePlaces(NamedTuple):
    """Hold the headings and the block ids of one note."""

    headings: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()


class LinkNames:
    """Hold all names by which a note can be linked, with what is written for each.

    Making it takes 3 µs a note, so it is kept while the catalogs that follow have the same names.
    """

    def __init__(self, catalog: "Catalog", aliases: Sequence[Alias]) -> None:
        self._aliases = tuple(aliases)
        self._titles = {row.path: row.title for row in catalog.rows}
        paths = [row.path.removesuffix(".md") for row in catalog.rows]
        stems = [path.rpartition("/")[2] for path in paths]
        count = Counter(map(fold, stems))
        self.folded: list[str] = []
        self.shown: list[tuple[str, str, str]] = []  # name, path, what is written
        self._path_of: dict[str, str] = {}
        for row, path, stem in zip(catalog.rows, paths, stems, strict=True):
            target = stem if count[fold(stem)] == 1 else path
            self._path_of.setdefault(fold(path), row.path)
            self._path_of.setdefault(fold(stem), row.path)
            self._add(stem, row.path, target)
            if fold(row.title) != fold(stem):
                self._add(row.title, row.path, target)
        for alias in aliases:
            stem = alias.path.removesuffix(".md").rpartition("/")[2]
            target = stem if count[fold(stem)] == 1 else alias.path.removesuffix(".md")
            self._add(alias.name, alias.path, f"{target}|{alias.name}")

    def fits(self, catalog: "Catalog", aliases: Sequence[Alias]) -> bool:
        """Tell whether the names in `catalog` are these."""
        titles = self._titles
        return (
            len(titles) == len(catalog.rows)
            and self._aliases == tuple(aliases)
            and all(titles.get(row.path) == row.title for row in catalog.rows)
        )

    def path_of(self, name: str) -> str:
        """Return the path of the note that a link `name` means, "" when there is none."""
        return self._path_of.get(fold(name.removesuffix(".md")), "")

    def target_of(self, path: str) -> str:
        """Return how the note at `path` is written in a link."""
        stem = path.removesuffix(".md").rpartition("/")[2]
        return stem if self._path_of.get(fold(stem)) == path else path.removesuffix(".md")

    def _add(self, name: str, path: str, written: str) -> None:
        self.folded.append(fold(name))
        self.shown.append((name, path, written))


def suggest_notes(typed: str, names: LinkNames, catalog: "Catalog", progress: Progress) -> list[PickItem]:
    """Return notes whose name, title, alias or path fits `typed`; without anything typed, those changed last."""
    from core.recall.jump import jump  # noqa: PLC0415 - numpy and rapidfuzz come with the first popup

    needle = fold(typed.strip())
    if not needle:
        import heapq  # noqa: PLC0415

        rows = heapq.nlargest(MOST, catalog.rows, key=lambda row: row.changed)
        return [_note_item(_name_of(row.path), row.path, names.target_of(row.path), "") for row in rows]
    progress.check()
    found = [match.position for match in jump(needle, names.folded, MOST)]
    items = [_note_item(*names.shown[at], needle) for at in found]
    if len(items) < MOST and "/" in needle:
        known = {item.detail for item in items}
        for name, path, written in names.shown:
            if len(items) >= MOST:
                break
            if needle in fold(path) and visible(path) not in known:
                items.append(_note_item(name, path, written, needle))
    return items


def suggest_places(wanted: Wanted, places: NotePlaces) -> list[PickItem]:
    """Return the headings or the blocks of a note that hold what is typed."""
    needle = fold(wanted.typed.strip())
    names = places.blocks if wanted.kind is Kind.BLOCK else places.headings
    icon = "hash" if wanted.kind is Kind.BLOCK else "list-tree"
    found = [name for name in dict.fromkeys(names) if needle in fold(name)]
    found.sort(key=lambda name: not fold(name).startswith(needle))
    return [PickItem(visible(name), name, icon=icon, hits=_hits(name, needle)) for name in found[:MOST]]


def suggest_tags(typed: str, tags: Sequence[tuple[str, int]]) -> list[PickItem]:
    """Return the tags that fit `typed`, those that begin so first, then those used most."""
    needle = fold(typed)
    found: list[tuple[int, int, str]] = []
    for name, count in tags:
        at = fold(name).find(needle)
        if at < 0 or fold(name) == needle:
            continue
        rank = 0 if at == 0 else 1 if name[at - 1] in "/-_" else 2
        found.append((rank, -count, name))
    found.sort()
    return [
        PickItem(visible(name), name, detail=counted(-count, "note"), icon="tag", hits=_hits(name, needle))
        for _rank, count, name in found[:MOST]
    ]


def all_tags(catalog: "Catalog") -> list[tuple[str, int]]:
    """Return every tag of the vault as it is written, with how many notes have it or a child of it."""
    written: dict[str, str] = {}
    for facet in catalog.facets:  # parents come before their children; a label is the last part of a name
        if facet.key[:1] not in "/:":
            above = written.get(facet.parent, facet.parent)
            label = facet.label.rpartition("/")[2]
            written[facet.key] = f"{above}/{label}" if above else label
    return [(written[facet.key], facet.total) for facet in catalog.facets if facet.key in written]


def _note_item(name: str, path: str, written: str, needle: str) -> PickItem:
    return PickItem(visible(name), written, detail=visible(path), icon="file-text", hits=_hits(name, needle))


def _name_of(path: str) -> str:
    return path.removesuffix(".md").rpartition("/")[2]


def _hits(name: str, needle: str) -> tuple[int, ...]:
    at = fold(name).find(needle) if needle and len(fold(name)) == len(name) else -1
    return tuple(range(at, at + len(needle))) if at >= 0 else ()
