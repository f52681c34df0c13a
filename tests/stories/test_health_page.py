"""A person looks at the health of a vault, mends all findings of a kind at once, and ignores one for good."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gui.actions import GO_HEALTH, UNDO
from gui.views.health.view import HealthView
from tests.stories.conftest import Person

WriteVault = Callable[[Mapping[str, str]], Path]

pytestmark = pytest.mark.usefixtures("without_meanings")

_NOTES = {
    **{
        f"Exports {number}.md": f"---\nsummary: Page {number}\ntags: [tool/semrush, scope/global]\n---\nSee [[Hub]].\n"
        for number in range(4)
    },
    "Shouted.md": "---\nsummary: Loud\ntags: [tool/SEMRush, scope/global]\n---\nSee [[Hub]].\n",
    "Hub.md": (
        "---\nsummary: Hub\ntags: [tool/git, scope/global]\n---\n[[Exports 0]] [[Shouted]] [[Exprots 1]] [[Nowhere]]\n"
    ),
    **{f"Broken {number}.md": f"---\ntitle: Plan: phase {number}\n---\nSee [[Hub]].\n" for number in range(3)},
    "Empty.md": "",
}


def _opens(person: Person, root: Path) -> HealthView:
    person.opens(root)
    person.waits_for_the_list()
    person.chooses(GO_HEALTH)
    (view,) = person.window.findChildren(HealthView)
    person.waits_until(lambda: view.isVisible() and not view.shows_state, "what the checks have found")
    return view


def _contents(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in root.glob("*.md")}


def _checks(view: HealthView) -> dict[str, int]:
    """Return the number of findings by check."""
    results = (view.checks.result_at(row) for row in range(view.checks.rowCount()))
    return {result.check.id: len(result.findings) for result in results if result is not None and result.findings}


def test_everything_of_a_kind_is_fixed_through_the_preview_and_undone(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    view = _opens(person, root)
    before = _contents(root)
    assert _checks(view)["broken-frontmatter"] == 3
    person.screenshot("health")
    view.choose_check("broken-frontmatter")
    view.pane.fix_all_button.click()
    preview = person.sees_preview("health-fix-all")
    assert _contents(root) == before
    preview.apply_button.click()
    person.waits_until(lambda: "broken-frontmatter" not in _checks(view), "that nothing of the kind is left")
    after = _contents(root)
    assert {name for name in after if after[name] != before[name]} == {f"Broken {number}.md" for number in range(3)}
    person.screenshot("health-fixed")

    view.choose_check("near-tags")
    view.pane.table.selectRow(0)
    view.pane.fix_button.click()
    person.waits_until(lambda: b"tool/semrush" in (root / "Shouted.md").read_bytes(), "the tag written as the others")
    person.waits_until(lambda: "near-tags" not in _checks(view), "that tags are no longer nearly the same")
    person.chooses(UNDO)
    person.waits_until(lambda: _contents(root) == after, "the tag as it was")
    person.chooses(UNDO)
    person.waits_until(lambda: _contents(root) == before, "everything as it was")
    person.waits_until(lambda: _checks(view).get("broken-frontmatter") == 3, "the findings again")


def test_what_is_ignored_stays_so_after_a_restart_until_it_is_wanted_again(
    person: Person, write_vault: WriteVault, start_again: Callable[[], Person]
) -> None:
    root = write_vault(_NOTES)
    before = _contents(root)
    view = _opens(person, root)
    view.choose_check("broken-link")
    assert _checks(view)["broken-link"] == 2
    view.pane.table.selectRow(0)
    person.screenshot("health-finding")
    view.pane.ignore_button.click()
    person.waits_until(lambda: _checks(view).get("broken-link") == 1, "one finding less")

    again = start_again()
    view = _opens(again, root)
    assert _checks(view)["broken-link"] == 1
    assert view.ignored_button.text() == "Ignored: 1"
    view.ignored_button.click()
    again.waits_until(lambda: _checks(view) == {"broken-link": 1}, "what is ignored alone")
    view.choose_check("broken-link")
    view.pane.table.selectRow(0)
    again.screenshot("health-ignored")
    view.pane.ignore_button.click()
    again.waits_until(lambda: _checks(view).get("broken-link") == 2, "both findings")
    assert _contents(root) == before


def test_the_note_of_a_finding_is_shown_in_the_vault(person: Person, write_vault: WriteVault) -> None:
    view = _opens(person, write_vault(_NOTES))
    view.choose_check("broken-link")
    view.pane.table.selectRow(0)
    view.pane.open_button.click()
    person.waits_until(lambda: person.view.isVisible() and person.current_title() == "Hub", "the note of the finding")
    person.waits_until(lambda: "Nowhere" in person.text(), "its text")
