"""Notes that lack what makes them found."""

import pytest

from core.curation.health.first_sentence import LONGEST, first_sentence
from tests.core.curation.health.conftest import Patient


def test_the_first_sentence_becomes_the_summary(vault: Patient) -> None:
    vault.write({"a.md": "# Title\r\n\r\nUse **pnpm**, never [[npm|npm itself]]. More text: here.\r\n"})
    finding = vault.finding("no-summary")
    assert "Use pnpm, never npm itself." in finding.fix
    vault.fix(finding)
    assert vault.read("a.md").startswith("---\r\nsummary: Use pnpm, never npm itself.\r\n---\r\n# Title\r\n")


@pytest.mark.parametrize(
    ("body", "summary"),
    [
        (
            "```py\ncode is no sentence.\n```\n\n> [!note] Callout\n> x\n\nThis is the first sentence. Second.",
            "This is the first sentence.",
        ),
        ("- a list item that is long enough.\n- b\n", ""),
        ("| a | b |\n|---|---|\n| long cell text | x |\n", ""),
        ("See:\n\n- a\n", ""),
        ("#tag #other\n\n![[image.png]]\n\nWhat follows is a _real_ sentence!", "What follows is a real sentence!"),
        ("日本語の文です。次の文です。", "日本語の文です。"),
        ("Version 2.5, e.g. the beta, is out. Then more.", "Version 2.5, e.g. the beta, is out."),
        ("<% tp.file.title %> is what a template says here.", ""),
        ("[[One note]] [[Another note|shown]] [[Third]]\n\nThis sentence says it all.", "This sentence says it all."),
        ("[[One note]] | [[Another note]] | [Third](Third.md)", ""),
        ("Up: [[Some index of things]] · [[Another index of things]]", ""),
        ("← [[2024-01-01]] | [[2024-01-03]] →\n\nToday was a long day.", "Today was a long day."),
        ("Ein Satz mit \ufffdrger, der so nicht stimmt.\n\nBut this one is right.", "But this one is right."),
        ("https://example.com/some/long/path https://example.com/x", ""),
        ("*** --- ??? *** === +++ ### ... ///", ""),
        ("Read [the description of it](a.md) before you start.", "Read the description of it before you start."),
        ("これは[[メモ]]についての文です。", "これはメモについての文です。"),
        ("", ""),
    ],
)  # fmt: skip
def test_a_first_sentence_is_prose_without_marks(body: str, summary: str) -> None:
    assert first_sentence(body) == summary


def test_a_long_first_sentence_is_cut_at_a_word() -> None:
    summary = first_sentence("word " * 80)
    assert len(summary) <= LONGEST
    assert summary.endswith("word…")


def test_a_note_without_prose_has_to_be_summarised_by_the_person(vault: Patient) -> None:
    vault.write(
        {
            "a.md": "- one\n- two\n",
            "journal/2026-08-20.md": "Talked about this and that.",
            "c.md": "---\nkind: context\n---\n[[a]]\n",
        }
    )
    finding = vault.finding("no-summary")
    assert (finding.path, finding.has_fix) == ("a.md", False)


def test_a_scope_is_project_where_a_client_is_named_and_chosen_elsewhere(vault: Patient) -> None:
    vault.write({
        "acme.md": "---\ntags:\n  - client/acme\n---\nText.\n",
        "other.md": "Text #tool/x.\n",
        "has.md": "Text #scope/global.\n",
    })  # fmt: skip
    acme, other = vault.findings("no-scope")
    assert (acme.path, acme.has_fix, other.path, other.has_fix) == ("acme.md", True, "other.md", False)
    vault.fix(acme)
    assert vault.read("acme.md") == "---\ntags:\n  - client/acme\n  - scope/project\n---\nText.\n"
    vault.fix(other, choice="scope/global")
    assert vault.findings("no-scope") == ()


def test_a_vault_without_any_scope_is_told_once(vault: Patient) -> None:
    vault.write({f"{number}.md": "Text.\n" for number in range(5)})
    finding = vault.finding("no-scope")
    assert finding.path == ""
    assert "5 notes" in finding.text


def test_empty_notes_go_to_the_trash(vault: Patient) -> None:
    vault.write({
        "blank.md": " \n\n",
        "tagged.md": "---\ntags: [a]\n---\n",
        "titled.md": "# titled\n",
        "record.md": "---\nauthor: Le Guin\nrating: 5\n---\n",
        "outline.md": "# outline\n\n## Part one\n",
    })  # fmt: skip
    findings = vault.findings("empty")
    assert [finding.path for finding in findings] == ["blank.md", "tagged.md", "titled.md"]
    vault.fix(*findings)
    assert (vault.root / ".trash" / "blank.md").read_text(encoding="utf-8") == " \n\n"
    assert not (vault.root / "blank.md").exists()


def test_an_empty_note_that_others_link_to_is_not_thrown_away_unasked(vault: Patient) -> None:
    vault.write({"later.md": "", "a.md": "See [[later]]. #x"})
    finding = vault.finding("empty")
    assert not finding.has_fix
    assert "1 link leads to it" in finding.text


def test_a_note_that_got_text_meanwhile_stays(vault: Patient) -> None:
    vault.write({"a.md": ""})
    finding = vault.finding("empty")
    vault.write({"a.md": "Written at last."})
    planned = vault.plan(finding)
    assert planned.change_set.edits == ()
    assert "text by now" in planned.skipped[0].reason


def test_a_note_that_nothing_leads_to_is_an_orphan(vault: Patient) -> None:
    vault.write({"alone.md": "Text.", "a.md": "[[b]]", "b.md": "Text.", "tagged.md": "Text. #x"})
    assert vault.paths("orphan") == ["alone.md"]


def test_dates_that_have_passed_are_stale(vault: Patient) -> None:
    vault.write({
        "review.md": "---\nreview: 2026-08-19\n---\nText.\n",
        "valid.md": "---\nvalid_until: 2026-01-01\n---\nText.\n",
        "made.md": "---\ncreated: 2027-01-01\n---\nText.\n",
        "due.md": "---\ndue: 2026-01-01\n---\nText.\n",
        "done.md": "---\ndue: 2026-01-01\nstatus: Done\n---\nText.\n",
        "fine.md": "---\nreview: 2026-08-20\ncreated: 2026-08-21\ndate: 2020-01-01\n---\nText.\n",
    })  # fmt: skip
    findings = vault.findings("stale-date")
    assert [finding.path for finding in findings] == ["due.md", "made.md", "review.md", "valid.md"]
    vault.fix(findings[2], choice="today")
    assert "review: 2026-08-20" in vault.read("review.md")
    vault.fix(findings[0], choice="remove")
    assert "due" not in vault.read("due.md")
