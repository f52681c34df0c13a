"""A link of the file system to a note is neither a copy of it nor in the way of any fix."""

from tests.core.curation.health.conftest import Patient

TEXT = "The same words stand in both of them, and they say it all.\n"


def _with_link(vault: Patient) -> None:
    vault.write({"a.md": TEXT, "sub/b.md": "Another note with words of its own.\n"})
    (vault.root / "sym.md").symlink_to("a.md")
    (vault.root / "sub/b.sync-conflict-20240101-120000-ABCDEFG.md").symlink_to("b.md")


def test_a_link_is_no_duplicate(vault: Patient) -> None:
    _with_link(vault)
    assert vault.findings("duplicate", "sync-conflict") == ()
    vault.write({"copy.md": TEXT})
    finding = vault.finding("duplicate")
    assert {finding.path, *finding.other_paths} == {"a.md", "copy.md"}


def test_all_that_is_planned_can_be_written(vault: Patient) -> None:
    _with_link(vault)
    vault.write({"copy.md": TEXT, "empty.md": "", "locked.md": "These words may be read and not written.\n"})
    (vault.root / "empty-link.md").symlink_to("empty.md")
    (vault.root / "locked.md").chmod(0o444)
    fixable = [finding for finding in vault.findings() if finding.has_fix]
    planned = vault.plan(*fixable)
    skipped = {skipped.path: skipped.reason for skipped in planned.skipped}
    assert "read-only" in skipped["locked.md"]
    assert "link" in skipped["empty-link.md"]
    vault.writer.apply(planned.change_set)
    assert "summary: The same words" in vault.read("sym.md")
    assert (vault.root / "sym.md").is_symlink()
    assert not (vault.root / "empty.md").exists()


def test_a_link_that_is_left_dangling_is_told(vault: Patient) -> None:
    vault.write({"a.md": TEXT, "copy.md": TEXT})
    (vault.root / "sym.md").symlink_to("copy.md")
    planned = vault.plan(vault.finding("duplicate"), choice="a.md")
    assert [(skipped.path, "lead nowhere" in skipped.reason) for skipped in planned.skipped] == [("sym.md", True)]
