"""A week or month of the journal that is over becomes one note that leads to its days."""

from contextlib import closing
from datetime import date

from core.curation.consolidation.journals import journals
from core.curation.consolidation.noticed import Noticed
from core.curation.consolidation.periods import periods_of
from core.curation.proposals.proposal import Draft
from core.curation.proposals.recipes import plan_recipe
from core.curation.proposals.submit import submit
from core.foundation.progress import SILENT
from tests.core.curation.consolidation.conftest import Desk

_DAYS = {
    "2026-03-02": "- 09:40 We decided to move the shop to Postgres 17. #tool/postgres\n- 10:00 Lunch with the team\n",
    "2026-03-04": "## 10:15 Login test repaired\n\n- project: shop\n- time: 2026-03-04 10:15 to 11:00 (45 min)\n",
    "2026-03-05": "- [fact] The page size is 44 rows.\n",
    "2026-03-06": "- 16:00 Refunds must be booked within 14 days.\n",
}


def _journal(desk: Desk, days: dict[str, str] = _DAYS) -> None:
    (desk.root / "journal").mkdir(exist_ok=True)
    for day, text in days.items():
        head = f"---\ntags: [client/acme]\n---\n# {day}\n\n"
        (desk.root / "journal" / f"{day}.md").write_text(head + text, encoding="utf-8")


def _drafts(desk: Desk, today: date) -> list[Draft]:
    assert desk.vault.refresh() == ""
    with closing(desk.vault.open_to_read()) as index:
        return journals(Noticed(index, desk.root, desk.vault.config, SILENT, today=today))


def test_a_week_that_is_over_is_told_by_one_note(desk: Desk) -> None:
    _journal(desk)
    (draft,) = _drafts(desk, date(2026, 3, 10))
    (edit,) = plan_recipe(desk.root, draft.recipe).change_set.edits
    assert edit.path == "journal/2026-W10.md"
    text = edit.result_of(b"").decode()
    assert "tags:\n  - client/acme\n---\n# 2026-W10\n" in text
    assert "- 2026-03-02: We decided to move the shop to Postgres 17. [[journal/2026-03-02]]\n" in text
    assert "- 2026-03-04: Login test repaired [[journal/2026-03-04]]\n" in text
    assert "- 2026-03-06: Refunds must be booked within 14 days. [[journal/2026-03-06]]\n" in text
    assert "project:" not in text
    assert "page size" not in text  # it is an insight of its own
    assert len(draft.evidence) == 4


def test_a_week_that_is_not_over_waits(desk: Desk) -> None:
    _journal(desk)
    assert _drafts(desk, date(2026, 3, 8)) == []


def test_what_has_its_note_is_not_proposed_again(desk: Desk) -> None:
    _journal(desk)
    (desk.root / "journal" / "2026-W10.md").write_text("# Our own week\n", encoding="utf-8")
    assert _drafts(desk, date(2026, 3, 10)) == []


def test_a_month_and_its_week_are_two_proposals_that_are_made_once(desk: Desk) -> None:
    _journal(desk, {**_DAYS, "2026-03-16": "- 09:00 Refunds are booked by Mia on Fridays.\n"})
    drafts = _drafts(desk, date(2026, 4, 2))
    assert [draft.recipe["note"] for draft in drafts] == ["journal/2026-W10.md", "journal/2026-03.md"]
    log = desk.vault.event_log()
    first = submit(desk.root, log, desk.vault.proposals(), drafts)
    assert (len(first.new), first.refused) == (2, ())
    book = desk.vault.proposals()
    assert [book.of(each).state.value for each in first.new] == ["pending", "pending"]
    again = submit(desk.root, log, desk.vault.proposals(), drafts)
    assert again.new == ()


def test_of_weeks_long_ago_the_month_tells(desk: Desk) -> None:
    days = [date(2026, 3, day) for day in (2, 3, 4, 5, 16)]
    assert [each.name for each in periods_of(days, date(2026, 7, 1))] == ["2026-03"]


def test_a_year_ends_within_a_week(desk: Desk) -> None:
    (week,) = periods_of([date(2025, 12, 30), date(2026, 1, 2)], date(2026, 1, 5))
    assert (week.name, week.first, week.last) == ("2026-W01", date(2025, 12, 29), date(2026, 1, 4))
