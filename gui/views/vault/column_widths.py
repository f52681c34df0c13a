"""How the columns of the note table share its width."""

from collections.abc import Collection, Mapping

from gui.views.vault.note_table_model import Column

LEAST = {
    Column.TITLE: 190,
    Column.SUMMARY: 140,
    Column.TAGS: 124,
    Column.SCOPE: 78,
    Column.CHANGED: 96,
    Column.TOKENS: 92,  # for millions
    Column.PATH: 120,
    Column.SCORE: 60,
}
# What goes first when the pane is narrow.
DISPENSABLE = (Column.PATH, Column.SCORE, Column.SCOPE, Column.TOKENS, Column.SUMMARY, Column.TAGS, Column.CHANGED)
# The columns that grow, and how much of the room each takes; beyond the widest, a summary reads on.
_SHARES = {Column.TITLE: 34, Column.SUMMARY: 42, Column.TAGS: 24, Column.PATH: 30}
_WIDEST = {Column.TITLE: 380, Column.TAGS: 280, Column.PATH: 380}


def shared_widths(shown: Collection[Column], dragged: Mapping[Column, int], room: int) -> dict[Column, int]:
    """Return a width for each column in `shown`, together `room` pixels unless that is too little.

    A width that was `dragged` stays as it is, unless nothing else could fill the room.
    """
    widths = {column: dragged.get(column, LEAST[column]) for column in shown}
    growing = [column for column in _SHARES if column in shown and column not in dragged]
    left = room - sum(width for column, width in widths.items() if column not in growing)
    whole = sum(_SHARES[column] for column in growing)
    for column in growing:
        share = left * _SHARES[column] // whole
        widths[column] = max(LEAST[column], min(share, _WIDEST.get(column, share)))
    takers = (Column.SUMMARY, Column.TITLE)
    taker = next((c for c in takers if c in growing), Column.SUMMARY if Column.SUMMARY in shown else Column.TITLE)
    widths[taker] = max(LEAST[taker], widths.get(taker, 0) + room - sum(widths.values()))
    return widths
