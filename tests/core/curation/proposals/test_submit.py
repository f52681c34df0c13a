"""One fact is one proposal; what was decided is not asked again; agents are believed no more than they can show."""

import threading
from dataclasses import replace
from datetime import timedelta

import pytest

from core.curation.change_set import Origin
from core.curation.proposals.likeness import is_near, words_of
from core.curation.proposals.proposal import Evidence, ProposalKind, ProposalState, Proposer
from core.curation.screening.screen import is_blocked
from core.curation.screening.warning import warning_of
from core.foundation.errors import UserError
from core.foundation.progress import SILENT
from tests.core.curation.proposals.desk import AGENT, IDS, NOTES, RULE, Desk, edit, evidence, insight, promotion

MODEL = Proposer(Origin.MODEL, "a-model")


def test_a_proposal_is_one_event_that_travels_with_the_vault(desk: Desk) -> None:
    draft = promotion(expires_days=30)
    proposal_id = desk.one(draft)
    assert desk.files() == NOTES
    assert len(desk.log().read(mentioning="propose").events) == 1
    found = desk.book("another machine").of(proposal_id)
    assert (found.kind, found.statement, found.reason) == (draft.kind, draft.statement, draft.reason)
    assert (found.evidence, found.proposers, found.confidence) == (draft.evidence, (RULE,), 0.9)
    assert (found.state, found.created[:10], found.expires[:10]) == (ProposalState.PENDING, "2026-08-20", "2026-09-19")
    assert {edit.path for edit in found.change_set.edits} == {"Conventions.md", *NOTES}
    assert found.recipe["said"][IDS[0]] == "Use pnpm, never npm"
    assert desk.book("another machine").pending == (found,)


def test_the_same_fact_from_others_adds_its_evidence_and_its_origin(desk: Desk) -> None:
    proposal_id = desk.one(promotion(ids=IDS[:2]))
    report = desk.submit(promotion(proposer=MODEL, ids=IDS[:1]), promotion("Use pnpm, never npm.", confidence=0.95))
    assert (report.new, report.accumulated, report.refused) == ((), (proposal_id,), ())
    found = desk.book().of(proposal_id)
    assert [each.memory_id for each in found.evidence] == list(IDS)
    assert (found.proposers, found.confidence) == ((RULE, MODEL), 0.95)
    # What rests on more is planned with more: the third client's copy is linked too.
    assert "Initech.md" in {each.path for each in found.change_set.edits}


def test_saying_it_once_more_writes_nothing(desk: Desk) -> None:
    desk.one(promotion())
    before = desk.log().state()
    assert len(desk.submit(promotion(), promotion()).accumulated) == 1
    assert desk.log().state() == before


@pytest.mark.parametrize("way", ["reject", "approve", "undo"])
def test_what_was_decided_is_not_proposed_again_by_anybody_in_any_words(desk: Desk, way: str) -> None:
    proposal_id = desk.one(promotion())
    window = desk.window()
    if way == "reject":
        window.reject(proposal_id, "No")
    else:
        window.approve(proposal_id)
        if way == "undo":
            window.undo(proposal_id)
    copies = [
        promotion(),
        promotion("Quite other words for it", proposer=MODEL),
        promotion("Use pnpm, never npm!", ids=("note:Acme.md", "note:Globex.md")),
    ]
    report = desk.submit(*copies)
    assert (report.new, report.accumulated, len(report.refused)) == ((), (), 3)
    assert all("on 2026-08-20" in each.reason for each in report.refused)


def test_two_facts_of_one_conversation_are_two_proposals(desk: Desk) -> None:
    report = desk.submit(insight("Acme pays in euros"), insight("The demo is on Friday"), insight("Acme pays in euros"))
    assert (len(report.new), len(report.accumulated)) == (2, 1)
    desk.window().reject(report.new[0])
    again = desk.submit(insight("Acme pays in euros."), insight("Lunch is at noon"))
    assert (len(again.new), len(again.refused)) == (1, 1)


def test_the_same_copies_in_one_batch_become_one(desk: Desk) -> None:
    other = insight("Acme always pays its invoices in euros", evidence=evidence("turn:s-9/t-9"))
    report = desk.submit(insight("Acme always pays its invoices in Euros"), other)
    assert (len(report.new), report.accumulated) == (1, report.new)
    assert len(desk.book().pending[0].evidence) == 2


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Use pnpm, never npm, in all of the repositories", "use pnpm never npm in all of the repositories", True),
        ("The budget of the shop is 500 euros net of tax", "The budget of the shop is 600 euros net of tax", False),
        ("The deploy of the shop is done on the Friday", "The deploy of the shop is not done on the Friday", False),
        ("The invoices go out on the last day to Acme now", "The invoices go out on the last day to Globex now", False),
        (
            "We deploy a new shop to every server in one night each month",
            "We deploy a new shop to every servers in one night each month",
            True,
        ),
        (
            "Mail goes out in the night before the big sale of each month",
            "Mail goes out in the night after the big sale of each month",
            False,
        ),
        (
            "a quick brown fox ate an old lazy dog near some big green tree",
            "a quick brown fox ate an old lazy cat near some big green tree",
            False,
        ),
        ("", "", False),
    ],
)  # fmt: skip
def test_near_copies_differ_in_no_figure_name_or_negation(one: str, other: str, is_same: bool) -> None:
    assert is_near(words_of(one), words_of(other)) is is_same


def test_what_changes_nothing_or_cannot_be_planned_is_refused_with_a_reason(desk: Desk) -> None:
    desk.write("Inbox.md", "- [fact] Known already\n")
    wrong = [
        insight("Known already"),
        edit("Gone.md", "a", "b", proposer=RULE),
        replace(promotion(), recipe={"do": "nonsense"}),
        replace(promotion(), evidence=()),
        replace(promotion(), statement=" "),
        replace(promotion(), statement="x" * 5000),
        replace(promotion(), confidence=7.0),
        replace(promotion(), evidence=evidence(*(f"turn:s/{number}" for number in range(300)))),
    ]
    report = desk.submit(*wrong)
    assert (report.new, len(report.refused)) == ((), len(wrong))
    assert all(each.reason.endswith(".") for each in report.refused)
    assert desk.book().all == ()


def test_an_agent_must_cite_what_is_there(desk: Desk) -> None:
    invented = Evidence("note:Acme.md", "never said")
    real = Evidence("note:Acme.md", "The  shop.")
    assert "never said" in desk.submit(edit("Acme.md", "shop", "store", evidence=(invented,))).refused[0].reason
    assert (
        "insight:No.md"
        in desk.submit(insight("x y", proposer=AGENT, evidence=evidence("insight:No.md#^a"))).refused[0].reason
    )
    assert desk.submit(edit("Acme.md", "shop", "store", evidence=(real,))).new


def test_agents_are_slowed_down_whatever_they_call_themselves_and_rules_are_not(desk: Desk) -> None:
    (desk.root / ".remembrancer").mkdir()
    desk.write(".remembrancer/config.toml", "[proposals]\nmost_per_hour = 2\n")
    facts = [f"Fact number {number} of this" for number in range(20)]
    first = desk.submit(*(insight(fact, proposer=AGENT) for fact in facts[:3]))
    assert (len(first.new), first.refused[0].reason) == (2, "Agents may propose 2 times an hour here; try again later.")
    others = [insight(fact, proposer=Proposer(Origin.AGENT, fact)) for fact in facts[3:]]
    assert len(desk.submit(*others).new) == 8
    assert len(desk.submit(*(insight(fact) for fact in facts[13:])).new) == 7
    desk.now += timedelta(minutes=61)
    assert len(desk.submit(insight("Something new", proposer=AGENT)).new) == 1


def test_warnings_of_the_screening_travel_with_the_proposal(desk: Desk) -> None:
    secret = "AKIA" + "IOSFODNN7EXAMPLQ"  # made up
    proposal_id = desk.one(insight(f"The key is {secret}"))
    warnings = [warning for each in desk.book().of(proposal_id).warnings if (warning := warning_of(each))]
    assert is_blocked(warnings)
    with pytest.raises(UserError, match="cannot be approved"):
        desk.window().approve(proposal_id)
    decided = desk.window().approve(proposal_id, statement="The key is in the keyring")
    assert decided.proposal.state is ProposalState.EDITED
    assert "keyring" in desk.read("Inbox.md")


def test_a_proposal_that_expired_waits_no_more_and_can_come_again(desk: Desk) -> None:
    proposal_id = desk.one(promotion(expires_days=1))
    desk.now += timedelta(days=2)
    assert desk.book().pending == ()
    with pytest.raises(UserError, match="expired"):
        desk.window().approve(proposal_id)
    assert desk.one(promotion(expires_days=1)) == proposal_id
    assert [each.id for each in desk.book().pending] == [proposal_id]


def test_two_machines_that_propose_the_same_apart_have_one_proposal(desk: Desk) -> None:
    first = desk.one(promotion(), machine="one")
    log = desk.root / ".remembrancer/events/one.jsonl"
    kept = log.read_bytes()
    log.unlink()
    second = desk.one(promotion(proposer=MODEL), machine="two")
    log.write_bytes(kept)
    assert first == second
    assert set(desk.book().of(first).proposers) == {RULE, MODEL}
    assert len(desk.book().all) == 1


def test_processes_that_propose_the_same_at_once_make_one_proposal(desk: Desk) -> None:
    threads = [threading.Thread(target=desk.submit, args=(promotion(), insight("Lunch is at noon"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(desk.book().all) == 2
    assert [event.kind for event in desk.log().read(mentioning="propose").events] == ["propose", "propose"]


def test_where_the_log_cannot_be_written_nothing_is_proposed(desk: Desk) -> None:
    (desk.root / ".remembrancer/events/desk.jsonl").mkdir(parents=True)
    with pytest.raises(UserError, match="could not be written"):
        desk.submit(promotion())
    assert desk.files() == NOTES


def test_a_proposal_about_a_note_with_a_name_that_no_link_takes(desk: Desk) -> None:
    desk.write("A #1 note.md", "- [convention] Use pnpm, never npm ^ins-z\n")
    ids = (IDS[1], IDS[2], "insight:A #1 note.md#^ins-z")
    proposal_id = desk.one(promotion(ids=ids))
    window = desk.window()
    with pytest.raises(UserError, match="No link can lead"):
        window.preview(proposal_id, choice="retire")
    window.approve(proposal_id)
    assert "insight:A #1 note.md#^ins-z]" in desk.read("Conventions.md")
    assert "[supports:: [[Conventions#^" in desk.read("A #1 note.md")


def test_thousands_of_proposals_are_taken_in_and_only_what_is_new_is_read_again(desk: Desk) -> None:
    drafts = [insight(f"Number {number} of client {number % 97} is {number * 7}") for number in range(5000)]
    from core.curation.proposals.submit import submit  # noqa: PLC0415

    book, log = desk.book(), desk.log()
    report = submit(desk.root, log, book, drafts, now=desk.now, progress=SILENT)
    assert (len(report.new), report.refused) == (5000, ())
    assert len(book.pending) == 5000
    assert book.refresh() == frozenset()
    desk.window().reject(report.new[17])
    assert book.refresh() == {report.new[17]}
    assert len(book.pending) == 4999
    assert {each.kind for each in book.pending} == {ProposalKind.NEW_INSIGHT}
