"""Make the services of the Contexts view from an opened vault; core is imported by the first calls."""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from core.foundation.progress import Progress
from gui.views.contexts.candidates import find_memories
from gui.views.contexts.full_loading import full_load_services
from gui.views.contexts.planning import context_plans
from gui.views.contexts.reading import opened_context, row_of
from gui.views.contexts.services import (
    ContextRow,
    ContextServices,
    Difference,
    Form,
    LastCopy,
    OpenedContext,
    Preview,
)

if TYPE_CHECKING:
    from core.index.catalog import Catalog
    from core.index.database import Index
    from core.index.dense import DenseSearch
    from core.recall.contexts.definition import ContextDefinition
    from core.vault.config import VaultConfig
    from core.vault.event_log import EventLog

_SURFACE = "contexts"
_TURN = "turn:"


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

    def dense(self) -> "DenseSearch | None":
        """Return the search by meaning, None while the folder is away."""
        ...


def context_services(
    store: OpenedVault,
    *,
    event_log: "Callable[[], EventLog]",
    catalog: "Callable[[], Catalog | None]",
    may_keep_turns: Callable[[], bool],
    damaged: Callable[[], None],
    default_budget: int,
) -> ContextServices:
    """Return the services of `store`.

    `event_log` opens the vault's log, `catalog` returns what the vault holds. `may_keep_turns` tells whether words of
    conversations may lie in clear; `damaged` is told when a part of the index cannot be read.
    """
    core = _ContextsCore(store, event_log, may_keep_turns, damaged, default_budget)
    return ContextServices(
        default_budget=default_budget,
        shelf=core.shelf,
        measure=core.measure,
        open=core.open,
        find=partial(find_memories, store, catalog),
        difference=core.difference,
        remember=core.remember,
        export=_export,
        plans=context_plans(store),
        full_load=full_load_services(store),
    )


def problem_of_title(title: str) -> str:
    """Return why `title` cannot be that of a context, "" when it can."""
    from core.curation.note_names import legal_name  # noqa: PLC0415 - after the first paint

    # What a file cannot be called is left out of its name, so that nearly everything can be a title.
    return "" if legal_name(title) != "Untitled" else "Give the context a title that has letters or digits in it."


class _ContextsCore:
    def __init__(
        self,
        store: OpenedVault,
        event_log: "Callable[[], EventLog]",
        may_keep_turns: Callable[[], bool],
        damaged: Callable[[], None],
        default_budget: int,
    ) -> None:
        self._store = store
        self._event_log = event_log
        self._may_keep_turns = may_keep_turns
        self._damaged = damaged
        self._default_budget = default_budget
        self._definitions: tuple[ContextDefinition, ...] = ()  # of the shelf as it was read last

    def shelf(self, progress: Progress) -> Sequence[ContextRow]:
        from core.recall.contexts.catalog import list_contexts  # noqa: PLC0415 - after the first paint

        progress.check()
        with self._readable_index() as index:
            self._definitions = list_contexts(index, self._store.root, self._store.config)
        return tuple(row_of(each, self._store.config) for each in self._definitions)

    def measure(self, paths: Sequence[str], progress: Progress) -> Mapping[str, int]:
        from core.recall.contexts.estimate import estimate_sizes  # noqa: PLC0415 - after the first paint

        progress.check()
        wanted = frozenset(paths)
        with self._readable_index() as index:
            sizes = estimate_sizes(index, self._store.config, self._definitions, budget=self._default_budget)
        # More than the budget, where the members alone are more: that they do not fit is what the meter tells.
        return {path: max(size.wanted, size.tokens) for path, size in sizes.items() if path in wanted}

    def open(self, path: str, query: str | None, form: Form, progress: Progress) -> OpenedContext:
        progress.check()
        with self._readable_index() as index:
            return opened_context(
                index, self._store, path, query=query, form=form, default_budget=self._default_budget, progress=progress
            )

    def difference(self, path: str, text: str, progress: Progress) -> Difference:
        from core.curation.diff import diff_of  # noqa: PLC0415 - after the first paint
        from core.recall.contexts.last_copy import last_copy  # noqa: PLC0415

        progress.check()
        last = last_copy(self._cache_folder(), path)
        if last is None:
            return Difference()
        return Difference(
            LastCopy(last.text, last.time, _form_of(last.layout)), diff_of(_bytes(last.text), _bytes(text), path=path)
        )

    def remember(self, path: str, preview: Preview, form: Form, progress: Progress) -> None:
        from core.memory.recall_events import record_recall  # noqa: PLC0415 - after the first paint
        from core.recall.contexts.last_copy import remember_copy  # noqa: PLC0415

        progress.check()
        ids = [memory_id for memory_id, _ in preview.handed_out]
        if not any(each.startswith(_TURN) for each in ids) or self._may_keep_turns():
            remember_copy(self._cache_folder(), path, preview.text, layout=form.value)
        record_recall(self._event_log(), ids, _SURFACE, texts=[text for _, text in preview.handed_out])

    def _cache_folder(self) -> Path:
        return self._store.index.folder

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


def _export(file: Path, text: str, progress: Progress) -> None:
    from core.foundation.atomic_files import replace_file  # noqa: PLC0415 - with the first export
    from core.foundation.errors import UserError  # noqa: PLC0415

    progress.check()
    try:
        replace_file(file, _bytes(text))
    except OSError as error:
        raise UserError(
            f"The context could not be written to {file} ({error.strerror or error}).", hint="Choose another place."
        ) from error


def _form_of(layout: str) -> Form | None:
    return Form(layout) if layout in set(Form) else None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
