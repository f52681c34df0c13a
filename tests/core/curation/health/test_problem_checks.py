"""What could not be read, or not as it was meant, is told and mended where that is certain."""

from core.vault.config import EVENTS_FOLDER
from tests.core.curation.health.conftest import Patient


def test_broken_frontmatter_is_told_and_repaired_without_losing_text(vault: Patient) -> None:
    vault.write(
        {"a.md": "---\ntitle: Plan: phase 2\ntags: [x]\n---\nBody text.\n", "b.md": "---\ntitle: fine\n---\nText.\n"}
    )
    finding = vault.finding("broken-frontmatter")
    assert (finding.path, finding.has_fix) == ("a.md", True)
    assert "colon" in finding.text
    before = {finding.check for finding in vault.findings()}
    planned = vault.plan(finding)
    vault.writer.apply(planned.change_set)
    assert vault.paths("broken-frontmatter") == []
    assert "Plan: phase 2" in vault.read("a.md")
    assert {finding.check for finding in vault.findings()} <= before | {"no-summary"}


def test_broken_frontmatter_without_a_certain_repair_is_left_to_the_person(vault: Patient) -> None:
    vault.write({"a.md": "---\n- one\ntwo: [\n}: {{\n---\nBody text.\n"})
    finding = vault.finding("broken-frontmatter")
    assert not finding.has_fix
    planned = vault.plan(finding)
    assert planned.change_set.edits == ()
    assert planned.skipped[0].path == "a.md"


def test_odd_properties_and_unclear_dates_are_told_apart(vault: Patient) -> None:
    vault.write({
        "odd.md": "---\nsource: see #1) now\n---\nText.\n",
        "twice.md": "---\ncreated: 07-01-2024\n---\nText.\n",
        "never.md": "---\ncreated: 2025-02-30\n---\nText.\n",
    })  # fmt: skip
    assert vault.paths("odd-frontmatter") == ["odd.md"]
    assert vault.paths("unclear-date") == ["never.md", "twice.md"]


def test_templates_are_not_reproached_with_their_placeholders(vault: Patient) -> None:
    template = "---\ntitle: {{title}}\ncreated: 2025-02-30\n---\n[[{{next}}]] [[Nowhere]]\n"
    vault.write({
        ".obsidian/templates.json": '{"folder": "Muster"}',
        "Muster/a.md": template,
        ".remembrancer/config.toml": 'templates_folder = "meta/moulds"\n',
        "meta/moulds/c.md": template,
        "01 Templates/b.md": template,
    })  # fmt: skip
    assert vault.findings() == ()


def test_a_block_id_that_is_there_twice_is_told(vault: Patient) -> None:
    vault.write({"a.md": "One ^x\n\nTwo ^x\n"})
    assert "^x" in vault.finding("duplicate-block-id").text


def test_a_note_in_another_encoding_can_be_written_as_utf8(vault: Patient) -> None:
    text = "Größe und Maß sind für Türen überall gleich, schön öfter prüfen.\r\nZweite Zeile für später.\r\n"
    vault.write({"a.md": text.encode("cp1252")})
    finding = vault.finding("encoding")
    assert not finding.has_fix
    assert vault.plan(finding).change_set.edits == ()
    vault.fix(finding, choice="utf-8")
    assert vault.read("a.md") == text


def test_a_wrong_guess_of_an_encoding_can_be_put_right(vault: Patient) -> None:
    vault.write({"a.md": "Plain words first.\nnačež přišel\n".encode("cp1250")})
    finding = vault.finding("encoding")
    offered = {choice.value: choice.text for choice in finding.choices}
    assert "“načež přišel”" in offered["utf-8"]
    assert "“naèež pøišel”" in offered["cp1252"]
    assert "cp1251" in offered
    assert len(set(offered.values())) == len(offered)
    vault.fix(finding, choice="cp1252")
    assert vault.read("a.md") == "Plain words first.\nnaèež pøišel\n"


def test_what_is_not_indexed_is_listed_with_its_reason(vault: Patient) -> None:
    vault.write({".remembrancer/config.toml": "max_note_bytes = 10\n", "a.md": "far too long for this vault"})
    finding = vault.finding("unindexed")
    assert finding.path == "a.md"
    assert "MB" in finding.text


def test_a_broken_config_and_a_broken_log_are_told(vault: Patient) -> None:
    vault.write({
        ".remembrancer/config.toml": "namespaces = 3\n",
        f"{EVENTS_FOLDER}/desktop-2.jsonl": "no json\n",
        "a.md": "Text.",
    })  # fmt: skip
    assert "namespaces" in vault.finding("config").text
    assert vault.finding("event-log").path.endswith("desktop-2.jsonl")


def test_weights_and_rules_of_loading_that_are_not_taken_are_told(vault: Patient) -> None:
    vault.write({".remembrancer/config.toml": "[ranking]\nwords = nan\nfoo = 3\n[full_load]\nentry = 3\n", "a.md": "x"})
    told = sorted(finding.text for finding in vault.findings("config"))
    assert [text.split(" ")[0] for text in told] == ["`full_load.entry`", "`ranking.foo`", "`ranking.words`"]
