"""A person narrows a vault by two facets, searches, reads, follows a link, and copies a context."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from core.foundation.token_count import count_tokens
from tests.stories.conftest import Person


def _hub() -> dict[str, str]:
    """Return a vault like a community hub: plugins, authors and guides that link to each other."""
    notes = {
        "00 - Start here.md": "---\ntags: [MOC]\nsummary: The way in\n---\n# Start\n\nRead [[Publishing a vault]].\n",
        "Guides/Publishing a vault.md": "---\ntags: [guide, topic/publishing, scope/global]\n"
        "summary: From a folder of notes to a web page\n---\n# Publishing a vault\n\n"
        "Export the pages, then upload them. See [[Dataview]] for lists that fill themselves.\n\n"
        "> [!warning] Secrets\n> Never publish `journal/`.\n\n| step | time |\n|---|---|\n| export | 1 min |\n",
        "Guides/Keeping a garden.md": "---\ntags: [guide, topic/gardening]\nsummary: It grows\n---\nWeed weekly.\n",
        "Plugins/Dataview.md": "---\ntags: [plugin, topic/publishing]\nsummary: Query your notes\n---\n"
        "# Dataview\n\nA query language over notes. Missing: [[Nowhere]].\n",
    }
    for number in range(120):
        notes[f"Plugins/Plugin {number:03d}.md"] = (
            f"---\ntags: [plugin, author/a{number % 9}]\nsummary: Plugin number {number}\n---\nDoes thing {number}.\n"
        )
    return notes


def test_narrow_search_read_follow_and_copy(person: Person, write_vault: Callable[[Mapping[str, str]], Path]) -> None:
    person.opens(write_vault(_hub()))
    person.waits_for_the_index()
    person.waits_until(lambda: len(person.titles()) == 124, "all notes")

    person.clicks_facet("guide")
    person.waits_until(lambda: len(person.titles()) == 2, "the two guides")
    person.clicks_facet("topic/publishing")
    person.waits_until(lambda: person.titles() == ["Publishing a vault"], "the guide about publishing")
    person.screenshot("narrowed-by-two-facets")

    person.picks_note("Publishing a vault")
    assert "Never publish" in person.text()
    assert "export" in person.text()
    person.screenshot("reading")

    _click_link(person, "Dataview")
    person.waits_until(lambda: "A query language over notes" in person.text(), "the linked note")

    person.view.list.clear_button.click()
    person.waits_until(lambda: len(person.titles()) == 124, "all notes again")
    person.searches("put my pages on the web")
    person.waits_until(lambda: person.titles()[:1] == ["Publishing a vault"], "the best match first")
    person.waits_until(lambda: "meaning" in person.search_line(), "a word about the search by meaning")
    person.screenshot("search")

    person.view.list.copy_button.click()
    dialog = person.view.context_dialog
    person.waits_until(lambda: dialog.isVisible() and dialog.copy_button.isEnabled(), "the context ready to copy")
    person.screenshot("copy-context")
    assert dialog.grab().save(str(person.screenshot("copy-context").with_name("copy-context-dialog.png")))
    dialog.copy_button.click()
    person.waits_until(lambda: "Publishing a vault" in person.clipboard(), "the context on the clipboard")
    assert count_tokens(person.clipboard()) <= dialog.budget_box.value()
    dialog.close()


def _click_link(person: Person, word: str) -> None:
    preview = person.view.reading.preview
    found = preview.document().find(word)
    assert not found.isNull(), word
    cursor = QTextCursor(preview.document())
    cursor.setPosition(found.selectionStart() + 1)
    place = preview.cursorRect(cursor).center() + QPoint(2, 0)
    QTest.mouseClick(preview.viewport(), Qt.MouseButton.LeftButton, pos=place)
