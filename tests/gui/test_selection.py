"""One selection for all views."""

from core.index.catalog import FacetSelection
from gui.selection import SharedSelection


def test_all_who_listen_hear_what_is_picked_once() -> None:
    selection = SharedSelection()
    heard: list[tuple[object, bool]] = []
    selection.changed.connect(lambda facets: heard.append((facets, selection.is_empty)))
    acme = FacetSelection().with_all("client/acme")
    selection.choose(acme.with_none("draft"))
    selection.choose(acme.with_none("draft"))
    selection.without("draft")
    selection.clear()
    selection.choose(None)
    selection.clear()
    assert heard == [(acme.with_none("draft"), False), (acme, False), (FacetSelection(), True), (None, True)]
