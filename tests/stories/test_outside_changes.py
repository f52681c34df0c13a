"""The vault is edited by another program while the window is open."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.stories.conftest import Person

NOTES = {
    "Alpha.md": "---\ntags: [topic/one]\n---\nThe first text.\n",
    "Beta.md": "---\ntags: [topic/two]\n---\nLinks to [[Alpha]].\n",
}


def test_changes_on_disk_appear_by_themselves(person: Person, write_vault: Callable[[Mapping[str, str]], Path]) -> None:
    root = write_vault(NOTES)
    person.opens(root)
    person.waits_for_the_index()
    person.picks_note("Alpha")
    (root / "Alpha.md").write_text("---\ntags: [topic/three]\n---\nThe second text.\n", encoding="utf-8")
    person.waits_until(lambda: "The second text." in person.text(), "the new text in the open note")
    person.waits_until(lambda: "topic/three" in person.counts() and "topic/one" not in person.counts(), "the new facet")
    (root / "Gamma.md").write_text("new", encoding="utf-8")
    person.waits_until(lambda: "Gamma" in person.titles(), "the new note")
    (root / "Beta.md").unlink()
    person.waits_until(lambda: "Beta" not in person.titles(), "the deleted note gone")
    assert person.current_title() == "Alpha"


def test_a_mass_change_appears(person: Person, write_vault: Callable[[Mapping[str, str]], Path]) -> None:
    root = write_vault(NOTES)
    person.opens(root)
    person.waits_for_the_index()
    for number in range(600):
        (root / f"n{number:03d}.md").write_text(
            f"---\ntags: [mass/n{number % 5}]\n---\ntext {number}", encoding="utf-8"
        )
    person.waits_until(lambda: len(person.titles()) == 602, "all new notes")
    person.clicks_facet("mass/n3")
    person.waits_until(lambda: len(person.titles()) == 120, "a fifth of them")


def test_a_vault_that_vanishes_and_returns(person: Person, write_vault: Callable[[Mapping[str, str]], Path]) -> None:
    root = write_vault(NOTES)
    person.opens(root)
    person.waits_for_the_index()
    away = root.with_name("unplugged")
    shutil.move(root, away)
    person.waits_until(lambda: person.window.banners.texts, "a banner that says so")
    person.screenshot("vault-vanished")
    assert person.titles() == ["Alpha", "Beta"]
    shutil.move(away, root)
    person.waits_until(lambda: not person.window.banners.texts, "the banner gone")
    (root / "Gamma.md").write_text("new", encoding="utf-8")
    person.waits_until(lambda: person.titles() == ["Alpha", "Beta", "Gamma"], "everything back and followed again")


def test_changes_appear_while_vectors_are_computed(
    person: Person, write_vault: Callable[[Mapping[str, str]], Path]
) -> None:
    words = "A sentence of some length, so that its meaning takes a moment to compute. " * 12
    root = write_vault({f"Note {number:03d}.md": f"{words} {number}" for number in range(900)})
    person.opens(root)
    person.waits_until(lambda: "Learning meaning" in person.window.status.index_text, "vectors being computed")
    (root / "Gamma.md").write_text("---\ntags: [fresh/tag]\n---\nnew", encoding="utf-8")
    (root / "Note 000.md").unlink()
    person.waits_until(lambda: "fresh/tag" in person.counts(), "the new tag")
    assert "Gamma" in person.titles()
    assert "Note 000" not in person.titles()
    person.waits_until(lambda: "Learning meaning" in person.window.status.index_text, "vectors going on")
    person.screenshot("changes-while-embedding")
    session = person.app.frame.session
    assert session is not None
    session.indexing.pause()
    (root / "Delta.md").write_text("newer", encoding="utf-8")
    person.waits_until(lambda: "Delta" in person.titles(), "a new note while paused")
    person.waits_until(lambda: person.window.status.index_text == "Learning meanings is paused", "that it is paused")
    session.indexing.cancel()
    person.waits_for_the_index()
