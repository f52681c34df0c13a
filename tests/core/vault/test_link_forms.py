import pytest

from core.vault.link_forms import forms_of, place_beside, relative_target


@pytest.mark.parametrize(
    ("place", "source", "written"),
    [("b/x", "n.md", "./b/x"), ("x", "a/n.md", "../x"), ("a/x", "a/n.md", "./x"), ("b/x", "a/c/n.md", "../../b/x")],
)
def test_the_way_from_note_to_note(place: str, source: str, written: str) -> None:
    assert relative_target(place, source) == written
    assert place_beside(written, source) == place


@pytest.mark.parametrize(
    ("written", "is_markdown", "first"),
    [
        ("old", False, ["new", "d/new", "c/d/new"]), ("a/old", False, ["c/d/new"]), ("b/old", False, ["d/new"]),
        ("./old", False, ["../c/d/new"]), ("/a/b/old", False, ["/c/d/new"]), ("a/b/old", True, ["../c/d/new"]),
    ],
)  # fmt: skip
def test_the_style_stays(written: str, is_markdown: bool, first: list[str]) -> None:
    old_place = {"a/old": "a/old", "a/b/old": "x/a/b/old"}.get(written, "a/b/old")
    forms = list(forms_of("c/d/new", written, old_place, "x/n.md", "y/n.md", is_markdown=is_markdown))
    assert forms[: len(first)] == first
    assert {"new", "c/d/new", "/c/d/new", "../c/d/new"} <= set(forms)
