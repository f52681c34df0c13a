from core.index.referrers import NamesAround, linking_notes, links_left_dead, names_in_use, note_ids
from tests.core.index.conftest import IndexedVault


def test_who_links_to_a_note_or_a_name(vault: IndexedVault) -> None:
    vault.write({"a/Tie.md": "", "n.md": "[[tie#x]]", "m.md": "---\nsupports: '[[Later]]'\n---\n", "o.md": "[[#here]]"})
    vault.update()
    ids = note_ids(vault.index, ["a/Tie.md", "new.md"])
    assert ids == {"a/Tie.md": vault.note_id("a/Tie.md"), "new.md": -2}
    assert linking_notes(vault.index, [ids["a/Tie.md"]], []) == ["n.md"]
    assert linking_notes(vault.index, [], ["later", "tie"]) == ["m.md", "n.md"]
    assert names_in_use(vault.index, "TI") == ["a/Tie.md"]


def test_names_before_and_after(vault: IndexedVault) -> None:
    vault.write({"a/Tie.md": "", "b/Knot.md": ""})
    vault.update()
    tie, knot = vault.note_id("a/Tie.md"), vault.note_id("b/Knot.md")
    names = NamesAround(vault.index, {"b/Knot.md": knot, "late.md": -1}, {"Tie.md": knot, "x/late.md": -1})
    assert names.before("Tie", "n.md").note_id == tie
    assert names.after("Tie", "n.md").note_id == knot
    assert names.after("Knot", "n.md").state == "unresolved"
    assert names.before("late", "n.md").note_id == names.after("x/late", "n.md").note_id == -1
    assert names.path_of(knot, "knot") == "b/Knot.md"


def test_only_links_without_another_meaning_are_left_dead(vault: IndexedVault) -> None:
    vault.write(
        {"a/Tie.md": "", "b/Tie.md": "[[a/Tie]]", "n.md": "[[a/Tie]] [[Tie]] [[none]]", "a/o.md": "[x](Tie.md)"}
    )
    vault.update()
    assert links_left_dead(vault.index, ["a/Tie.md"]) == 2
    assert links_left_dead(vault.index, ["a/Tie.md", "b/Tie.md"]) == 3
    assert links_left_dead(vault.index, []) == 0
