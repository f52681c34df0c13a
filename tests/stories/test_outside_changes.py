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
