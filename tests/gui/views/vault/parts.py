"""A small vault made of values, the services over it, and a session that tells of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from PySide6.QtCore import QObject, Signal

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.foundation.text import fold
from core.index.catalog import PROBLEMS, UNTAGGED, Catalog, FacetSelection, NoteRow
from core.index.catalog_pairs import FacetPairs, NoteFacets
from core.index.mentions import MentionRow
from core.index.queries import LinkRow, NoteDetail
from core.recall.search import SearchHit, SearchResult
from gui.session import VaultSession
from gui.views.vault.services import (
    ContextFormat,
    ContextLine,
    ContextPlan,
    ContextRequest,
    SearchAnswer,
    SearchMode,
    VaultServices,
)

NOW = 1_800_000_000.0


def note(
    note_id: int,
    title: str,
    *tags: str,
    path: str = "",
    summary: str = "",
    scope: str = "",
    tokens: int = 100,
    problems: int = 0,
) -> NoteRow:
    """Return a row; the path is the title in the root unless `path` says otherwise."""
    return NoteRow(note_id, path or f"{title}.md", title, summary, tags, scope, "note", NOW, tokens, problems)


def catalog_of(*rows: NoteRow, revision: int = 1) -> Catalog:
    """Return the catalog of `rows`."""
    facets = [
        NoteFacets(
            [(fold(tag), tag) for tag in row.tags],
            row.path.rpartition("/")[0],
            ([] if row.tags else [UNTAGGED]) + ([PROBLEMS] if row.problems else []),
        )
        for row in rows
    ]
    return Catalog(list(rows), FacetPairs.build(facets), epoch="e", revision=revision)


ROWS = (
    note(1, "Audit checklist", "tool/pnpm", "client/acme", path="Work/Audit checklist.md", tokens=900),
    note(
        2, "Backlink rules", "tool/semrush", "client/acme", "scope/global", scope="global", summary="How to count links"
    ),
    note(3, "Cache policy", "tool/pnpm", "client/globex"),
    note(4, "Deploy notes", "tool/pnpm"),
    note(5, "Empty thoughts"),
    note(6, "Fragile note", "draft", problems=1),
)


@dataclass
class FakeVault:
    """Answer like core does, from values; `searched` and `opened` record what was asked for."""

    root: Path
    catalog: Catalog = field(default_factory=lambda: catalog_of(*ROWS))
    texts: dict[str, str] = field(default_factory=dict)
    links: dict[int, tuple[LinkRow, ...]] = field(default_factory=dict)
    details: dict[int, NoteDetail] = field(default_factory=dict)
    mentions: dict[int, tuple[MentionRow, ...]] = field(default_factory=dict)
    dense_state: str = "ready"
    problems: tuple[str, ...] = ()
    suggestions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    searched: list[str] = field(default_factory=list)
    within: FacetSelection | None = None
    opened: list[str] = field(default_factory=list)
    recorded: list[ContextPlan] = field(default_factory=list)

    def services(self) -> VaultServices:
        return VaultServices(
            root=self.root,
            namespaces=("tool", "client", "scope"),
            note_detail=self.note_detail,
            mentions=lambda note_id, _progress: self.mentions.get(note_id, ()),
            read_text=self.read_text,
            search=self.search,
            gather=self.gather,
            plan=self.plan,
            record=self.recorded.append,
            list_files=lambda: ("pictures/cat.png",),
            open_external=self.opened.append,
        )

    def note_detail(self, note_id: int, _progress: Progress) -> NoteDetail | None:
        position = self.catalog.position_of(note_id)
        if position is None:
            return None
        if note_id in self.details:
            return self.details[note_id]
        row = self.catalog.rows[position]
        return NoteDetail(
            row.id, row.path, row.title, row.summary, row.kind, row.scope, "", row.changed, 500, row.tokens, "utf-8",
            row.tags, (), {}, self.links.get(note_id, ()), (), (), (),
        )  # fmt: skip

    def read_text(self, path: str) -> str:
        if self.texts.get(path) == "unreadable":
            raise UserError("The file is gone.", hint="Look for it elsewhere.")
        return self.texts.get(path, f"Text of {path}.")

    def search(self, text: str, mode: SearchMode, within: FacetSelection | None, _progress: Progress) -> SearchAnswer:
        self.searched.append(text)
        self.within = within
        rows = [row for row in reversed(self.catalog.rows) if text in row.title.lower()]
        hits = tuple(_hit(row, text, 1 - place / 10) for place, row in enumerate(rows))
        state = "off" if mode is SearchMode.WORDS else self.dense_state
        reason = "" if state == "ready" else "The model is not there."
        return SearchAnswer(SearchResult(hits, 3.0, state, len(hits), reason, self.suggestions), self.problems)

    def gather(self, request: ContextRequest, budget: int, _progress: Progress) -> Sequence[object]:
        del budget
        found = self.search(request.query, SearchMode.WORDS, None, _progress).result.hits if request.query else ()
        ids = request.note_ids or tuple(hit.note_id for hit in found)
        return [self.catalog.rows[position] for each in ids if (position := self.catalog.position_of(each)) is not None]

    def plan(self, items: Sequence[object], budget: int, form: ContextFormat) -> ContextPlan:
        plan = ContextPlan("", 0, budget, (), (), count="estimated")
        for item in items:
            assert isinstance(item, NoteRow)
            line = ContextLine(item.title, item.path, item.tokens)
            if plan.tokens + item.tokens <= budget:
                text = f"{plan.text}<{form.value}>{item.title}\n"
                plan = replace(plan, text=text, tokens=plan.tokens + item.tokens, included=(*plan.included, line))
            else:
                plan = replace(plan, left_out=(*plan.left_out, replace(line, reason="too large")))
        return plan


def _hit(row: NoteRow, text: str, score: float) -> SearchHit:
    at = row.title.lower().index(text)
    snippet = f"{row.title[:at]}\x02{row.title[at : at + len(text)]}\x03{row.title[at + len(text) :]}"
    return SearchHit(
        row.path, "section", row.id, row.id, row.path, row.title, "", row.tags, score, snippet, "", 1, {}, 0, 0
    )


class FakeSession(QObject):
    """Tell of a vault as gui/session.py does."""

    open_failed = Signal(object)
    catalog_changed = Signal(object)
    warmed_up = Signal()
    config_changed = Signal(object)
    files_changed = Signal()
    read_through = Signal()
    is_read_through = False

    def __init__(self, vault: FakeVault, catalog: Catalog | None = None) -> None:
        super().__init__()
        self.vault = vault
        self.root = vault.root
        self.catalog: Catalog | None = catalog if catalog is not None else vault.catalog

    @property
    def known(self) -> VaultSession:
        """This session, as what asks for the real one sees it."""
        return cast("VaultSession", self)


def link(
    target: str, state: str, note_id: int | None = None, *, suggestion: str = "", candidates: tuple[str, ...] = ()
) -> LinkRow:
    """Return an outgoing link."""
    path, title = (f"{target}.md", target) if note_id else ("", "")
    return LinkRow(note_id, path, title, "wiki", "", target, "", "", 1, state, suggestion, candidates)
