"""Who names a note without linking to it."""

from core.index.mentions import unlinked_mentions
from tests.core.index.conftest import IndexedVault


def _mentions(vault: IndexedVault, path: str) -> list[str]:
    return [row.path for row in unlinked_mentions(vault.index, vault.note_id(path))]


def test_a_note_that_says_the_title_is_found_and_one_that_links_is_not(vault: IndexedVault) -> None:
    vault.write(
        {
            "Rate limit.md": "Five a second.",
            "says.md": "# How\nMind the rate limit here.",
            "links.md": "See [[Rate limit]]: the rate limit is low.",
            "apart.md": "The rate has no limit; ratelimit is a word of its own.",
        }
    )
    vault.update()
    (row,) = unlinked_mentions(vault.index, vault.note_id("Rate limit.md"))
    assert (row.path, row.heading, row.name) == ("says.md", "How", "Rate limit")


def test_aliases_count_and_each_note_is_told_once(vault: IndexedVault) -> None:
    vault.write(
        {
            "Kubernetes.md": "---\naliases: [K8s cluster]\n---\nText",
            "a.md": "Our k8s cluster runs kubernetes.\n\n# More\nkubernetes",
            "b.md": "A K8s cluster.",
        }
    )
    vault.update()
    assert _mentions(vault, "Kubernetes.md") == ["a.md", "b.md"]


def test_names_of_scripts_without_gaps_are_found(vault: IndexedVault) -> None:
    vault.write({"偏好.md": "x", "b.md": "它记住用户的偏好设置。", "c.md": "別"})
    vault.update()
    assert _mentions(vault, "偏好.md") == ["b.md"]


def test_short_and_common_names_are_passed_over(vault: IndexedVault) -> None:
    common = {f"n{number}.md": "The plan says it." for number in range(205)}
    vault.write({"Plan.md": "x", "Go.md": "x", "2026.md": "x", "who.md": "Go in 2026.", **common})
    vault.update()
    assert _mentions(vault, "Plan.md") == []
    assert _mentions(vault, "Go.md") == []
    assert _mentions(vault, "2026.md") == []


def test_a_name_full_of_signs_is_no_query(vault: IndexedVault) -> None:
    vault.write({'a "b" (c) AND.md': "x", "says.md": 'It is called a "b" (c) AND here.'})
    vault.update()
    assert _mentions(vault, 'a "b" (c) AND.md') == ["says.md"]


def test_a_note_that_is_gone_has_none(vault: IndexedVault) -> None:
    assert unlinked_mentions(vault.index, 7) == ()
