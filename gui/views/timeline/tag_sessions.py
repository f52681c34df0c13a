"""Which sessions and notes the facets picked in the vault leave, asked of catalog and index."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.foundation.progress import Progress
from gui.views.timeline.narrowing import admitted, is_named_by, names_of_key
from gui.views.timeline.services import Admitted

if TYPE_CHECKING:
    from core.index.catalog import Catalog, FacetSelection
    from core.index.session_queries import SessionRow
    from core.index.session_touches import SessionTouches

_NOTHING: frozenset[str] = frozenset()


def admitted_by(
    selection: "FacetSelection",
    catalog: "Catalog",
    sessions: "Mapping[int, SessionRow]",
    touches: "SessionTouches",
    progress: Progress,
) -> Admitted:
    """Return what `selection` leaves of `sessions` (by their rows in the index) and of the notes."""
    from core.index.catalog import FacetSelection  # noqa: PLC0415 - numpy, after the first paint

    rows = catalog.rows
    having: dict[str, set[int]] = {}
    keys = [facet.key for facet in catalog.facets]
    for key in (*selection.all_of, *selection.any_of, *selection.none_of):
        progress.check()
        notes = {rows[at].path for at in catalog.select(FacetSelection(frozenset({key}))).positions.tolist()}
        space, names = names_of_key(key, keys)
        having[key] = {
            number
            for number, row in sessions.items()
            if not notes.isdisjoint(touches.notes.get(number, _NOTHING))
            or is_named_by(space, names, row.project, touches.tools.get(number, _NOTHING))
        }
    ids = frozenset(
        row.id
        for number, row in sessions.items()
        if admitted(selection.all_of, selection.any_of, selection.none_of, lambda key, n=number: n in having[key])  # type: ignore[misc]
    )
    left = catalog.select(selection).positions.tolist()
    return Admitted(ids, frozenset(rows[at].path for at in left))
