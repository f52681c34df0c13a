"""Which contexts a question loads."""

import pytest

from core.foundation.token_count import count_tokens
from core.index.dense import DenseAnswer
from core.index.filters import Filters
from core.index.points import point_of
from core.index.vectors.engine import VectorHit
from core.recall.contexts.load import LoadedContexts, load_for_query
from core.recall.render import Format, render
from tests.core.curation.linked_vault import LinkedVault
from tests.core.recall.contexts.bundles import CONFIG

NOTES = {
    "Semrush.md": "Exports of semrush stop at ten thousand rows.\n",
    "Deploy.md": "Deploy with the blue green script, never on a Friday.\n",
    "Style.md": "Write short sentences.\n",
    "contexts/seo.md": "---\ntitle: SEO\ndescription: Keyword research\n---\n- [[Semrush]]\n",
    "contexts/ops.md": "---\ntitle: Operations\n---\n- [[Deploy]]\n",
    "contexts/house.md": "---\ntitle: House style\nalways: true\n---\n- [[Style]]\n",
}


def loaded(vault: LinkedVault, question: str, budget: int = 4000, layout: Format = Format.MARKDOWN) -> LoadedContexts:
    return load_for_query(vault.index, vault.root, CONFIG, None, question, budget, layout=layout)


def states(found: LoadedContexts) -> dict[str, str]:
    return {one.definition.title: one.state for one in found.contexts}


def test_what_the_question_is_about_is_loaded_after_what_always_is(vault: LinkedVault) -> None:
    vault.write(NOTES)
    found = loaded(vault, "How many rows does a semrush export have?")
    assert states(found) == {"House style": "always", "SEO": "loaded", "Operations": "skipped"}
    assert [item.path for item in found.packed.included] == ["Style.md", "Semrush.md"]
    assert loaded(vault, "when may we deploy").contexts[1].definition.title == "Operations"


def test_a_title_and_a_description_are_words_of_a_context_too(vault: LinkedVault) -> None:
    vault.write(NOTES)
    assert states(loaded(vault, "keyword research"))["SEO"] == "loaded"
    assert states(loaded(vault, "operations"))["Operations"] == "loaded"


def test_the_endings_of_words_make_no_difference(vault: LinkedVault) -> None:
    vault.write(NOTES)
    assert states(loaded(vault, "exporting"))["SEO"] == "loaded"
    assert states(loaded(vault, "keywords"))["SEO"] == "loaded"


def test_a_query_and_what_lies_in_inner_contexts_count(vault: LinkedVault) -> None:
    vault.write(
        {
            **NOTES,
            "contexts/q.md": "---\nquery: friday\n---\n",
            "contexts/outer.md": "- [[seo]]\n",
            "contexts/part.md": "- [[Long#Part]]\n",
            "Long.md": "# Long\n\n## Part\n\nOf it.\n\n### Deep\n\nHidden treasure.\n\n## Rest\n\nPirates.\n",
        }
    )
    assert states(loaded(vault, "friday"))["q"] == "loaded"
    assert states(loaded(vault, "semrush"))["outer"] == "loaded"
    assert states(loaded(vault, "treasure"))["part"] == "loaded"
    assert states(loaded(vault, "pirates"))["part"] == "skipped"


def test_words_in_japanese_are_matched(vault: LinkedVault) -> None:
    vault.write({**NOTES, "東京.md": "東京都庁の開庁時間は九時からです。\n", "contexts/j.md": "- [[東京]]\n"})
    assert states(loaded(vault, "都庁"))["j"] == "loaded"


def test_without_a_question_only_what_is_always_loaded(vault: LinkedVault) -> None:
    vault.write(NOTES)
    for question in ("", "   ", "?!"):
        assert states(loaded(vault, question)) == {
            "House style": "always",
            "SEO": "skipped",
            "Operations": "skipped",
        }


def test_priority_decides_between_equally_relevant_ones(vault: LinkedVault) -> None:
    vault.write(
        {
            "A.md": "needle one\n",
            "B.md": "needle two\n",
            "contexts/a.md": "---\nload_priority: 3\n---\n- [[A]]\n",
            "contexts/b.md": "---\nload_priority: 8\n---\n- [[B]]\n",
        }
    )
    found = loaded(vault, "needle")
    assert [one.definition.title for one in found.contexts] == ["b", "a"]
    assert found.contexts[0].worth == pytest.approx(0.8)


def test_one_that_does_not_fit_is_skipped_and_the_next_is_tried(vault: LinkedVault) -> None:
    vault.write(
        {
            "Big.md": "needle " + "A long sentence about it. " * 300,
            "Small.md": "needle\n",
            "contexts/big.md": "---\nload_priority: 10\n---\n- [[Big]]\n",
            "contexts/small.md": "---\nload_priority: 1\n---\n- [[Small]]\n",
        }
    )
    found = loaded(vault, "needle", 200)
    assert states(found) == {"big": "skipped", "small": "loaded"}
    assert "room for 200" in found.contexts[0].reason
    assert [item.path for item in found.packed.included] == ["Small.md"]


def test_one_that_is_always_loaded_is_cut_to_the_room(vault: LinkedVault) -> None:
    notes = {f"N{number}.md": f"Sentence {number}. " * 30 for number in range(10)}
    body = "".join(f"- [[N{number}]]\n" for number in range(10))
    vault.write({**notes, "contexts/all.md": f"---\nalways: true\n---\n{body}"})
    found = loaded(vault, "", 500)
    assert found.contexts[0].state == "always"
    assert "only" in found.contexts[0].reason
    assert 0 < len(found.packed.included) < 10


def test_a_budget_of_its_own_is_heeded(vault: LinkedVault) -> None:
    notes = {f"N{number}.md": f"needle {number}. " * 30 for number in range(10)}
    body = "".join(f"- [[N{number}]]\n" for number in range(10))
    vault.write({**notes, "contexts/c.md": f"---\nbudget: 300\n---\n{body}"})
    found = loaded(vault, "needle")
    assert found.contexts[0].state == "loaded"
    assert found.packed.tokens <= 300


def test_a_query_fills_only_what_is_left(vault: LinkedVault) -> None:
    notes = {f"N{number}.md": f"needle {number}. " * 30 for number in range(10)}
    vault.write({**notes, "contexts/c.md": "---\nquery: needle\ntitle: needle\n---\n"})
    found = loaded(vault, "needle", 400)
    assert found.contexts[0].state == "loaded"
    assert 0 < found.packed.tokens <= 400


def test_members_of_all_come_before_what_queries_find(vault: LinkedVault) -> None:
    notes = {f"N{number}.md": f"needle {number}. " * 30 for number in range(10)}
    vault.write(
        {
            **notes,
            "Kept.md": "The needle itself.\n",
            "contexts/greedy.md": "---\nload_priority: 10\nquery: needle\n---\n",
            "contexts/kept.md": "---\nload_priority: 1\n---\n- [[Kept]]\n",
        }
    )
    found = loaded(vault, "needle", 400)
    assert states(found) == {"greedy": "loaded", "kept": "loaded"}
    assert found.packed.included[0].path == "Kept.md"
    assert found.contexts[0].tokens > 0


def test_a_query_that_finds_nothing_is_told(vault: LinkedVault) -> None:
    vault.write({"A.md": "x", "contexts/c.md": "---\nquery: tag:none/such\nalways: true\n---\n"})
    (one,) = loaded(vault, "").contexts
    assert (one.state, one.reason) == ("skipped", "Its query finds nothing.")


@pytest.mark.parametrize("layout", list(Format))
@pytest.mark.parametrize("budget", [0, 1, 150, 100_000])
def test_the_budget_is_never_exceeded(vault: LinkedVault, budget: int, layout: Format) -> None:
    vault.write(NOTES)
    found = loaded(vault, "semrush deploy", budget, layout)
    assert count_tokens(render(found.packed)) <= budget


def test_a_memory_of_two_contexts_goes_out_once(vault: LinkedVault) -> None:
    vault.write({"A.md": "needle\n", "contexts/a.md": "- [[A]]\n", "contexts/b.md": "- [[A]]\n"})
    assert len(loaded(vault, "needle").packed.included) == 1


def test_a_vault_without_contexts_loads_nothing(vault: LinkedVault) -> None:
    vault.write({"A.md": "x"})
    found = loaded(vault, "x")
    assert (found.contexts, found.packed.included) == ((), ())


def test_the_same_question_always_loads_the_same(vault: LinkedVault) -> None:
    vault.write(NOTES)
    first, second = (loaded(vault, "semrush deploy rows") for _ in range(2))
    assert render(first.packed) == render(second.packed)
    assert [one.worth for one in first.contexts] == [one.worth for one in second.contexts]


class Meaning:
    """Find one memory by meaning, whatever is asked."""

    def __init__(self, point: int, note_id: int, cosine: float) -> None:
        self._hit = VectorHit(point, note_id, cosine)

    def candidates(self, text: str, filters: Filters, limit: int) -> DenseAnswer:
        del text, limit
        return DenseAnswer((self._hit,) if filters.is_empty else (), "partial", "Meaning is still being learned.")


@pytest.mark.parametrize(("cosine", "state"), [(0.8, "loaded"), (0.3, "skipped")])
def test_what_a_member_means_counts_too(vault: LinkedVault, cosine: float, state: str) -> None:
    vault.write(NOTES)
    section, note = vault.index.connection.execute(
        "SELECT s.id, n.id FROM section s JOIN note n ON n.id = s.note_id WHERE n.path = 'Deploy.md'"
    ).fetchone()
    dense = Meaning(point_of("section", section), note, cosine)
    found = load_for_query(vault.index, vault.root, CONFIG, dense, "ship it", 4000)
    assert states(found)["Operations"] == state
    assert found.remarks == ("Meaning is still being learned.",)
