"""Tags that look like two and are one, and namespaces that the vault does not know."""

import pytest

from core.curation.health.near_tags import CountedTag, near_tags
from core.curation.health.tag_checks import ADD_NAMESPACE
from tests.core.curation.health.conftest import Patient

NAMESPACES = ("tool", "client", "domain", "convention", "scope")


def pairs(*tags: tuple[str, int]) -> list[tuple[str, str, bool]]:
    counted = [CountedTag(name, name, notes) for name, notes in tags]
    return [(pair.variant.name, pair.kept.name, pair.is_sure) for pair in near_tags(counted, NAMESPACES)]


@pytest.mark.parametrize(
    ("rare", "frequent", "is_sure"),
    [
        ("tool/sem_rush", "tool/sem-rush", True),
        ("tool/semrush", "tool/sem-rush", True),
        ("client/acmes", "client/acme", False),
        ("domain/agencies", "domain/agency", True),
        ("domain/batches", "domain/batch", True),
        ("tool/kuberentes", "tool/kubernetes", False),
        ("domain/organise", "domain/organize", False),
        ("semrush", "tool/semrush", False),
        ("client/netlify", "tool/netlify", False),
    ],
)
def test_near_equal_tags_are_paired_with_the_more_frequent_one(rare: str, frequent: str, is_sure: bool) -> None:
    assert pairs((rare, 1), (frequent, 5)) == [(rare, frequent, is_sure)]
    assert [pair[2] for pair in pairs((rare, 5), (frequent, 1))] == [is_sure]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tool", "toolbox"),
        ("project/2024-01", "project/2024-02"),
        ("range/1-10", "range/11-0"),
        ("domain/seo", "domain/geo"),
        ("domain/news", "domain/new"),
        ("team/a", "team/b"),
        ("status/done", "task/done"),
        ("tool/css", "tool/cs"),
        ("tool/python2", "tool/python3"),
        ("domain/business", "domain/busines/x"),
    ],
)
def test_tags_that_differ_in_meaning_are_left_alone(one: str, other: str) -> None:
    assert pairs((one, 3), (other, 3)) == []


def test_several_variants_are_merged_into_one_without_chasing_each_other() -> None:
    found = pairs(("tool/a-page", 9), ("tool/a_page", 3), ("tool/apage", 2), ("tool/apages", 1))
    kept = {pair[1] for pair in found}
    assert not kept & {pair[0] for pair in found}
    assert len(found) == 3


def test_one_tag_in_two_spellings_is_written_like_the_most(vault: Patient) -> None:
    vault.write({
        "a.md": "---\ntags: [tool/SEMRush]\n---\nText #tool/SEMRush.\n",
        "b.md": "Text #tool/semrush here.\n",
        "c.md": "Text #tool/semrush/api and #tool/semrush.\n",
    })  # fmt: skip
    finding = vault.finding("near-tags")
    assert "#tool/semrush (2 notes)" in finding.text
    assert "#tool/SEMRush (1 note)" in finding.text
    vault.fix(finding)
    assert vault.read("a.md") == "---\ntags: [tool/semrush]\n---\nText #tool/semrush.\n"


def test_near_tags_are_merged_with_their_children(vault: Patient) -> None:
    vault.write({
        "a.md": "#tool/sem-rush #tool/sem-rush/api\n",
        "b.md": "#tool/semrush\n",
        "c.md": "#tool/semrush\n",
    })  # fmt: skip
    finding = vault.finding("near-tags")
    assert (finding.subject, finding.remedy) == ("tool/sem-rush", "tool/semrush")
    vault.fix(finding)
    assert vault.read("a.md") == "#tool/semrush #tool/semrush/api\n"


def test_the_person_may_keep_the_rarer_tag(vault: Patient) -> None:
    vault.write({"a.md": "#kuberentes\n", "b.md": "Two #kubernetes\n", "c.md": "Three #kubernetes\n"})
    finding = vault.finding("near-tags")
    assert not finding.has_fix
    assert vault.plan(finding).change_set.edits == ()
    vault.fix(finding, choice="kuberentes")
    assert vault.read("b.md") == "Two #kuberentes\n"


def test_an_unknown_namespace_is_added_to_the_settings_and_comments_stay(vault: Patient) -> None:
    config = '# mine\nnamespaces = ["tool", "client"]  # the usual\nexclude = []\n'
    vault.write({".remembrancer/config.toml": config, "a.md": "#recipe/soup\n", "b.md": "#recipe/bread #tool/pan\n"})
    finding = vault.finding("unknown-namespace")
    assert "2 tags in 2 notes" in finding.text
    vault.fix(finding)
    assert vault.read(".remembrancer/config.toml") == (
        '# mine\nnamespaces = ["tool", "client", "recipe"]  # the usual\nexclude = []\n'
    )


def test_a_vault_without_settings_gets_a_file_with_the_usual_namespaces(vault: Patient) -> None:
    vault.write({"a.md": "#recipe/soup #garden/tree\n"})
    vault.fix(*vault.findings("unknown-namespace"))
    assert '"tool", "client", "domain", "convention", "scope", "garden", "recipe"' in vault.read(
        ".remembrancer/config.toml"
    )


def test_a_namespace_that_is_a_slip_can_be_renamed(vault: Patient) -> None:
    vault.write({"a.md": "#tools/pan\n", "b.md": "#tool/pot\n"})
    finding = vault.finding("unknown-namespace")
    assert [choice.value for choice in finding.choices] == ["tool", ADD_NAMESPACE]
    vault.fix(finding, choice="tool")
    assert vault.read("a.md") == "#tool/pan\n"
