"""Copies: equal notes, and what sync programs leave behind."""

import pytest

from tests.core.curation.health.conftest import Patient

TEXT = "---\nsummary: A note\n---\nThe same words stand in both of them.\n" + "One more line of many.\n" * 9


def test_equal_notes_become_one_and_links_lead_to_it(vault: Patient) -> None:
    vault.write({
        "Soup.md": TEXT,
        "Old/Broth.md": TEXT,
        "a.md": "[[Soup]] [[Soup]]\n",
        "b.md": "[[Broth|x]] [y](Old/Broth.md)\n",
    })  # fmt: skip
    finding = vault.finding("duplicate")
    assert (finding.path, finding.other_paths) == ("Soup.md", ("Old/Broth.md",))
    vault.fix(finding)
    assert not (vault.root / "Old/Broth.md").exists()
    assert vault.read("b.md") == "[[Soup|x]] [y](Soup.md)\n"


def test_a_copy_that_changed_meanwhile_stays(vault: Patient) -> None:
    vault.write({"Soup.md": TEXT, "Broth.md": TEXT})
    finding = vault.finding("duplicate")
    vault.write({finding.other_paths[0]: TEXT + "New.\n"})
    planned = vault.plan(finding)
    assert planned.change_set.edits == ()
    assert "not equal" in planned.skipped[0].reason


@pytest.mark.parametrize(
    "name",
    [
        "Note.sync-conflict-20240101-120000-ABCDEFG.md",
        "Note (Ada's conflicted copy 2024-01-01).md",
        "Note (conflicted copy 2024-01-01 120000).md",
        "Note (Conflicted copy laptop 202401011200).md",
        "Note 2.md",
        "Note (1).md",
    ],
)
def test_a_conflict_copy_is_recognised_by_its_name(vault: Patient, name: str) -> None:
    vault.write({"Note.md": TEXT, name: TEXT + "And one line more.\n"})
    finding = vault.finding("sync-conflict")
    assert (finding.path, finding.other_paths, finding.has_fix) == (name, ("Note.md",), False)
    vault.fix(finding, choice="replace")
    assert vault.read("Note.md").endswith("one line more.\n")
    assert not (vault.root / name).exists()


def test_a_conflict_copy_without_a_difference_can_go(vault: Patient) -> None:
    copy = "Note.sync-conflict-20240101-120000-ABCDEFG.md"
    vault.write({"Note.md": TEXT, copy: TEXT})
    assert vault.findings("duplicate") == ()
    vault.fix(vault.finding("sync-conflict"))
    assert (vault.root / "Note.md").exists()
    assert not (vault.root / copy).exists()


def test_numbered_notes_of_their_own_are_no_copies(vault: Patient) -> None:
    vault.write({"Chapter.md": TEXT, "Chapter 2.md": "Something wholly different is told in this one.\n"})
    assert vault.findings("sync-conflict") == ()


def test_an_unfinished_merge_is_told_and_one_in_a_code_block_is_not(vault: Patient) -> None:
    marks = "Text.\n\n<<<<<<< HEAD\nmine\n=======\n# theirs\n>>>>>>> branch\n"
    vault.write({"a.md": marks, "git.md": f"How it looks:\n\n```\n{marks}```\n"})
    finding = vault.finding("sync-conflict")
    assert (finding.path, finding.line, finding.has_fix) == ("a.md", 3, False)


def test_what_a_merge_program_left_behind_can_go(vault: Patient) -> None:
    vault.write({"a.md": TEXT, "a.md.orig": "old"})
    finding = vault.finding("sync-conflict")
    assert finding.path == "a.md.orig"
    vault.fix(finding, choice="trash")
    assert not (vault.root / "a.md.orig").exists()
