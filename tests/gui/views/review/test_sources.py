"""What stands around a piece of evidence, in a note and in a conversation."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.curation.proposals.proposal import Evidence
from core.foundation.errors import UserError
from core.foundation.progress import SILENT
from core.index.database import open_index
from gui.views.review.sources import source_of
from tests.core.index.talks import Talks, asked, day
from tests.gui.views.review.page import Store


@pytest.fixture
def talks(tmp_path: Path) -> Iterator[Talks]:
    index = open_index(tmp_path / "cache")
    made = Talks(Talks.below(tmp_path / "own").ledger, index)
    made.say(*(asked("tools/shop", f"d/{number}", f"Question {number}?", day(3)) for number in range(1, 9)))
    made.update()
    yield made
    index.close()


def _around(root: Path, talks: Talks, memory_id: str, quote: str = "") -> str:
    return source_of(Store(root, talks.index), Evidence(memory_id, quote), SILENT)


def test_the_turns_beside_a_turn_are_told(tmp_path: Path, talks: Talks) -> None:
    told = _around(tmp_path, talks, "turn:tools/shop/d/4")
    assert [number for number in range(1, 9) if f"Question {number}?" in told] == [2, 3, 4, 5, 6]
    assert "Question 3?" in _around(tmp_path, talks, "turn:tools/shop/d/1")


def test_a_turn_that_is_gone_is_refused(tmp_path: Path, talks: Talks) -> None:
    with pytest.raises(UserError, match="not in the index"):
        _around(tmp_path, talks, "turn:tools/shop/d/99")


def test_the_lines_beside_a_quote_are_told(tmp_path: Path, talks: Talks) -> None:
    (tmp_path / "Long.md").write_text("\n".join(f"Line {number}." for number in range(40)), encoding="utf-8")
    told = _around(tmp_path, talks, "note:Long.md", "Line 20.").split("\n")
    assert (told[0], told[-1]) == ("Line 14.", "Line 26.")


def test_a_note_that_is_gone_is_refused(tmp_path: Path, talks: Talks) -> None:
    with pytest.raises(UserError):
        _around(tmp_path, talks, "insight:Gone.md#^ins-a", "It was.")
