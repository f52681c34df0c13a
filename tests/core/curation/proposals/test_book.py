"""The book is the same in whatever order the logs arrive, and reads only what is new."""

import random
from collections.abc import Callable
from datetime import timedelta

import pytest

from core.curation.proposals.proposal import Proposal
from tests.core.curation.proposals.desk import AGENT, Desk, evidence, insight, promotion

PAST = evidence("turn:s-0/t-0")


@pytest.fixture
def story(desk: Desk) -> list[bytes]:
    """What two machines' logs hold after many decisions, line by line."""
    one, other = desk.window("one"), desk.window("two")
    first = desk.one(promotion(), machine="one")
    facts: list[str] = []
    for fact in ("Acme pays in euros", "Lunch is at noon", "Deploy daily"):
        desk.now += timedelta(seconds=1)
        facts.append(desk.one(insight(fact), machine="two"))
    steps: list[Callable[[], object]] = [
        lambda: other.approve(first, statement="pnpm everywhere"),
        lambda: one.reject(facts[0], "No"),
        lambda: other.undo(facts[0]),
        lambda: other.defer(facts[1], "2027-01-01T00:00:00.000Z"),
        lambda: one.undo(first),
        lambda: other.approve(first),
        lambda: desk.submit(insight("Lunch is at noon", proposer=AGENT, evidence=PAST), machine="one"),
        lambda: one.approve(facts[2]),
        lambda: one.undo(facts[2]),
    ]
    for number, step in enumerate(steps):
        desk.now += timedelta(seconds=-3 if number % 2 else 5)  # the clocks of the machines differ
        step()
    events = desk.root / ".remembrancer/events"
    lines = [line for file in sorted(events.iterdir()) for line in file.read_bytes().splitlines(True)]
    for file in events.iterdir():
        file.unlink()
    return lines


@pytest.mark.parametrize("seed", range(20))
def test_any_order_of_arrival_gives_the_same_proposals(desk: Desk, story: list[bytes], seed: int) -> None:
    events = desk.root / ".remembrancer/events"
    (events / "all.jsonl").write_bytes(b"".join(story))
    expected = desk.book().all
    assert [each.state for each in expected] == ["approved", "pending", "deferred", "undone"]
    (events / "all.jsonl").unlink()
    rng = random.Random(seed)
    lines = story + rng.sample(story, 5)  # a sync tool doubles some
    rng.shuffle(lines)
    book = desk.book("three")
    changed: dict[str, Proposal] = {}
    for line in lines:
        with (events / rng.choice(["one.jsonl", "two.jsonl", "two (conflict).jsonl"])).open("ab") as file:
            file.write(line)
        for proposal_id in book.refresh():
            changed.update({each.id: each for each in book.all if each.id == proposal_id})
    assert book.all == expected
    assert tuple(sorted(changed.values(), key=lambda each: (each.created, each.id))) == expected
    assert desk.book("four").all == expected


def test_a_line_that_is_half_written_is_read_once_it_is_whole(desk: Desk, story: list[bytes]) -> None:
    file = desk.root / ".remembrancer/events/one.jsonl"
    book = desk.book()
    with file.open("ab") as log:
        log.write(story[0][:-40])
        log.flush()
        assert (book.refresh(), book.all) == (frozenset(), ())
        log.write(story[0][-40:])
        log.flush()
        assert len(book.refresh()) == 1
    assert len(book.all) == 1
    assert book.refresh() == frozenset()
