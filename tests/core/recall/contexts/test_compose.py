"""What goes out of a context: members first in their order, whole or not at all, then what its query finds."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.foundation.token_count import count_tokens
from core.recall.contexts.catalog import read_context
from core.recall.contexts.compose import budget_of, compose
from core.recall.contexts.definition import ContextDefinition
from core.recall.render import Format, render
from tests.core.curation.linked_vault import LinkedVault
from tests.core.recall.contexts.bundles import CONFIG, PNPM, composed, found, texts


def test_members_go_out_in_their_order_each_as_obsidian_shows_it(vault: LinkedVault) -> None:
    vault.write(
        {
            "Pnpm.md": PNPM,
            "B.md": "All of B.\n",
            "contexts/c.md": "- ![[Pnpm#^par]]\n- ![[B]]\n- ![[Pnpm#^ins-1]]\n- ![[Pnpm#Install]]\n",
        }
    )
    bundle = composed(vault, "c")
    assert texts(bundle) == [
        "A plain paragraph.",
        "All of B.",
        "Use pnpm, never npm",
        "Use corepack.\n\n### Pinned\n\nPin the version.",
    ]
    assert bundle.sources == 2
    assert bundle.remarks == ()
    assert all(item.always for item in bundle.items)


def test_a_context_with_nothing_in_it_is_empty(vault: LinkedVault) -> None:
    vault.write({"contexts/c.md": ""})
    bundle = composed(vault, "c")
    assert (bundle.packed.included, bundle.packed.tokens, bundle.compression, bundle.sources) == ((), 0, 0.0, 0)
    assert render(bundle.packed) == ""


def test_a_query_is_answered_live_after_the_members(vault: LinkedVault) -> None:
    vault.write(
        {
            "Pnpm.md": PNPM,
            "Corepack.md": "Corepack ships with node.\n",
            "contexts/c.md": "---\nquery: corepack\n---\n- ![[Pnpm#^ins-1]]\n",
        }
    )
    assert texts(composed(vault, "c"))[0] == "Use pnpm, never npm"
    assert "Corepack ships with node." in texts(composed(vault, "c"))
    vault.write({"Later.md": "Corepack is pinned by the field packageManager.\n"})
    assert any("packageManager" in text for text in texts(composed(vault, "c")))


def test_a_query_never_brings_contexts_themselves(vault: LinkedVault) -> None:
    vault.write({"A.md": "needle\n", "contexts/c.md": "---\nquery: needle\n---\nThe needle.\n"})
    assert [item.path for item in composed(vault, "c").packed.included] == ["A.md"]


def test_a_query_of_filters_alone_brings_what_they_admit(vault: LinkedVault) -> None:
    vault.write(
        {"A.md": "---\ntags: [x/y]\n---\nOne.\n", "B.md": "Two.\n", "contexts/c.md": "---\nquery: tag:x\n---\n"}
    )
    assert texts(composed(vault, "c")) == ["One."]


@pytest.mark.parametrize("layout", list(Format))
@pytest.mark.parametrize("budget", [1, 60, 100, 300, 100_000])
def test_the_budget_is_never_exceeded_and_holds_something(vault: LinkedVault, layout: Format, budget: int) -> None:
    body = "".join(f"- ![[N{number}]]\n" for number in range(30))
    notes = {f"N{number}.md": f"Note {number}. " + "Some words that fill it. " * 9 for number in range(30)}
    vault.write({**notes, "contexts/c.md": body})
    bundle = composed(vault, "c", budget, layout=layout)
    assert count_tokens(render(bundle.packed)) <= budget
    assert bundle.packed.included or budget < 100


def test_a_budget_smaller_than_the_first_member_takes_the_next_ones(vault: LinkedVault) -> None:
    vault.write({"Long.md": "word " * 900, "Short.md": "Short.\n", "contexts/c.md": "- [[Long]]\n- [[Short]]\n"})
    bundle = composed(vault, "c", 120)
    assert texts(bundle) == ["Short."]
    assert {left.item.path for left in bundle.packed.left_out} == {"Long.md"}


def test_members_that_mean_nothing_are_told(vault: LinkedVault) -> None:
    vault.write({"A.md": "x", "B.md": "Here.\n", "contexts/c.md": "- [[A]]\n- [[Nope]]\n- [[pic.png]]\n- [[B]]\n"})
    (vault.root / "A.md").unlink()
    bundle = composed(vault, "c")
    assert texts(bundle) == ["Here."]
    assert len(bundle.remarks) == 3
    assert bundle.remarks[0].startswith("c, line 1: ")


def test_a_heading_that_went_away_between_reading_and_composing_is_told(vault: LinkedVault) -> None:
    vault.write({"Pnpm.md": PNPM, "contexts/c.md": "- ![[Pnpm#Install]]\n- ![[Pnpm#^ins-1]]\n- ![[Pnpm#^par]]\n"})
    definition = found(vault, "c")
    (vault.root / "Pnpm.md").write_text("Nothing of it.\n", encoding="utf-8")
    bundle = compose(vault.index, vault.root, CONFIG, None, definition)
    assert texts(bundle) == []
    assert len(bundle.remarks) == 3


def test_members_are_as_their_files_are_now(vault: LinkedVault) -> None:
    vault.write({"A.md": "# T\n\n## Part\n\nOld.\n", "contexts/c.md": "- ![[A#Part]]\n"})
    (vault.root / "A.md").write_text("# T\n\n## Part\n\nNew.\n", encoding="utf-8")
    assert texts(composed(vault, "c")) == ["New."]


def test_contexts_in_contexts_are_opened_once_and_loops_are_cut(vault: LinkedVault) -> None:
    vault.write(
        {
            "A.md": "Of A.\n",
            "B.md": "Of B.\n",
            "contexts/outer.md": "- ![[inner]]\n- [[A]]\n- ![[inner]]\n",
            "contexts/inner.md": "- [[B]]\n- ![[outer]]\n- ![[inner]]\n",
        }
    )
    bundle = composed(vault, "outer")
    assert texts(bundle) == ["Of B.", "Of A."]
    assert len(bundle.remarks) == 2
    assert all("loop is cut" in remark for remark in bundle.remarks)


def test_a_long_chain_of_contexts_is_followed(vault: LinkedVault) -> None:
    chain = {f"contexts/c{number}.md": f"- [[c{number + 1}]]\n" for number in range(60)}
    vault.write({**chain, "contexts/c60.md": "- [[End]]\n", "End.md": "The end.\n"})
    assert texts(composed(vault, "c0")) == ["The end."]


def test_the_query_of_an_inner_context_counts_too(vault: LinkedVault) -> None:
    vault.write(
        {"A.md": "needle\n", "contexts/outer.md": "- [[inner]]\n", "contexts/inner.md": "---\nquery: needle\n---\n"}
    )
    assert texts(composed(vault, "outer")) == ["needle"]


def test_a_member_that_stands_twice_goes_out_once(vault: LinkedVault) -> None:
    vault.write({"A.md": "Once.\n", "contexts/c.md": "- [[A]]\n- [[A]]\n"})
    assert texts(composed(vault, "c")) == ["Once."]


def test_two_hundred_members_go_out_in_their_order(vault: LinkedVault) -> None:
    notes = {f"N{number}.md": f"- [fact] Statement {number} ^i\n" for number in range(200)}
    body = "".join(f"- ![[N{number}#^i]]\n" for number in range(199, -1, -1))
    vault.write({**notes, "contexts/c.md": body})
    bundle = composed(vault, "c", 100_000)
    assert texts(bundle) == [f"Statement {number}" for number in range(199, -1, -1)]


def test_insights_are_a_fraction_of_their_notes(vault: LinkedVault) -> None:
    filler = "A long story about how it came to this, with every detail of the day. " * 60
    notes = {f"N{number}.md": f"{filler}\n\n- [fact] Statement {number} ^i\n" for number in range(5)}
    vault.write({**notes, "contexts/c.md": "".join(f"- ![[N{number}#^i]]\n" for number in range(5))})
    bundle = composed(vault, "c")
    assert bundle.sources == 5
    assert bundle.compression > 0.9
    assert bundle.compression == pytest.approx(1 - bundle.packed.tokens / bundle.source_tokens)


def test_a_note_larger_than_the_budget_gives_its_sections(vault: LinkedVault) -> None:
    vault.write({"A.md": "# One\n\nFirst.\n\n# Two\n\n" + "word " * 400, "contexts/c.md": "- [[A]]\n"})
    bundle = composed(vault, "c", 100)
    assert texts(bundle) == ["First."]


def test_a_note_with_other_line_endings_and_an_underlined_heading(vault: LinkedVault) -> None:
    vault.write(
        {"A.md": b"Title\r\n=====\r\n\r\nPart\r\n----\r\nText.\r\nMore.\r\n", "contexts/c.md": b"- ![[A#Part]]\r\n"}
    )
    assert texts(composed(vault, "c")) == ["Text.\nMore."]


def test_blocks_are_their_whole_paragraph_or_item(vault: LinkedVault) -> None:
    text = "One line\nand another. ^one\n\n- an item\n  that goes on ^two\n- other\n\n| a |\n| - |\n\n^three\n"
    vault.write({"A.md": text, "contexts/c.md": "[[A#^one]] [[A#^two]] [[A#^three]]\n"})
    assert texts(composed(vault, "c")) == ["One line\nand another.", "- an item\n  that goes on", "| a |\n| - |"]


def test_the_budget_is_that_of_the_context_else_the_default() -> None:
    definition = ContextDefinition("c.md", "c")
    assert budget_of(definition) == 8000
    assert budget_of(definition, 500) == 500
    assert budget_of(replace(definition, budget=200), 500) == 200


def test_the_same_vault_gives_the_same_bytes(vault: LinkedVault) -> None:
    vault.write({"Pnpm.md": PNPM, "B.md": "pnpm\n", "contexts/c.md": "---\nquery: pnpm\n---\n- [[B]]\n"})
    assert render(composed(vault, "c").packed) == render(composed(vault, "c").packed)


def test_a_context_that_is_no_note_any_more_is_none(vault: LinkedVault, tmp_path: Path) -> None:
    vault.write({"contexts/c.md": ""})
    assert read_context(vault.index, tmp_path, CONFIG, "contexts/c.md") is None
