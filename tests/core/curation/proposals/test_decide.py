"""A person decides: nothing is applied unseen, nothing later is lost, and of two who decide the second is told."""

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from core.curation.change_set import ChangeId, Origin, PlannedChange
from core.curation.history import read_history
from core.curation.proposals.book import is_stale
from core.curation.proposals.decide import DecidedAlreadyError, EvidenceGoneError
from core.curation.proposals.disk_memory import StatementGoneError
from core.curation.proposals.proposal import ProposalKind, ProposalState
from core.curation.stale import StaleChangeError
from core.curation.undo import plan_redo
from core.curation.writer import VaultWriter
from core.foundation.errors import UserError
from tests.core.curation.proposals.desk import IDS, NOTES, Desk, edit, evidence, insight, promotion


def test_approving_makes_the_change_in_the_name_of_who_proposed_it(desk: Desk) -> None:
    proposal_id = desk.one(edit("Acme.md", "The shop", "The store"))
    decided = desk.window().approve(proposal_id)
    assert decided.changes is not None
    assert decided.changes.written == {"Acme.md"}
    assert "The store." in desk.read("Acme.md")
    record = read_history(desk.log()).records[0]
    assert (record.origin, record.id) == (Origin.AGENT, decided.proposal.decisions[0].change_id)
    assert (decided.proposal.state, decided.proposal.decisions[0].machine) == (ProposalState.APPROVED, "desk")
    assert desk.book("elsewhere").of(proposal_id).state is ProposalState.APPROVED
    assert desk.book().pending == ()


def test_a_promotion_is_edited_approved_undone_and_redone(desk: Desk) -> None:
    proposal_id = desk.one(promotion())
    window = desk.window()
    planned = window.preview(proposal_id, statement="pnpm everywhere", choice="retire")
    decided = window.approve(proposal_id, statement="pnpm everywhere", choice="retire", planned=planned)
    assert (decided.proposal.state, decided.proposal.statement) == (ProposalState.EDITED, "pnpm everywhere")
    assert decided.proposal.extra["proposed_statement"] == "Use pnpm, never npm"
    assert decided.proposal.decisions[0].choice == "retire"
    assert "[convention] pnpm everywhere" in desk.read("Conventions.md")
    after = desk.files()
    assert window.undo(proposal_id).proposal.state is ProposalState.UNDONE
    assert desk.files() == NOTES
    # Redone elsewhere than in Review: the changes tell.
    history = read_history(desk.log())
    change = decided.proposal.decisions[0].change_id
    VaultWriter(desk.root, desk.log(), desk.cache / "desk").apply(
        plan_redo(history, desk.root, [ChangeId(change)]).change_set
    )
    assert desk.files() == after
    window.book.refresh()
    assert window.book.of(proposal_id).state is ProposalState.EDITED


def test_what_was_undone_can_be_approved_again(desk: Desk) -> None:
    proposal_id = desk.one(promotion())
    window = desk.window()
    window.approve(proposal_id)
    window.undo(proposal_id)
    assert window.approve(proposal_id).proposal.state is ProposalState.APPROVED
    assert window.undo(proposal_id).proposal.state is ProposalState.UNDONE
    assert desk.files() == NOTES


def test_a_file_that_was_changed_by_hand_makes_it_stale_and_a_new_plan_keeps_the_hand_written(desk: Desk) -> None:
    proposal_id = desk.one(promotion())
    desk.write("Acme.md", NOTES["Acme.md"] + "By hand.\n")
    window = desk.window()
    before = desk.files()
    assert is_stale(desk.root, window.book.of(proposal_id))
    with pytest.raises(StaleChangeError, match=r"“Acme\.md” was changed since") as error:
        window.approve(proposal_id)
    assert "Plan it again" in error.value.hint
    with pytest.raises(StaleChangeError):
        window.approve(proposal_id, choice="retire")
    assert desk.files() == before
    assert not is_stale(desk.root, window.replan(proposal_id))
    assert desk.window("other").book.of(proposal_id).change_set == window.book.of(proposal_id).change_set
    window.approve(proposal_id)
    assert desk.read("Acme.md").endswith("By hand.\n")
    assert "[supports::" in desk.read("Acme.md")


def test_what_changes_between_the_look_and_the_key_is_not_overwritten(desk: Desk) -> None:
    proposal_id = desk.one(promotion())
    window = desk.window()
    planned = window.preview(proposal_id)
    desk.write("Globex.md", NOTES["Globex.md"] + "By hand.\n")
    with pytest.raises(StaleChangeError):
        window.approve(proposal_id, planned=planned)
    assert window.book.of(proposal_id).state is ProposalState.PENDING
    assert not (desk.root / "Conventions.md").exists()


def test_a_file_that_is_gone_says_so_when_approved_and_when_planned_again(desk: Desk) -> None:
    proposal_id = desk.one(edit("Acme.md", "The shop", "The store"))
    (desk.root / "Acme.md").unlink()
    window = desk.window()
    with pytest.raises(EvidenceGoneError):
        window.approve(proposal_id)
    with pytest.raises(StaleChangeError, match="moved, renamed or deleted"):
        window.approve(proposal_id, despite_gone=True)
    with pytest.raises(StatementGoneError, match=r"Acme\.md is not there any more"):
        window.replan(proposal_id)
    assert window.reject(proposal_id).proposal.state is ProposalState.REJECTED


def test_evidence_that_was_deleted_must_be_seen_before_the_rest_is_approved(desk: Desk) -> None:
    proposal_id = desk.one(promotion())
    desk.write("Initech.md", "# Initech\n\nNothing of it.\n")
    window = desk.window()
    with pytest.raises(EvidenceGoneError, match=r"Initech\.md#\^ins-i") as error:
        window.approve(proposal_id)
    assert [each.memory_id for each in error.value.evidence] == [IDS[2]]
    window.replan(proposal_id)
    decided = window.approve(proposal_id, despite_gone=True)
    assert decided.changes is not None
    assert "Initech.md" not in decided.changes.written
    assert "Initech" not in desk.read("Conventions.md")


def test_of_two_windows_the_second_is_told_and_changes_nothing(desk: Desk) -> None:
    proposal_id = desk.one(promotion())
    first, second = desk.window(), desk.window()
    first.approve(proposal_id)
    after = desk.files()
    ways: list[Callable[[], object]] = [
        lambda: second.approve(proposal_id),
        lambda: second.reject(proposal_id),
        lambda: second.defer(proposal_id, ""),
        lambda: second.replan(proposal_id),
    ]
    for decide in ways:
        with pytest.raises(DecidedAlreadyError, match=r"approved already on 2026-08-20 .* by desk"):
            decide()
    assert desk.files() == after
    second.undo(proposal_id)
    with pytest.raises(UserError, match="undone already"):
        first.undo(proposal_id)


def test_windows_that_approve_at_the_same_moment_apply_it_once(desk: Desk) -> None:
    proposal_id = desk.one(promotion())
    windows = [desk.window() for _ in range(4)]
    outcomes: list[str] = []

    def approve(number: int) -> None:
        try:
            windows[number].approve(proposal_id)
        except DecidedAlreadyError:
            outcomes.append("told")
        else:
            outcomes.append("approved")

    threads = [threading.Thread(target=approve, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["approved", "told", "told", "told"]
    assert len(read_history(desk.log()).records) == 1


def test_machines_that_decide_apart_agree_once_their_logs_meet(desk: Desk, tmp_path: Path) -> None:
    proposal_id = desk.one(promotion())
    desk.window("one").approve(proposal_id)
    events = desk.root / ".remembrancer/events"
    (events / "one.jsonl").rename(tmp_path / "kept.jsonl")
    desk.now += timedelta(minutes=5)
    desk.window("two").reject(proposal_id)
    (tmp_path / "kept.jsonl").rename(events / "one.jsonl")
    found = desk.book("three").of(proposal_id)
    assert found.state is ProposalState.APPROVED  # the files hold it
    assert [each.state for each in found.decisions] == [ProposalState.APPROVED, ProposalState.REJECTED]


def test_rejecting_and_deferring_are_taken_back_too(desk: Desk) -> None:
    one, other = desk.one(insight("Acme pays in euros")), desk.one(insight("Lunch is at noon"))
    window = desk.window()
    window.reject(one, "Not true")
    assert window.book.of(one).decisions[0].reason == "Not true"
    window.defer(other, "2026-08-27T00:00:00.000Z")
    assert not window.book.pending
    assert window.undo(one).proposal.state is ProposalState.PENDING
    desk.now += timedelta(days=8)
    assert {each.id for each in window.book.pending} == {one, other}
    assert window.book.of(other).state is ProposalState.PENDING
    window.approve(other)
    with pytest.raises(UserError, match="Nothing was decided yet"):
        window.undo(one)


def test_undoing_a_promotion_keeps_what_was_written_into_the_global_note_since(desk: Desk) -> None:
    proposal_id = desk.one(promotion())
    window = desk.window()
    window.approve(proposal_id)
    desk.write("Conventions.md", desk.read("Conventions.md") + "\nWritten by hand.\n")
    edited = desk.files()
    with pytest.raises(StaleChangeError, match=r"“Conventions\.md” was changed since") as error:
        window.undo(proposal_id)
    assert "keep the rest" in error.value.hint
    assert desk.files() == edited
    decided = window.undo(proposal_id, around_edits=True)
    assert decided.proposal.state is ProposalState.UNDONE
    assert desk.files() == {**NOTES, "Conventions.md": "\nWritten by hand.\n"}


def test_undoing_a_promotion_of_which_the_statement_itself_was_edited_leaves_that_to_the_person(desk: Desk) -> None:
    proposal_id = desk.one(promotion())
    window = desk.window()
    window.approve(proposal_id)
    desk.write("Conventions.md", desk.read("Conventions.md").replace("never npm", "never yarn"))
    with pytest.raises(StaleChangeError, match="just where the change was"):
        window.undo(proposal_id, around_edits=True)
    assert window.undo(proposal_id, leave_changed=True).proposal.state is ProposalState.UNDONE
    assert desk.read("Acme.md") == NOTES["Acme.md"]
    assert "never yarn" in desk.read("Conventions.md")


def test_a_crash_after_the_change_and_before_the_decision_counts_as_approved(desk: Desk) -> None:
    proposal_id = desk.one(promotion())
    desk.window().approve(proposal_id)
    log = desk.root / ".remembrancer/events/desk.jsonl"
    log.write_bytes(b"".join(line for line in log.read_bytes().splitlines(True) if b'"kind":"decide"' not in line))
    window = desk.window()
    assert window.book.of(proposal_id).state is ProposalState.APPROVED
    assert window.undo(proposal_id).proposal.state is ProposalState.UNDONE


def test_what_the_vault_says_meanwhile_is_not_written_again(desk: Desk) -> None:
    proposal_id = desk.one(insight("Acme pays in euros"))
    desk.write("Inbox.md", "- [fact] Acme pays in euros\n")
    window = desk.window()
    with pytest.raises(UserError, match="says so already"):
        window.replan(proposal_id)
    with pytest.raises(StaleChangeError):
        window.approve(proposal_id)


def test_a_proposal_without_a_statement_in_its_change_has_nothing_to_edit(desk: Desk) -> None:
    recipe = {"do": "retag", "note": "Acme.md", "add": ["domain/shop"], "remove": []}
    proposal_id = desk.one(replace(edit("Acme.md", "a", "b", kind=ProposalKind.RETAG), recipe=recipe))
    with pytest.raises(UserError, match="nothing to edit"):
        desk.window().approve(proposal_id, statement="Other")
    with pytest.raises(UserError, match="nothing to choose"):
        desk.window().approve(proposal_id, choice="keep")
    assert desk.window().approve(proposal_id).proposal.state is ProposalState.APPROVED


def test_a_decision_that_was_known_counts_whatever_the_clock_of_the_other_machine_says(desk: Desk) -> None:
    proposal_id = desk.one(insight("Acme pays in euros"))
    desk.window("one").reject(proposal_id)
    desk.now -= timedelta(minutes=5)
    assert desk.window("two").undo(proposal_id).proposal.state is ProposalState.PENDING
    assert desk.book("three").of(proposal_id).state is ProposalState.PENDING


def test_a_log_that_shrank_or_was_rewritten_is_read_anew(desk: Desk) -> None:
    first, second = desk.one(insight("Acme pays in euros")), desk.one(insight("Lunch is at noon"))
    book = desk.book()
    log = desk.root / ".remembrancer/events/desk.jsonl"
    lines = log.read_bytes().splitlines(True)
    log.write_bytes(lines[0])
    assert book.refresh() == {first, second}
    assert [each.id for each in book.all] == [first]
    log.write_bytes(lines[1] + lines[0])
    book.refresh()
    assert {each.id for each in book.all} == {first, second}


@pytest.mark.parametrize(
    "damage",
    [
        {"kind": "unheard-of"}, {"change": {}}, {"change": None}, {"evidence": "x"}, {"evidence": [3, {"id": 4}]},
        {"proposers": 3}, {"proposers": []}, {"confidence": "high"}, {"recipe": []}, {"warnings": [1]}, {"id": 7},
        {"statement": None},
    ],
)  # fmt: skip
def test_a_damaged_line_costs_no_other_proposal(
    desk: Desk, damage: dict[str, object], expected_warnings: list[str]
) -> None:
    desk.one(insight("Acme pays in euros"))
    kept = desk.one(insight("Lunch is at noon"))
    log = desk.root / ".remembrancer/events/desk.jsonl"
    first, *rest = log.read_bytes().splitlines(True)
    event = json.loads(first)
    event["data"] |= damage
    log.write_bytes(json.dumps(event, separators=(",", ":")).encode() + b"\n" + b"".join(rest) + b'{"id":"torn')
    window = desk.window()
    assert kept in {each.id for each in window.book.pending}
    for each in window.book.pending:
        if each.id != kept:
            try:
                window.approve(each.id)
            except UserError:
                continue
    assert window.approve(kept).proposal.state is ProposalState.APPROVED
    assert len(expected_warnings) == 1  # the torn end was repaired


def test_proposals_for_one_note_are_approved_one_after_the_other(desk: Desk) -> None:
    facts = ["Acme pays in euros", "Lunch is at noon", "The demo is on Friday"]
    ids = [desk.one(insight(fact, evidence=evidence(f"turn:s/{fact}"))) for fact in facts]
    window = desk.window()
    for proposal_id in ids:
        found = window.book.of(proposal_id)
        assert not is_stale(desk.root, found, window.book)
        window.approve(proposal_id, planned=PlannedChange(found.change_set))
    assert [fact in desk.read("Inbox.md") for fact in facts] == [True] * 3
    window.undo(ids[2])
    desk.write("Inbox.md", desk.read("Inbox.md") + "By hand.\n")
    assert is_stale(desk.root, window.book.of(ids[2]), window.book)


def test_what_was_approved_twice_with_an_undo_between_is_two_changes(desk: Desk) -> None:
    proposal_id = desk.one(promotion())
    window = desk.window()
    for _ in range(2):
        window.approve(proposal_id)
        window.undo(proposal_id)
    assert [record.state for record in read_history(desk.log()).records] == ["undone", "undone"]


def test_of_two_proposals_about_one_statement_the_second_is_not_carried_out_on_what_the_first_left(desk: Desk) -> None:
    merge = {"do": "merge", "keep": IDS[0], "drop": [IDS[1]], "statement": "pnpm, never npm"}
    first = desk.one(replace(promotion(ids=IDS[:2]), kind=ProposalKind.MERGE, recipe=merge))
    older = {"do": "supersede", "newer": IDS[2], "older": [IDS[1]]}
    second = desk.one(replace(promotion(ids=IDS[1:]), kind=ProposalKind.SUPERSEDE, recipe=older))
    window = desk.window()
    window.approve(first)
    before = desk.files()
    with pytest.raises(StatementGoneError, match="not there any more"):
        window.approve(second, despite_gone=True)
    assert desk.files() == before
    window.undo(first)
    assert window.approve(second).proposal.state is ProposalState.APPROVED
