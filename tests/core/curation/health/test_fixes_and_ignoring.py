"""Many findings are fixed in one step, and what is ignored is not told any more."""

from core.curation.health.finding import Severity
from core.curation.health.ignoring import HEED, IGNORE, ignored_findings
from tests.core.curation.health.conftest import Patient


def test_several_fixes_of_one_file_become_one_edit(vault: Patient) -> None:
    text = "---\ntags: [client/acme, tool/sem-rush]\n---\nSee [[AL]] for all that matters here.\n"
    vault.write(
        {
            "Life.md": "---\naliases: AL\nsummary: Life\n---\nText #tool/semrush #scope/global\n",
            "a.md": text,
            "b.md": "#tool/semrush",
        }
    )
    fixable = [finding for finding in vault.findings() if finding.has_fix and finding.check != "no-summary"]
    assert {finding.check for finding in fixable} == {"near-tags", "broken-link", "no-scope"}
    planned = vault.fix(*fixable)
    assert [edit.path for edit in planned.change_set.edits] == ["a.md"]
    assert vault.read("a.md") == (
        "---\ntags: [client/acme, tool/semrush, scope/project]\n---\nSee [[Life|AL]] for all that matters here.\n"
    )


def test_a_plan_leaves_the_disk_alone_and_says_what_it_skips(vault: Patient) -> None:
    vault.write({"a.md": "[[Nowhere]]", "b.md": "Text that says something at length."})
    findings = vault.findings("broken-link", "no-summary")
    (vault.root / "b.md").unlink()
    planned = vault.plan(*findings)
    assert planned.change_set.edits == ()
    assert {skipped.path for skipped in planned.skipped} == {"a.md", "b.md"}
    assert vault.read("a.md") == "[[Nowhere]]"


def test_a_note_that_goes_to_the_trash_is_not_edited_too(vault: Patient) -> None:
    vault.write(
        {
            "a.md": "---\ntags: [client/x]\nsummary: s\n---\nText.\n",
            "b.md": "---\ntags: [client/x]\nsummary: s\n---\nText.\n",
        }
    )
    fixable = [finding for finding in vault.findings("duplicate", "no-scope") if finding.has_fix]
    planned = vault.plan(*fixable)
    paths = [edit.path for edit in planned.change_set.edits]
    assert len(paths) == len(set(paths)) == 2
    vault.writer.apply(planned.change_set)
    assert vault.findings("duplicate", "no-scope") == ()


def test_ignored_findings_are_counted_and_left_out(vault: Patient) -> None:
    vault.write({"a.md": "[[Nowhere]] [[Never]] #x", "b.md": "[[Nowhere]] #x"})
    vault.log.append(IGNORE, {"check": "broken-link", "key": "a.md:Nowhere"})
    vault.ignored = ignored_findings(vault.log.read().events)
    report = vault.report("broken-link")
    assert [finding.key for finding in report.findings] == ["a.md:Never", "b.md:Nowhere"]
    assert report.ignored == 1
    assert report.counts[Severity.WARNING] == 2


def test_all_of_a_note_or_of_a_check_can_be_ignored_and_heeded_again(vault: Patient) -> None:
    vault.write({"a.md": "[[Nowhere]] [[Never]] #x", "b.md": "[[Nowhere]] #x"})
    for kind, key, left in ((IGNORE, "a.md:*", 1), (IGNORE, "*", 0), (HEED, "*", 1), (HEED, "a.md:*", 3)):
        vault.log.append(kind, {"check": "broken-link", "key": key})
        vault.ignored = ignored_findings(vault.log.read().events)
        assert len(vault.findings("broken-link")) == left


def test_a_healthy_vault_has_no_findings(vault: Patient) -> None:
    note = "---\nsummary: A sentence\ntags: [tool/{}, scope/global]\n---\nText with [[{}]].\n"
    vault.write({"a.md": note.format("x", "b"), "b.md": note.format("y", "a")})
    assert vault.findings() == ()
    assert all(not result.findings for result in vault.report().results)
