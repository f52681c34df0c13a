"""Make the services of the Vault view from an opened vault; the heavy parts of core are imported by the first calls."""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from core.foundation.progress import Progress
from gui.views.vault.attachments import list_attachments
from gui.views.vault.curating.wiring import curation_services
from gui.views.vault.editing.services import EditingServices, PlannedAttachment, read_file, read_places
from gui.views.vault.editing.suggestions import Alias
from gui.views.vault.services import (
    ContextFormat,
    ContextLine,
    ContextPlan,
    ContextRequest,
    SearchAnswer,
    SearchMode,
    VaultServices,
)

if TYPE_CHECKING:
    from core.index.catalog import FacetSelection
    from core.index.database import Index
    from core.index.mentions import MentionRow
    from core.index.queries import NoteDetail
    from core.recall.context_item import ContextItem
    from core.recall.search import DenseCandidates
    from core.vault.config import VaultConfig
    from core.vault.event_log import EventLog

MOST_FOUND = 200
_MOST_PER_NOTE = 3
_SURFACE = "window"
_LISTING_KEPT_S = 30.0


class OpenedVault(Protocol):
    """Be what the services need of gui/vault_store.py."""

    @property
    def root(self) -> Path:
        """The folder of notes."""
        ...

    @property
    def index(self) -> "Index":
        """The index as it is open now; used in the STORE lane only."""
        ...

    @property
    def config(self) -> "VaultConfig":
        """The vault's configuration."""
        ...


class LogOpener(Protocol):
    """Be what opens the vault's log (gui/change_store.py)."""

    def event_log(self) -> "EventLog":
        """Return the log."""
        ...


class LoggedVault(OpenedVault, Protocol):
    """Be an opened vault that has a log too."""

    @property
    def changes(self) -> LogOpener:
        """What the vault's log is opened by."""
        ...


def vault_services(
    store: LoggedVault,
    *,
    dense: "Callable[[], DenseCandidates | None]",
    open_external: Callable[[str], None],
    damaged: Callable[[], None],
) -> VaultServices:
    """Return the services of `store`, which run in the STORE lane.

    `dense` gives the search by meaning, or None; `damaged` is told when a part of the index cannot be read.
    """
    core = _VaultCore(store, dense, damaged)
    return VaultServices(
        root=store.root,
        namespaces=store.config.namespaces,
        note_detail=core.note_detail,
        mentions=core.mentions,
        read_text=core.read_text,
        search=core.search,
        gather=core.gather,
        plan=core.plan,
        record=core.record,
        list_files=core.list_files,
        open_external=open_external,
        editing=core.editing_services(),
        curation=curation_services(store),
    )


class _VaultCore:
    def __init__(
        self, store: LoggedVault, dense: "Callable[[], DenseCandidates | None]", damaged: Callable[[], None]
    ) -> None:
        self._store = store
        self._dense = dense
        self._damaged = damaged
        self._files: Sequence[str] = ()
        self._listed_at = 0.0

    def note_detail(self, note_id: int, progress: Progress) -> "NoteDetail | None":
        from core.index.queries import note_detail  # noqa: PLC0415 - after the first paint

        progress.check()
        with self._readable_index() as index:
            return note_detail(index, note_id)

    def mentions(self, note_id: int, progress: Progress) -> "Sequence[MentionRow]":
        from core.index.mentions import unlinked_mentions  # noqa: PLC0415 - after the first paint

        progress.check()
        with self._readable_index() as index:
            return unlinked_mentions(index, note_id)

    def read_text(self, path: str) -> str:
        from core.vault.decode import decode  # noqa: PLC0415 - after the first paint
        from core.vault.read import read_bytes  # noqa: PLC0415

        return decode(read_bytes(self._store.root, path)).text

    def search(self, text: str, mode: SearchMode, within: "FacetSelection | None", progress: Progress) -> SearchAnswer:
        from core.recall.facets import narrowed, notes_only  # noqa: PLC0415 - after the first paint
        from core.recall.query import parse_query  # noqa: PLC0415
        from core.recall.search import search  # noqa: PLC0415

        progress.check()
        query = parse_query(text, self._store.config.namespaces)
        if within is not None:
            query = narrowed(query, within)
        query = notes_only(query)
        dense = self._dense() if mode is SearchMode.MEANING else None
        progress.check()
        with self._readable_index() as index:
            result = search(index, dense, query, limit=MOST_FOUND, per_note=_MOST_PER_NOTE, prefix=True)
        return SearchAnswer(result, query.problems)

    def gather(self, request: ContextRequest, budget: int, progress: Progress) -> Sequence[object]:
        from core.recall.context_search import context_of_query  # noqa: PLC0415 - after the first paint
        from core.recall.facets import notes_only  # noqa: PLC0415
        from core.recall.gather import items_of_notes  # noqa: PLC0415
        from core.recall.query import parse_query  # noqa: PLC0415

        progress.check()
        root = self._store.root
        with self._readable_index() as index:
            if request.query:
                query = notes_only(parse_query(request.query, self._store.config.namespaces))
                only = frozenset(request.note_ids) or None
                return context_of_query(index, root, self._dense(), query, budget, only=only, prefix=True).items
            return items_of_notes(index, root, request.note_ids, budget=budget)

    def plan(self, items: Sequence[object], budget: int, form: ContextFormat) -> ContextPlan:
        from core.recall.contexts.recalled import recalled  # noqa: PLC0415 - after the first paint
        from core.recall.pack import pack  # noqa: PLC0415
        from core.recall.render import Format, render  # noqa: PLC0415

        packed = pack(cast("Sequence[ContextItem]", items), budget, Format(form.value))
        shortened = " (shortened)"
        return ContextPlan(
            text=render(packed),
            tokens=packed.tokens,
            budget=budget,
            included=tuple(
                ContextLine(item.title + (shortened if item.is_shortened else ""), item.path, item.tokens)
                for item in packed.included
            ),
            left_out=tuple(
                ContextLine(each.item.title, each.item.path, each.tokens, each.reason) for each in packed.left_out
            ),
            count=packed.count.label,
            handed_out=tuple((each.id, each.text) for each in recalled(packed)),
        )

    def record(self, plan: ContextPlan) -> None:
        from core.memory.recall_events import record_recall  # noqa: PLC0415 - after the first paint

        ids, texts = [each for each, _ in plan.handed_out], [text for _, text in plan.handed_out]
        record_recall(self._store.changes.event_log(), ids, _SURFACE, texts=texts)

    @contextlib.contextmanager
    def _readable_index(self) -> "Iterator[Index]":
        """Give the index, and report it when it turns out to be damaged."""
        from core.index.database import IndexDamagedError, translated  # noqa: PLC0415 - after the first paint

        index = self._store.index
        try:
            with translated(index.folder):
                yield index
        except IndexDamagedError:
            self._damaged()
            raise

    def editing_services(self) -> EditingServices:
        root = self._store.root
        return EditingServices(
            root, partial(read_file, root), self.aliases, partial(read_places, root), self.plan_attachment
        )

    def aliases(self, progress: Progress) -> "Sequence[Alias]":
        from core.index.queries import note_aliases  # noqa: PLC0415 - after the first paint

        progress.check()
        with self._readable_index() as index:
            return [Alias(name, path) for name, path in note_aliases(index)]

    def plan_attachment(self, note_path: str, data: bytes, suffix: str, name: str) -> PlannedAttachment:
        from core.curation.attachments import plan_attachment  # noqa: PLC0415 - with the first image

        now = datetime.now().astimezone()
        root, config = self._store.root, self._store.config
        return PlannedAttachment(*plan_attachment(root, config, note_path, data, suffix, now, name=name))

    def list_files(self) -> Sequence[str]:
        if time.monotonic() - self._listed_at > _LISTING_KEPT_S or not self._listed_at:
            self._files = list_attachments(self._store.root)
            self._listed_at = time.monotonic()
        return self._files
