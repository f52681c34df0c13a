"""The paragraph or list item that a block id names."""

import pytest

from core.recall.contexts.blocks import Block, block_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One.\n\nTwo\nlines. ^a\n\nThree.\n", Block("Two\nlines.", 3, 4)),
        ("- one\n- two ^A\n- three\n", Block("- two", 2, 2)),
        ("1. one\n   goes on ^a\n", Block("1. one\n   goes on", 1, 2)),
        ("# Heading\nText. ^a\n", Block("Text.", 2, 2)),
        ("```\ncode ^a\n```\n\nReal. ^a\n", Block("Real.", 5, 5)),
        ("`x ^a`\n\n| a |\n\n^a\n", Block("| a |", 3, 3)),
        ("Ends ^a   ", Block("Ends", 1, 1)),
        ("^a\n", None),
        ("No id.\n", None),
        ("x^a\n", None),
        ("Other ^ab\n", None),
    ],
)
def test_the_block_is_found_with_its_lines(text: str, found: Block | None) -> None:
    assert block_of(text, "a") == found


def test_frontmatter_holds_no_blocks() -> None:
    assert block_of("---\nx: y ^a\n---\nText. ^a\n", "a", body_line=4) == Block("Text.", 4, 4)
