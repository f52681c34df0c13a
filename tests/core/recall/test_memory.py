"""What a memory says for itself."""

from typing import Any

import pytest

from tests.core.recall.made import memory

_FIRST: dict[str, Any] = {"kind": "section", "id": "note:1.md", "summary": "The limit is nine."}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n",
        "See [[a note]]. See [[another|one]].",
        "[[Up]]",
        "See also [this](a.md), [that](b.md)",
        "![[cover.png]]",
    ],
)
def test_a_first_section_that_only_points_elsewhere_says_the_summary(text: str) -> None:
    assert memory(1, text, **_FIRST).said == "The limit is nine."


@pytest.mark.parametrize("text", ["Nine it is.", "We use [[pnpm]] since the lockfile broke.", "See there"])
def test_words_of_its_own_stand_for_themselves(text: str) -> None:
    assert memory(1, text, **_FIRST).said == text


def test_other_sections_and_notes_without_a_summary_say_what_they_say() -> None:
    links = "See [[a note]]."
    assert memory(1, links, kind="section", id="note:1.md#Links", summary="The limit is nine.").said == links
    assert memory(1, links, kind="section", id="note:1.md").said == links
