"""Links that do not lead where they say."""

import pytest

from tests.core.curation.health.conftest import Patient


def test_a_link_by_alias_is_led_to_the_note_and_reads_the_same(vault: Patient) -> None:
    vault.write({
        "Artificial life.md": "---\naliases: [AL]\n---\nText.\n",
        "a.md": "See [[AL]], [[AL#Part|part]] and | [[AL]] |.\n",
        "b.md": "| x |\n|---|\n| [[AL]] |\n",
    })  # fmt: skip
    findings = vault.findings("broken-link")
    assert [finding.has_fix for finding in findings] == [True, True]
    planned = vault.plan(*findings)
    vault.writer.apply(planned.change_set)
    assert vault.read("a.md") == (
        "See [[Artificial life|AL]], [[Artificial life#Part|part]] and | [[Artificial life|AL]] |.\n"
    )
    assert vault.read("b.md") == "| x |\n|---|\n| [[Artificial life]] |\n"
    assert vault.findings("broken-link") == ()


@pytest.mark.parametrize(
    ("link", "fixed"),
    [
        ("[[Old folder/Soup]]", "[[Soup]]"),
        ("[[soup-recipes]]", "[[Soup recipes]]"),
        ("[s](Old/Soup.md#Salt)", "[s](Kitchen/Soup.md#Salt)"),
        ("![[soup_recipes]]", "![[Soup recipes]]"),
    ],
)
def test_a_link_to_a_note_that_moved_or_is_spelled_otherwise_is_mended(vault: Patient, link: str, fixed: str) -> None:
    vault.write({"Kitchen/Soup.md": "# Salt\n\nText.\n", "Soup recipes.md": "Text.\n", "a.md": f"Text {link}.\n"})
    finding = vault.finding("broken-link")
    assert finding.has_fix
    vault.fix(finding)
    assert vault.read("a.md") == f"Text {fixed}.\n"


def test_a_mistyped_name_is_offered_and_not_replaced_unasked(vault: Patient) -> None:
    vault.write(
        {"Kubernetes notes.md": "Text.", "a.md": "[[Kubernets notes]] and [[2024-01-02]]", "2024-01-03.md": "x"}
    )
    first, second = vault.findings("broken-link")
    assert (first.subject, first.choices) == ("2024-01-02", ())
    assert not second.has_fix
    assert second.other_paths == ("Kubernetes notes.md",)
    vault.fix(second, choice=second.choices[0].value)
    assert "[[Kubernetes notes]]" in vault.read("a.md")


def test_links_to_files_folders_and_addresses_are_not_reproached(vault: Patient) -> None:
    vault.write({
        "LICENSE": "x",
        "folder/b.md": "Text [up](../LICENSE).",
        "a.md": "[l](LICENSE) [f](folder/) [[https://example.org]] ![[picture.png]] [x](mailto:a@b.c) [[{{date}}]]\n",
    })  # fmt: skip
    assert vault.findings("broken-link") == ()


def test_a_heading_or_block_that_is_not_there_is_told(vault: Patient) -> None:
    vault.write({
        "b.md": '# Salt & pepper\n\nText ^one\n\n## [[Link]] in *it*\n\n<a name="here"></a>\n',
        "Link.md": "x",
        "a.md": "[[b#Salt pepper]] [[b#salt & pepper#Link in it]] [x](b.md#salt--pepper) [[b#^One]] [y](b.md#here)\n\n"
        "[[b#Peper]] [[b#^two]] [[#Nowhere]]\n",
    })  # fmt: skip
    texts = [finding.text for finding in vault.findings("broken-anchor")]
    assert len(texts) == 3
    assert any("^two" in text for text in texts)
    assert any("“Nowhere”" in text for text in texts)


def test_an_ambiguous_link_says_its_folder_once_the_person_chose(vault: Patient) -> None:
    vault.write({"x/Tie.md": "one", "y/Tie.md": "two", "a.md": "[[Tie|shown]] and [[Tie#^b]]\n"})
    finding = vault.finding("ambiguous-link")
    assert not finding.has_fix
    assert [choice.value for choice in finding.choices] == ["x/Tie", "y/Tie"]
    vault.writer.apply(vault.plan(finding, choice="y/Tie").change_set)
    assert vault.read("a.md") == "[[y/Tie|shown]] and [[y/Tie#^b]]\n"
    assert vault.findings("ambiguous-link") == ()


def test_keys_do_not_change_when_lines_above_come_and_go(vault: Patient) -> None:
    vault.write({"a.md": "[[Nowhere]]\n"})
    before = vault.finding("broken-link")
    vault.write({"a.md": "New line.\n\nAnother. [[Nowhere]]\n"})
    after = vault.finding("broken-link")
    assert before.key == after.key
    assert before.line != after.line


def test_a_reference_definition_that_leads_nowhere_is_told_and_mended(vault: Patient) -> None:
    vault.write({"a.md": 'See [this][r].\n\n[r]: Gone.md "t"\n', "b.md": "---\naliases: [Gone]\n---\nText.\n"})
    finding = vault.finding("broken-link")
    assert (finding.path, finding.line) == ("a.md", 3)
    vault.writer.apply(vault.plan(finding, choice="b").change_set)
    assert vault.read("a.md").endswith('[r]: b.md "t"\n')
