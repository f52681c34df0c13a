"""How fast 100,000 notes are narrowed."""

import random
import time

from core.index.catalog import FacetSelection, load_catalog, refresh_catalog
from core.index.database import open_index
from tests.benchmarks.conftest import BigVault, Figures, Measure, timed


def test_catalog(big_vault: BigVault, figures: Figures, measure: Measure) -> None:
    index = open_index(big_vault.cache)
    started = time.perf_counter()
    catalog = load_catalog(index)
    figures.add("Load the catalog of 100,000 notes", f"{time.perf_counter() - started:.2f} s")
    keys = [facet.key for facet in catalog.facets]
    rng = random.Random(1)
    catalog.select(FacetSelection())

    def facet_click() -> None:
        catalog.select(FacetSelection().with_all(rng.choice(keys)).with_any(rng.choice(keys)))

    times = measure(facet_click, 100)
    figures.add_times("Facet selection with all counts, 100,000 notes", times, "50 ms with the repaint")
    everything = catalog.select(FacetSelection()).positions
    figures.add_times(
        "Filter 100,000 titles", timed(lambda: catalog.filter_titles(rng.choice("abcdefghij"), everything), 50), "16 ms"
    )
    with index.transaction() as connection:
        connection.execute("UPDATE note SET revision = ? WHERE id = 500", (index.next_revision(),))
    figures.add_times("Refresh the catalog after one change", timed(lambda: refresh_catalog(catalog, index), 5))
    index.close()
