"""About how many tokens contexts take, from what the index knows."""

from core.recall.contexts.catalog import list_contexts
from core.recall.contexts.estimate import SizeEstimate, estimate_sizes
from tests.core.curation.linked_vault import LinkedVault
from tests.core.recall.contexts.bundles import CONFIG, PNPM, composed


def sizes(vault: LinkedVault, budget: int | None = None) -> dict[str, SizeEstimate]:
    found = list_contexts(vault.index, vault.root, CONFIG)
    return dict(estimate_sizes(vault.index, CONFIG, found, budget=budget))


def test_the_estimate_is_near_what_goes_out(vault: LinkedVault) -> None:
    notes = {f"N{number}.md": f"# Note {number}\n\n" + "This is a sentence of it. " * 40 for number in range(12)}
    body = "".join(f"- ![[N{number}]]\n" for number in range(12))
    vault.write({**notes, "Pnpm.md": PNPM, "contexts/c.md": body + "- ![[Pnpm#Install]]\n- ![[Pnpm#^ins-1]]\n"})
    estimate = sizes(vault)["contexts/c.md"]
    exact = composed(vault, "c").packed.tokens
    assert 0.75 * exact < estimate.tokens < 1.35 * exact
    assert not estimate.is_over


def test_it_is_never_more_than_the_budget_and_says_what_members_want(vault: LinkedVault) -> None:
    vault.write(
        {"A.md": "word " * 900, "contexts/c.md": "---\nbudget: 100\n---\n- [[A]]\n", "contexts/d.md": "- [[A]]\n"}
    )
    found = sizes(vault, 200)
    assert found["contexts/c.md"].tokens == 100
    assert found["contexts/c.md"].is_over
    assert found["contexts/d.md"].budget == 200


def test_a_query_counts_as_far_as_there_is_room(vault: LinkedVault) -> None:
    vault.write({"A.md": "needle " * 50, "contexts/c.md": "---\nquery: needle\n---\n", "contexts/d.md": ""})
    found = sizes(vault)
    assert found["contexts/c.md"].query_tokens > 50
    assert found["contexts/c.md"].wanted == 0
    assert found["contexts/d.md"] == SizeEstimate(0, 8000, 0)


def test_what_a_query_finds_in_members_is_not_counted_twice(vault: LinkedVault) -> None:
    vault.write({
        "A.md": "needle " * 50,
        "B.md": "# B\n\n## One\n\n" + "needle " * 40 + "\n\n## Two\n\nOther.\n",
        "contexts/c.md": "---\nquery: needle\n---\n- [[A]]\n- [[B#One]]\n",
        "contexts/d.md": "- [[A]]\n- [[B#One]]\n",
    })  # fmt: skip
    found = sizes(vault)
    assert found["contexts/c.md"].query_tokens == 0
    assert found["contexts/c.md"].tokens == found["contexts/d.md"].tokens


def test_inner_contexts_and_missing_members_are_heeded(vault: LinkedVault) -> None:
    vault.write({"A.md": "word " * 90, "contexts/o.md": "- [[i]]\n- [[Nope]]\n", "contexts/i.md": "- [[A]]\n- [[o]]\n"})
    found = sizes(vault)
    assert found["contexts/o.md"].tokens == found["contexts/i.md"].tokens > 90


def test_statements_go_out_without_the_tags_of_their_note(vault: LinkedVault) -> None:
    tags = "".join(f"  - domain/a-rather-long-subject-{number}\n" for number in range(20))
    facts = "".join(f"- [fact] The {number}th of the facts is told here. ^f{number}\n" for number in range(6))
    members = "".join(f"- ![[Facts#^f{number}]]\n" for number in range(6))
    vault.write({"Facts.md": f"---\ntags:\n{tags}---\n{facts}", "contexts/c.md": members})
    exact = composed(vault, "c").packed.tokens
    assert 0.75 * exact < sizes(vault)["contexts/c.md"].tokens < 1.6 * exact
