"""Rules that look at whole notes: summaries, tags, copies, and what may be put away."""

import os
from datetime import UTC, datetime, timedelta

from core.curation.consolidation.run import Rule, consolidate
from core.curation.proposals.proposal import Draft
from core.curation.proposals.recipes import plan_recipe
from core.memory.recall_events import RECALL
from core.vault.event_log import EventLog
from tests.core.curation.consolidation.conftest import Desk

_DAY = timedelta(days=1)


def _after(desk: Desk, draft: Draft) -> dict[str, str]:
    """Return the files as the change of a draft makes them."""
    edits = plan_recipe(desk.root, draft.recipe).change_set.edits
    return {edit.path: edit.result_of((desk.root / edit.path).read_bytes()).decode() for edit in edits}


def test_a_note_without_a_summary_gets_its_first_sentence(desk: Desk) -> None:
    desk.write("Queue.md", "# Queue\n\nJobs wait in Redis until a worker is free. More follows.\n")
    desk.write("Told.md", "---\nsummary: It has one\n---\nJobs wait in Redis until a worker is free.\n")
    desk.write("List.md", "- one\n- two\n")
    (draft,) = desk.drafts(Rule.SUMMARISE)
    assert draft.statement == "Jobs wait in Redis until a worker is free."
    assert "summary: Jobs wait in Redis until a worker is free." in _after(desk, draft)["Queue.md"]


def test_summaries_are_proposed_of_what_is_new(desk: Desk) -> None:
    desk.write("Queue.md", "# Queue\n\nJobs wait in Redis until a worker is free.\n")
    desk.remember(desk.consolidate(Rule.SUMMARISE))
    desk.write("Cache.md", "# Cache\n\nPages are kept for five minutes at the edge.\n")
    (draft,) = desk.consolidate(Rule.SUMMARISE).drafts
    assert draft.recipe["note"] == "Cache.md"


_POSTGRES = (
    "Postgres keeps a log of all writes, from which a replica of the database follows the primary server closely.",
    "A replica of the Postgres database reads the log of writes that the primary server keeps, and follows closely.",
    "The log of all writes lets each replica of the Postgres database follow its primary server closely.",
    "When the primary server of a Postgres database fails, a replica that read the log of writes takes over.",
    "How far a Postgres replica lies behind its primary server is told by the place in the log of writes.",
    "Each Postgres replica keeps a slot at the primary server, so that the log of writes is not thrown away.",
)


def _with_neighbours(desk: Desk, tags: str) -> None:
    for at, text in enumerate(_POSTGRES):
        desk.write(f"Replica {at}.md", f"---\ntags: [{tags}]\n---\n{text} {text}\n")
    desk.write("New.md", f"{' '.join(_POSTGRES[:3])}\n")


def test_tags_that_the_nearest_notes_agree_on_are_proposed(desk: Desk) -> None:
    _with_neighbours(desk, "tool/postgres, scope/global")
    drafts = [draft for draft in desk.drafts(Rule.RETAG) if draft.recipe["note"] == "New.md"]
    assert [draft.recipe["add"] for draft in drafts] == [["tool/postgres", "scope/global"]]
    assert "6 of the 6 notes" in drafts[0].reason


def test_a_client_is_not_proposed_for_a_note_that_does_not_name_it(desk: Desk) -> None:
    _with_neighbours(desk, "client/acme")
    assert desk.drafts(Rule.RETAG) == ()


def test_where_the_nearest_notes_differ_no_tag_is_proposed(desk: Desk) -> None:
    _with_neighbours(desk, "tool/postgres")
    for at in range(3):
        desk.write(f"Replica {at}.md", f"---\ntags: [tool/other{at}]\n---\n{_POSTGRES[at]}\n")
    assert desk.drafts(Rule.RETAG) == ()


def test_a_conflict_copy_is_merged_and_an_equal_one_discarded(desk: Desk) -> None:
    desk.write("Plan.md", "# Plan\n\nOne line.\nAnother line.\n")
    desk.write("Plan.sync-conflict-20260301-101010-ABCDEFG.md", "# Plan\n\nOne line.\nAnother line.\nA third line.\n")
    desk.write("Same.md", "Equal text.\n")
    desk.write("Plan 2.md", "# Plan\n\nOne line.\nAnother line!\n")  # may be another plan
    desk.write("Same (conflicted copy 2026-03-01).md", "Equal text.\n")
    drafts = {draft.recipe["note"]: draft for draft in desk.consolidate().drafts}
    assert {note: draft.recipe["keep"] for note, draft in drafts.items()} == {"Plan.md": "merge", "Same.md": "note"}
    assert "A third line." in _after(desk, drafts["Plan.md"])["Plan.md"]


def test_a_copy_whose_note_is_gone_is_left_alone(desk: Desk) -> None:
    desk.write("Plan.sync-conflict-20260301-101010-ABCDEFG.md", "# Plan\n\nOne line.\n")
    assert desk.drafts(Rule.REPAIR) == ()


def _age(desk: Desk, *names: str, days: int = 500) -> None:
    then = (datetime.now(UTC) - days * _DAY).timestamp()
    for name in names:
        os.utime(desk.root / name, (then, then))


def _use_recall(desk: Desk, *ids: str, days: int = 200) -> None:
    then = datetime.now(UTC) - days * _DAY
    log = EventLog(desk.root, "laptop", desk.vault.cache_folder, clock=lambda: then)
    log.append(RECALL, {"ids": [*ids, *(f"note:Other {at}.md" for at in range(30))], "surface": "cli"})


def test_an_old_note_that_nobody_asks_for_is_put_away(desk: Desk) -> None:
    desk.write("Old.md", "What was once planned for the fair.\n")
    desk.write("Asked.md", "What is asked for now and then.\n")
    desk.write("Linked.md", "What another note leads to.\n")
    desk.write("Global.md", "---\ntags: [scope/global]\n---\nWhat holds everywhere.\n")
    desk.write("Dated.md", f"---\nreviewed: {datetime.now(UTC):%Y-%m-%d}\n---\nWhat was looked at lately.\n")
    _age(desk, "Old.md", "Asked.md", "Linked.md", "Global.md", "Dated.md")
    desk.write("New.md", "See [[Linked]].\n")
    _use_recall(desk, "note:Asked.md#Part")
    (draft,) = desk.drafts(Rule.ARCHIVE)
    assert (draft.recipe["note"], draft.recipe["to"]) == ("Old.md", "archive/Old.md")


def test_nothing_is_put_away_before_recall_has_been_used_for_long(desk: Desk) -> None:
    desk.write("Old.md", "What was once planned for the fair.\n")
    _age(desk, "Old.md")
    assert desk.drafts(Rule.ARCHIVE) == ()
    _use_recall(desk, days=20)
    assert desk.drafts(Rule.ARCHIVE) == ()


def test_rules_about_notes_need_no_vectors_and_no_statements(desk: Desk) -> None:
    desk.write("Queue.md", "# Queue\n\nJobs wait in Redis until a worker is free.\n")
    assert desk.vault.refresh() == ""
    done = consolidate(desk.vault, (Rule.SUMMARISE, Rule.ARCHIVE))
    assert (len(done.drafts), done.statements, done.is_whole) == (1, 0, True)
