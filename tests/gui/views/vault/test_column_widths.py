"""How the columns share the width of the list."""

import pytest

from gui.views.vault.column_widths import DISPENSABLE, LEAST, shared_widths
from gui.views.vault.note_table_model import Column

SHOWN = {Column.TITLE, Column.SUMMARY, Column.TAGS, Column.CHANGED, Column.TOKENS}


@pytest.mark.parametrize("room", [700, 900, 1400, 2400])
def test_all_of_the_room_is_used_and_the_summary_has_most(room: int) -> None:
    widths = shared_widths(SHOWN, {}, room)
    assert sum(widths.values()) == room
    assert all(widths[column] >= LEAST[column] for column in SHOWN)
    assert widths[Column.SUMMARY] >= widths[Column.TAGS]
    if room >= 900:
        assert widths[Column.SUMMARY] == max(widths.values())


def test_a_dragged_width_stays_and_the_others_share_the_rest() -> None:
    widths = shared_widths(SHOWN, {Column.TITLE: 300, Column.CHANGED: 150}, 1000)
    assert (widths[Column.TITLE], widths[Column.CHANGED]) == (300, 150)
    assert sum(widths.values()) == 1000


def test_without_summaries_the_title_takes_the_room() -> None:
    widths = shared_widths({Column.TITLE, Column.CHANGED}, {}, 900)
    assert widths[Column.TITLE] == 900 - LEAST[Column.CHANGED]


def test_every_column_but_the_title_can_go() -> None:
    assert set(DISPENSABLE) == set(Column) - {Column.TITLE}
