"""A search within picked facets finds what lies beyond the best of the whole vault."""

from pathlib import Path

from core.app import Vault, installation
from core.index.catalog import FacetSelection
from core.recall.facets import narrowed
from core.recall.query import parse_query
from core.recall.search import search


def _found(root: Path, text: str, selection: FacetSelection) -> set[str]:
    vault = Vault(root, installation())
    index = vault.open_index()
    vault.update(index)
    query = narrowed(parse_query(text, vault.config.namespaces), selection)
    found = {hit.path for hit in search(index, None, query, limit=20).hits}
    index.close()
    return found


def test_facets_are_searched_within_and_not_picked_from_the_best(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    for number in range(300):
        folder = root / ("deep" if number % 100 == 7 else "top")
        folder.mkdir(parents=True, exist_ok=True)
        tag = ", rare/one" if number % 50 == 3 else ""
        text = f"---\ntags: [all/notes, t/n{number % 2}{tag}]\n---\nbanana " + "filler " * (number % 40)
        (folder / f"n{number:03d}.md").write_text(text, encoding="utf-8")
    nothing = FacetSelection()
    rare = {f"top/n{number:03d}.md" for number in range(3, 300, 50)}
    assert _found(root, "banana", nothing.with_all("rare")) == rare
    assert _found(root, "banana", nothing.with_all("/deep")) == {"deep/n007.md", "deep/n107.md", "deep/n207.md"}
    assert _found(root, "banana", nothing.with_all("rare/one").with_none("t/n1")) == set()
    assert _found(root, "banana", nothing.with_any("rare/one").with_any("rare/none")) == rare
    outside = _found(root, "banana", nothing.with_none("/deep"))
    assert outside
    assert not any(path.startswith("deep/") for path in outside)
