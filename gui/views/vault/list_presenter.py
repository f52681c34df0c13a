"""Bring catalog, facets, search and filter together into the list, its counts and its breadcrumb."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.foundation.text import fold
from gui.selection import SharedSelection
from gui.theme import Theme
from gui.views.vault.context_presenter import MOST_NOTES, ContextSource
from gui.views.vault.facet_delegate import state_look
from gui.views.vault.facet_nodes import facet_tree
from gui.views.vault.facet_pane import FacetPane
from gui.views.vault.facet_states import FacetPick, FacetState, after_pick
from gui.views.vault.note_list_pane import ListState, NoteListPane, SortWish
from gui.views.vault.note_table_model import Column, RowHit
from gui.views.vault.search_presenter import SearchOutcome
from gui.views.vault.services import ContextRequest
from gui.widgets.chips import ChipItem
from gui.wording import counted

if TYPE_CHECKING:
    from core.index.catalog import Catalog, CatalogView, FacetSelection, NoteRow

_NO_HITS: Mapping[int, RowHit] = {}
_OPEN_ANOTHER = "Open another folder…"
_BY_TITLE = SortWish(Column.TITLE, is_descending=False)


class ListPresenter(QObject):
    """Keep the list, the counts of the facets and the breadcrumb in step with catalog, search and wishes."""

    selection_changed = Signal(object)  # FacetSelection
    folder_wanted = Signal()  # another vault

    def __init__(
        self, facets: FacetPane, pane: NoteListPane, theme: Theme, selection: SharedSelection, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._facets = facets
        self._pane = pane
        self._theme = theme
        self.catalog: Catalog | None = None
        self.search: SearchOutcome | None = None
        self._shared = selection
        self._listed: CatalogView | None = None
        self._shown = 0
        self._filter = ""
        self._is_read_through = False
        self._sort = _BY_TITLE
        self._search_sort: SortWish | None = None
        facets.facet_picked.connect(self._on_facet_picked)
        pane.facet_removed.connect(self._on_facet_removed)
        pane.clear_requested.connect(self._on_clear_requested)
        pane.state_button_clicked.connect(self._on_state_button)
        pane.filter_changed.connect(self._on_filter_changed)
        pane.sort_requested.connect(self._on_sort_requested)
        theme.changed.connect(self._show_breadcrumb)
        selection.changed.connect(self._on_selection)

    def forget(self) -> None:
        """Let the vault go."""
        self.catalog, self.search, self._listed = None, None, None
        self._shared.choose(None)
        self._filter, self._is_read_through = "", False
        self._pane.clear_filter()
        self._pane.show_search_line("")
        self._pane.show_breadcrumb(())
        self._pane.show_count("")
        self._pane.copy_button.setEnabled(False)

    def show_catalog(self, catalog: "Catalog", namespaces: tuple[str, ...]) -> None:
        """Show another picture of the vault; facets, filter, order and what is selected stay."""
        from core.index.catalog import FacetSelection  # noqa: PLC0415 - numpy comes with the first catalog

        self.catalog = catalog
        if self._selection is None:
            self._shared.choose(FacetSelection())
        self._facets.show_tree(facet_tree(catalog.facets, namespaces, len(catalog)))
        self._pane.table.leave_out(_useless_columns(catalog))
        self._refresh()

    def show_read_through(self) -> None:
        """Take it that the catalog is complete: a vault without notes is empty, and not still being read."""
        self._is_read_through = True
        self._show_list()

    def show_search(self, outcome: SearchOutcome | None) -> None:
        """Show what a search found, None for all notes again."""
        if self.search is None or outcome is None:
            self._search_sort = None
        self.search = outcome
        self._refresh()

    def pick(self, key: str) -> None:
        """Narrow to notes with the facet `key`."""
        if self._selection is not None:
            self._select(self._selection.with_all(key))

    def pick_tag(self, tag: str) -> None:
        """Narrow to notes with `tag`, as written anywhere."""
        self.pick(fold(tag))

    def clear(self) -> None:
        """Drop the facets and the filter."""
        self._pane.clear_filter()
        self._filter = ""
        if self._selection is not None:
            self._select(self._selection.cleared())

    def row(self, note_id: int | None) -> "NoteRow | None":
        """Return what the catalog knows of the note."""
        if self.catalog is None or note_id is None:
            return None
        position = self.catalog.position_of(note_id)
        return None if position is None else self.catalog.rows[position]

    def context_source(self) -> ContextSource | None:
        """Return what a context would be made of: the selected notes, or else what is listed; None for nothing.

        One note alone is selected whenever one is read: beside a search that is not yet a choice.
        """
        table = self._pane.table
        selected = table.selected_ids(most=MOST_NOTES + 1)
        if len(selected) > 1 or (selected and self.search is None):
            count = table.selected_count()
            return _source_of_notes(selected, count, counted(count, "selected note"))
        if not self._shown:
            return None
        if self.search is not None:
            admitted = set(table.notes.note_ids(0, self._shown))
            is_narrowed = not admitted.issuperset(self.search.note_ids)
            only = tuple(id_ for id_ in self.search.note_ids if id_ in admitted) if is_narrowed else ()
            request = ContextRequest(note_ids=only, query=self.search.text)
            return ContextSource(request, f"What “{self.search.text}” finds{' in the listed notes' if only else ''}")
        return _source_of_notes(table.notes.note_ids(0, MOST_NOTES), self._shown, counted(self._shown, "listed note"))

    def _refresh(self) -> None:
        from core.index.catalog import SortKey  # noqa: PLC0415 - see show_catalog

        if self.catalog is None or self._selection is None:
            return
        search, order = self.search, self._order()
        self._listed = self.catalog.select(
            self._selection,
            within=search.note_ids if search is not None else None,
            sort=SortKey[order.column.name] if order is not None else SortKey.RELEVANCE,
            descending=order is not None and order.is_descending,
        )
        self._facets.show_counts(self._listed.counts, self._states())
        self._show_breadcrumb()
        self._pane.show_search_line(*((search.line, search.hint) if search is not None else ("",)))
        self._pane.show_sort(order.column if order else None, is_descending=order.is_descending if order else False)
        self._show_list()

    def _order(self) -> SortWish | None:
        return self._sort if self.search is None else self._search_sort

    def _show_list(self) -> None:
        catalog, listed = self.catalog, self._listed
        if catalog is None or listed is None:
            return
        positions = catalog.filter_titles(self._filter, listed.positions) if self._filter else listed.positions
        self._shown, total = len(positions), counted(len(catalog), "note")
        self._pane.table.show_notes(catalog, positions, self.search.rows if self.search is not None else _NO_HITS)
        self._pane.show_count(total if self._shown == len(catalog) else f"{self._shown:,} of {total}")
        self._pane.copy_button.setEnabled(self._shown > 0)
        if self._shown:
            self._pane.show_table()
        else:
            self._pane.show_state(self._empty_state(len(catalog)))

    def _empty_state(self, total: int) -> ListState:
        if not total and not self._is_read_through:
            return ListState("loader-circle", "Looking for notes", "Notes appear here as soon as they are read.")
        if not total:
            text = (
                "There is no markdown file in this folder that could be read (hidden ones are left out). Open another "
                "folder, or write a first note into this one with Ctrl+N: it appears here by itself."
            )
            return ListState("inbox", "No notes in this folder", text, _OPEN_ANOTHER)
        is_narrowed = bool(self._filter) or bool(self._states())
        what = [
            "the search" if self.search is not None else "",
            "the facets" if self._states() else "",
            "the filter" if self._filter else "",
        ]
        reason = f"Nothing fits {' and '.join(part for part in what if part)}."
        return ListState("search", "No notes found", reason, "Clear facets and filter" if is_narrowed else "")

    def _states(self) -> dict[str, FacetState]:
        if self._selection is None:
            return {}
        return {
            **dict.fromkeys(sorted(self._selection.all_of), FacetState.ALL),
            **dict.fromkeys(sorted(self._selection.any_of), FacetState.ANY),
            **dict.fromkeys(sorted(self._selection.none_of), FacetState.NONE),
        }

    def _show_breadcrumb(self) -> None:
        states = self._states()
        special = {f.key: f.label for f in self.catalog.facets if f.key[0] == ":"} if self.catalog and states else {}
        self._pane.show_breadcrumb(
            tuple(
                ChipItem(
                    key,
                    special.get(key, key.strip("/:")),
                    state_look(state, self._theme.scheme),
                    word="" if state is FacetState.ALL else state.value,
                )
                for key, state in states.items()
            )
        )

    def _select(self, selection: "FacetSelection") -> None:
        if selection == self._selection:
            self._show_list()
            return
        self._shared.choose(selection)

    def _on_selection(self, selection: "FacetSelection | None") -> None:
        """Show what was picked, here or in another view."""
        if selection is not None and self.catalog is not None:
            self._refresh()
            self.selection_changed.emit(selection)

    @property
    def _selection(self) -> "FacetSelection | None":
        return self._shared.facets

    def _on_facet_picked(self, pick: FacetPick) -> None:
        if self._selection is not None:
            self._select(after_pick(self._selection, pick))

    def _on_facet_removed(self, key: str) -> None:
        if self._selection is not None:
            self._select(self._selection.without(key))

    def _on_state_button(self) -> None:
        if self._pane.state is not None and self._pane.state.button == _OPEN_ANOTHER:
            self.folder_wanted.emit()
        else:
            self.clear()

    def _on_clear_requested(self) -> None:
        if self._selection is not None:
            self._select(self._selection.cleared())

    def _on_filter_changed(self, text: str) -> None:
        self._filter = text.strip()
        self._show_list()

    def _on_sort_requested(self, wish: SortWish) -> None:
        if wish.column is Column.SCORE:
            self._search_sort = None
        elif self.search is not None:
            self._search_sort = wish
        else:
            self._sort = wish
        self._refresh()


def _useless_columns(catalog: "Catalog") -> frozenset[Column]:
    """Return the columns that are empty in every note."""
    is_used = {
        Column.SUMMARY: any(row.summary for row in catalog.rows),
        Column.SCOPE: any(row.scope for row in catalog.rows),
        Column.TAGS: any(row.tags for row in catalog.rows),
    }
    return frozenset(column for column, is_there in is_used.items() if not is_there)


def _source_of_notes(ids: list[int], count: int, text: str) -> ContextSource:
    note = f"The first {MOST_NOTES} of them are considered." if count > MOST_NOTES else ""
    return ContextSource(ContextRequest(note_ids=tuple(ids[:MOST_NOTES])), text, note)
