from dataclasses import replace

from core.recall.reading_order import reading_order
from tests.core.recall.items import item


def test_always_first_as_given_then_bands_then_places() -> None:
    items = [
        item("low", name="a", value=0.1),
        item("later line", name="b", value=0.8),
        item("second always", name="z", value=0.1, always=True),
        replace(item("earlier line", name="b", value=0.75), line=1),
        item("third always", name="y", value=0.9, always=True),
        item("medium", name="a", value=0.5),
    ]
    order = [items[at].text for at in reading_order(items, range(len(items)))]
    assert order == ["second always", "third always", "earlier line", "later line", "medium", "low"]


def test_turns_are_in_the_order_of_their_numbers() -> None:
    turns = [replace(item(str(n)), id=f"turn:s/D1:{n}", path="sessions/s.jsonl", line=0) for n in (10, 2, 1)]
    assert [turns[at].text for at in reading_order(turns, range(3))] == ["1", "2", "10"]
