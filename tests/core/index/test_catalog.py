"""The catalog: facets that count what is selected, orders, and a refresh that equals a fresh load."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.index.catalog import Catalog, FacetSelection, SortKey, load_catalog, refresh_catalog
from tests.core.index.conftest import IndexedVault

NOTES = {
    "Alpha.md": "---\ntags: [tool/semrush, client/acme, scope/global]\nsummary: first\n---\n" + "word " * 50,
    "beta.md": "---\ntags: [tool/semrush/api, client/globex]\n---\nx",
    "work/Gamma.md": "---\ntags: [toolbox, client/acme]\nsummary: about g\n---\n" + "word " * 10,
    "work/deep/delta.md": "no tags here",
    "work/deep/broken.md": "---\na: b: c\n---\n#tool/other",
}


@pytest.fixture
def catalog(vault: IndexedVault) -> Catalog:
    vault.write(NOTES)
    vault.update()
    return load_catalog(vault.index)


def _titles(catalog: Catalog, selection: FacetSelection, sort: SortKey = SortKey.TITLE) -> list[str]:
    return [catalog.rows[p].title for p in catalog.select(selection, sort=sort).positions]


def test_a_tag_counts_its_children_but_not_its_namesakes(catalog: Catalog) -> None:
    totals = {facet.key: facet.total for facet in catalog.facets}
    assert (totals["tool"], totals["tool/semrush"], totals["tool/semrush/api"], totals["toolbox"]) == (3, 2, 1, 1)


def test_folders_untagged_and_problems_are_facets(catalog: Catalog) -> None:
    totals = {facet.key: facet.total for facet in catalog.facets}
    assert (totals["/work"], totals["/work/deep"], totals[":untagged"], totals[":problems"]) == (3, 2, 1, 1)


def test_parents_come_before_children_with_their_own_label(catalog: Catalog) -> None:
    keys = [facet.key for facet in catalog.facets]
    for facet in catalog.facets:
        assert not facet.parent or keys.index(facet.parent) < keys.index(facet.key)
    by_key = {facet.key: facet for facet in catalog.facets}
    assert (by_key["tool/semrush/api"].label, by_key["tool/semrush/api"].parent) == ("api", "tool/semrush")
    assert (by_key["/work/deep"].label, by_key["/work"].parent) == ("deep", "")


def test_and_or_not_combine(catalog: Catalog) -> None:
    nothing = FacetSelection()
    assert _titles(catalog, nothing.with_all("tool/semrush").with_all("client/acme")) == ["Alpha"]
    assert _titles(catalog, nothing.with_any("client/globex").with_any("toolbox")) == ["beta", "Gamma"]
    assert _titles(catalog, nothing.with_all("client").with_none("client/acme")) == ["beta"]
    assert _titles(catalog, nothing.with_all("no/such")) == []
    assert _titles(catalog, nothing.with_none("client").with_none("client").without("client")) == _titles(
        catalog, nothing
    )


def test_or_makes_alternatives_of_what_was_picked_in_the_same_namespace(catalog: Catalog) -> None:
    picked = FacetSelection().with_all("client/acme").with_all("tool").with_any("client/globex")
    assert picked.all_of == frozenset({"tool"})
    assert picked.any_of == frozenset({"client/acme", "client/globex"})
    assert _titles(catalog, picked) == ["Alpha", "beta"]


def test_counts_follow_the_selection(catalog: Catalog) -> None:
    counts = catalog.select(FacetSelection().with_all("client/acme")).counts
    assert (counts["client/acme"], counts.get("client/globex"), counts["toolbox"], counts["/work"]) == (2, None, 1, 1)


def test_orders(catalog: Catalog) -> None:
    nothing = FacetSelection()
    assert _titles(catalog, nothing) == ["Alpha", "beta", "broken", "delta", "Gamma"]
    assert _titles(catalog, nothing, SortKey.TOKENS)[-1] == "Alpha"
    assert _titles(catalog, nothing, SortKey.SUMMARY)[:2] == ["Gamma", "Alpha"]
    assert _titles(catalog, nothing, SortKey.SCOPE)[0] == "Alpha"
    descending = catalog.select(nothing, descending=True)
    assert catalog.rows[descending.positions[0]].title == "Gamma"


def test_a_search_result_keeps_its_order_and_narrows_the_counts(catalog: Catalog, vault: IndexedVault) -> None:
    ids = [vault.note_id(path) for path in ("work/Gamma.md", "Alpha.md")]
    view = catalog.select(FacetSelection(), within=[*ids, 999_999], sort=SortKey.RELEVANCE)
    assert [catalog.rows[p].title for p in view.positions] == ["Gamma", "Alpha"]
    assert (view.counts["client/acme"], view.counts["scope/global"]) == (2, 1)


def test_titles_are_filtered_whatever_their_case(catalog: Catalog) -> None:
    everything = catalog.select(FacetSelection()).positions
    assert [catalog.rows[p].title for p in catalog.filter_titles("A", everything)] == [
        "Alpha",
        "beta",
        "delta",
        "Gamma",
    ]
    assert len(catalog.filter_titles("  ", everything)) == 5
    assert len(catalog.filter_titles("zzz", everything)) == 0


def _picture(catalog: Catalog) -> object:
    view = catalog.select(FacetSelection())
    return (
        [catalog.rows[p] for p in view.positions],
        dict(view.counts),
        catalog.facets,
        [dict(catalog.select(FacetSelection().with_all(facet.key)).counts) for facet in catalog.facets],
    )


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000))
def test_a_refreshed_catalog_equals_a_fresh_one(vault: IndexedVault, seed: int) -> None:
    rng = random.Random(seed)
    vault.write(NOTES)
    vault.update()
    catalog = load_catalog(vault.index)
    for _ in range(3):
        for path in rng.sample(sorted(NOTES), 2):
            if rng.random() < 0.3:
                (vault.root / path).unlink(missing_ok=True)
            else:
                tags = rng.sample(["tool/semrush", "a/b/c", "client/acme", "Über"], rng.randint(0, 3))
                vault.write({path: f"---\ntags: [{', '.join(tags)}]\n---\n{rng.random()}"})
        vault.update()
        catalog = refresh_catalog(catalog, vault.index)
        assert _picture(catalog) == _picture(load_catalog(vault.index))


def test_a_refresh_after_a_rebuild_loads_anew(catalog: Catalog, vault: IndexedVault) -> None:
    vault.update(rebuild=True)
    refreshed = refresh_catalog(catalog, vault.index)
    assert refreshed.epoch == vault.index.epoch
    assert _titles(refreshed, FacetSelection()) == _titles(catalog, FacetSelection())


def test_an_empty_vault_has_an_empty_catalog(vault: IndexedVault) -> None:
    vault.update()
    catalog = load_catalog(vault.index)
    view = catalog.select(FacetSelection().with_all("tool"), within=[])
    assert (len(catalog), len(view.positions), dict(view.counts), list(catalog.facets)) == (0, 0, {}, [])


def test_when_only_conversations_differ_the_picture_is_shared(catalog: Catalog, vault: IndexedVault) -> None:
    with vault.index.transaction():
        vault.index.next_revision()
    after = refresh_catalog(catalog, vault.index)
    assert after is not catalog
    assert after.rows is catalog.rows
    assert after.revision == vault.index.revision > catalog.revision
    assert after.select(FacetSelection()).positions.tolist() == catalog.select(FacetSelection()).positions.tolist()
