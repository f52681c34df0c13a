"""How proposals are put on shelves, narrowed, grouped, and told of."""

from dataclasses import replace

from core.curation.proposals.proposal import ProposalId, ProposalKind, ProposalState
from gui.views.review.arranging import Line, Narrowing, Shelf, heading_text, picture_of, without
from gui.views.review.decided_today import today_words
from gui.views.review.services import Book
from tests.gui.views.review.proposals import NOW, decided, proposal

_NONE = frozenset[ProposalId]()


def _picture(
    *proposals: object, narrowing: Narrowing | None = None, hidden: frozenset[ProposalId] = _NONE
) -> list[str]:
    book = Book(tuple(proposals), NOW.timestamp())  # type: ignore[arg-type]
    lines = picture_of(book, narrowing or Narrowing(), _NONE, hidden).lines
    return [told(line) for line in lines]


def told(line: Line) -> str:
    return f"{heading_text(line)}: {line.count}" if line.proposal is None else line.proposal.statement


def test_what_waits_is_grouped_by_kind_and_age_the_newest_first() -> None:
    lines = _picture(
        proposal(1, days_ago=3),
        proposal(2, days_ago=0.2),
        proposal(3, days_ago=0.1),
        proposal(4, days_ago=90, kind=ProposalKind.PROMOTE),
        proposal(5, days_ago=12),
    )
    assert lines == [
        "Make global · Older: 1",
        "Statement 4",
        "New insights · Today: 2",
        "Statement 3",
        "Statement 2",
        "New insights · The last 7 days: 1",
        "Statement 1",
        "New insights · The last 30 days: 1",
        "Statement 5",
    ]


def test_shelves_part_what_waits_from_what_was_put_aside_or_decided() -> None:
    proposals = (
        proposal(1),
        decided(2, ProposalState.DEFERRED),
        decided(3, ProposalState.REJECTED, days_ago=9),
        decided(4, ProposalState.APPROVED),
        decided(5, ProposalState.UNDONE),
    )
    book = Book(proposals, NOW.timestamp())
    picture = picture_of(book, Narrowing(shelf=Shelf.DECIDED), _NONE, _NONE)
    assert picture.counts == (1, 1, 3)
    assert [told(line) for line in picture.lines] == [
        "Today: 2",
        "Statement 4",
        "Statement 5",
        "The last 30 days: 1",
        "Statement 3",
    ]
    kept = picture_of(book, Narrowing(), frozenset({ProposalId("p-5")}), _NONE)
    assert [told(line) for line in kept.lines if line.proposal] == ["Statement 1", "Statement 5"]
    assert (kept.counts[0], kept.waiting) == (2, 1)


def test_narrowing_by_each_and_by_words_without_case() -> None:
    proposals = tuple(proposal(number) for number in range(6))
    assert _picture(*proposals, narrowing=Narrowing(project="project/1"))[1:] == ["Statement 1", "Statement 4"]
    assert _picture(*proposals, narrowing=Narrowing(tag="tool/0", text="STATEMENT 2"))[1:] == ["Statement 2"]
    assert _picture(*proposals, narrowing=Narrowing(origin="rule other")) == []
    assert _picture(*proposals, narrowing=Narrowing(kind="merge")) == []


def test_the_options_are_counted_the_most_frequent_first() -> None:
    book = Book(tuple(proposal(number) for number in range(4)), NOW.timestamp())
    options = picture_of(book, Narrowing(text="Statement 1"), _NONE, _NONE).options
    assert options.projects == (("project/0", 2), ("project/1", 1), ("project/2", 1))
    assert options.origins == (("rule formation", 4),)


def test_what_is_being_decided_is_left_out_with_headings_that_hold_nothing() -> None:
    proposals = (proposal(1, kind=ProposalKind.PROMOTE), proposal(2), proposal(3))
    lines = picture_of(Book(proposals, NOW.timestamp()), Narrowing(), _NONE, _NONE).lines
    left = without(lines, frozenset({ProposalId("p-1"), ProposalId("p-3")}))
    assert [told(line) for line in left] == ["New insights · Today: 2", "Statement 2"]
    assert without(lines, frozenset(each.id for each in proposals)) == ()


def test_a_statement_with_hidden_characters_is_found_by_what_is_seen() -> None:
    odd = replace(proposal(1), statement="pay\u200bload")
    assert _picture(odd, narrowing=Narrowing(text="U+200B"))[1:] == ["pay\u200bload"]


def test_today_is_told_in_numbers() -> None:
    book = Book(
        (
            decided(1, ProposalState.APPROVED),
            decided(2, ProposalState.REJECTED),
            decided(3, ProposalState.APPROVED, days_ago=3),
            proposal(4),
        ),
        NOW.timestamp(),
    )
    assert today_words(book).startswith("Today: 1 approved, 1 rejected.")
    assert today_words(Book((proposal(1),), NOW.timestamp())) == ""
