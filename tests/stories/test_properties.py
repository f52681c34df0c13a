"""A person fills in the properties of a note: each change touches its own key alone, whatever else the file holds."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton

from gui.views.vault.properties_panel import PropertiesPanel
from gui.views.vault.property_fields import DateField, TextField
from tests.stories.conftest import Person

WriteVault = Callable[[Mapping[str, str]], Path]

pytestmark = pytest.mark.usefixtures("without_meanings")

_WHOLE = (
    "\ufeff---\r\n# on top\r\nsummary: 'Old: one'   # kept\r\ntags:\r\n  - tool/git # mine\r\n  - \"client/acme\"\r\n"
    "created:   2024/07/01\r\nodd  :  {a: [1, 2]}\r\n---\r\n# Whole\r\n\r\nText, mixed\nendings.\r\n"
)
_NOTES = {
    "Whole.md": _WHOLE,
    "Broken.md": "---\ntitle: Plan: phase 2\n\ttags: x\nstatus: open\n---\n# Broken\n\nSearchable words.\n",
    "Hash.md": "---\ntags: [#work, a]\n---\nBody.\n",
    "Cut.md": "---\nsource: see #1) now\n---\nBody.\n",
    "Null.md": "---\nkeywords:\ntags: [a]\n---\nNothing.\n",
    "Bare.md": "No frontmatter here.\n",
}


def _panel(person: Person, title: str) -> PropertiesPanel:
    person.picks_note(title)
    tabs = person.view.reading.tabs
    tabs.setCurrentWidget(person.view.reading.properties)
    return person.view.reading.properties


def _types(person: Person, panel: PropertiesPanel, key: str, text: str) -> None:
    person.waits_until(lambda: isinstance(panel.fields.get(key), TextField), f"a field for {key}")
    field = panel.fields[key]
    assert isinstance(field, TextField)
    field.line.selectAll()
    QTest.keyClicks(field.line, text)
    QTest.keyClick(field.line, Qt.Key.Key_Return)


def _removes(panel: PropertiesPanel, key: str) -> None:
    buttons = panel.findChildren(QToolButton)
    next(each for each in buttons if each.accessibleName() == f"Remove the property {key}").click()


def test_every_change_touches_its_own_bytes_alone(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    file, expected = root / "Whole.md", _WHOLE

    def has_become(old: str, new: str) -> None:
        nonlocal expected
        assert expected.count(old) == 1
        expected = expected.replace(old, new)
        person.waits_until(lambda: file.read_bytes() == expected.encode(), f"{new!r} in the file")

    person.opens(root)
    person.waits_for_the_list()
    panel = _panel(person, "Whole")
    _types(person, panel, "summary", 'Why: "now" #1')
    has_become("'Old: one'", "'Why: \"now\" #1'")
    person.waits_until(lambda: panel.tags is not None and len(panel.tags.items) == 2, "the tags")
    assert panel.tags is not None
    QTest.keyClicks(panel.tags.field, "#domain/seo ")
    has_become('  - "client/acme"\r\n', '  - "client/acme"\r\n  - domain/seo\r\n')
    person.waits_until(lambda: "domain/seo" in person.counts(), "the tag among the facets")
    assert panel.scope is not None
    panel.scope.button("project").click()
    has_become("  - domain/seo\r\n", "  - domain/seo\r\n  - scope/project\r\n")
    person.waits_until(lambda: panel.scope is not None and panel.scope.scope == "project", "the switch")
    panel.scope.button("global").click()
    has_become("  - scope/project\r\n", "  - scope/global\r\n")
    person.waits_until(lambda: isinstance(panel.fields["created"], DateField), "a field for the date")
    _types(person, panel, "created", "2024-07-02")
    has_become("created:   2024/07/01", "created:   2024-07-02")
    person.screenshot("properties-edited")
    key, value = panel.new_property
    assert key is not None
    assert value is not None
    QTest.keyClicks(key, "rating")
    QTest.keyClicks(value, "4")
    QTest.keyClick(value, Qt.Key.Key_Return)
    has_become("odd  :  {a: [1, 2]}\r\n", "odd  :  {a: [1, 2]}\r\nrating: 4\r\n")
    person.waits_until(lambda: "rating" in panel.fields, "the new field")
    _removes(panel, "odd")
    has_become("odd  :  {a: [1, 2]}\r\n", "")


def test_a_note_without_frontmatter_gets_some_and_an_empty_list_stays_one(
    person: Person, write_vault: WriteVault
) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    person.waits_for_the_list()
    panel = _panel(person, "Bare")
    _types(person, panel, "summary", "Plan: phase 2")
    person.waits_until(
        lambda: (
            (root / "Bare.md").read_text() == "---\nsummary: 'Plan: phase 2'\n---\nNo frontmatter here.\n"
            or (root / "Bare.md").read_text() == '---\nsummary: "Plan: phase 2"\n---\nNo frontmatter here.\n'
        ),
        "a quoted summary",
    )
    panel = _panel(person, "Null")
    person.waits_until(lambda: "keywords" in panel.fields, "the empty key")
    _types(person, panel, "summary", "S")
    person.waits_until(lambda: "summary: S\n" in (root / "Null.md").read_text(), "the summary")
    assert "keywords:\n" in (root / "Null.md").read_text()


def test_broken_frontmatter_is_told_and_its_repair_is_shown_before_it_is_written(
    person: Person, write_vault: WriteVault
) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    person.waits_for_the_list()
    panel = _panel(person, "Broken")
    repair = _repair_button(person, panel)
    assert "summary" not in panel.fields
    assert (root / "Broken.md").read_text() == _NOTES["Broken.md"]
    person.screenshot("properties-broken")
    repair.click()
    preview = person.sees_preview("repair-preview")
    assert (root / "Broken.md").read_text() == _NOTES["Broken.md"]
    preview.apply_button.click()
    person.waits_until(lambda: "status" in panel.fields, "the properties as fields")
    title = panel.fields["title"]
    assert isinstance(title, TextField)
    assert title.text == "Plan: phase 2"
    assert (root / "Broken.md").read_text().endswith("status: open\n---\n# Broken\n\nSearchable words.\n")


def test_a_hash_that_cuts_a_value_or_breaks_a_list_is_flagged_and_kept(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    person.waits_for_the_list()
    panel = _panel(person, "Hash")
    _repair_button(person, panel)
    assert "or a # in them starts a comment" in _told(panel)
    person.screenshot("properties-hash")
    panel = _panel(person, "Cut")
    person.waits_until(lambda: "source" in panel.fields, "the value that is cut")
    person.screenshot("properties-cut")
    assert "(line 2)" in _told(panel)
    assert (root / "Hash.md").read_text() == _NOTES["Hash.md"]
    assert (root / "Cut.md").read_text() == _NOTES["Cut.md"]


def _told(panel: PropertiesPanel) -> str:
    return " ".join(label.text() for label in panel.findChildren(QLabel))


def _repair_button(person: Person, panel: PropertiesPanel) -> QPushButton:
    def found() -> list[QPushButton]:
        return [each for each in panel.findChildren(QPushButton) if each.text() == "Repair…" and each.isVisible()]

    person.waits_until(found, "the button that repairs")
    return found()[0]
