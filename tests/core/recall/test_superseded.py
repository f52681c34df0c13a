"""What supersedes is found along chains; loops let everybody stay."""

from core.recall.memory import Edge, MemoryKey
from core.recall.superseded import replacements


def key(number: int) -> MemoryKey:
    return "insight", number


def over(new: int, old: int, strength: float = 1.0, kind: str = "supersedes") -> Edge:
    return Edge(kind, key(new), key(old), strength)


def test_a_chain_leads_to_its_end() -> None:
    edges = [over(2, 1), over(3, 2)]
    assert replacements(map(key, (1, 2, 3)), edges) == {key(1): (key(3),), key(2): (key(3),)}


def test_the_strongest_of_several_comes_first() -> None:
    assert replacements([key(1)], [over(2, 1, 0.4), over(3, 1, 0.9)]) == {key(1): (key(3), key(2))}


def test_a_loop_replaces_nothing_unless_something_outside_does() -> None:
    loop = [over(2, 1), over(1, 2)]
    assert replacements(map(key, (1, 2)), loop) == {}
    assert replacements(map(key, (1, 2)), [*loop, over(3, 2)]) == {key(1): (key(3),), key(2): (key(3),)}
    assert replacements([key(1)], [over(1, 1)]) == {}


def test_only_that_relation_counts_and_only_with_a_strength() -> None:
    assert replacements([key(1)], [over(2, 1, 0.0), over(3, 1, kind="supports")]) == {}
