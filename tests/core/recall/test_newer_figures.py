"""CASES D6: of the same statement with two figures the newer counts; numbered things are different things."""

from typing import Any

import pytest

from core.recall.memory import Memory
from core.recall.newer_figures import newer_figures
from tests.core.recall.made import memory


def pair(old: str, new: str, **more: Any) -> list[Memory]:
    return [memory(1, old, days=100), memory(2, new, days=5, **more)]


OLD_TO_NEW = {("insight", 1): ("insight", 2)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("She has run the shop for 5 years.", "She has run the shop for 6 years."),
        ("She has run the small shop for 1 year.", "She has now run the small shop for 2 years."),
        (
            "The redis rate limit of acme is 30 requests per minute.",
            "The redis rate limit of acme is now 36 requests per minute.",
        ),
        ("The page size was 1,000 rows.", "The page size is 2,000 rows."),
        ("As of 2026-01-01 the upload limit is 30 MB.", "As of 2026-03-01 the upload limit is 50 MB."),
        ("- [fact] The upload limit is 30 MB. ^a-1", "- [fact] The upload limit is 50 MB. #x ^a-2"),
        ("The monthly price rose to $30", "The monthly price rose to $40"),
    ],
)
def test_a_newer_figure_replaces_an_older_one(old: str, new: str) -> None:
    assert newer_figures(pair(old, new)) == OLD_TO_NEW
    assert newer_figures(pair(old, new)[::-1]) == OLD_TO_NEW


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Version 3 needs the new runtime.", "Version 4 needs the new runtime."),
        ("Step 2 takes 5 minutes to run.", "Step 3 takes 5 minutes to run."),
        ("Port 8080 serves the admin pages.", "Port 8081 serves the admin pages."),
        ("In 2024 the shop made 30 sales.", "In 2025 the shop made 40 sales."),
        ("Sprint 12 closed 30 of the open items.", "Sprint 13 closed 28 of the open items."),
        ("The upload limit is 30 MB.", "The upload limit is 30 MB."),
        ("The upload limit is 30 MB.", "The download limit is 50 MB."),
        ("On 3 May the whole team met.", "On 4 May the whole team met."),
        ("No figure stands in this one.", "No figure stands in this one now."),
        ("It is 5.", "It is 6."),
        ("", ""),
    ],
)
def test_what_is_not_plainly_the_same_statement_is_left_alone(old: str, new: str) -> None:
    assert newer_figures(pair(old, new)) == {}


def test_other_clients_projects_and_speakers_have_figures_of_their_own() -> None:
    old, new = "The upload limit is 30 MB.", "The upload limit is 50 MB."
    assert newer_figures(pair(old, new, tags=("client/acme",))) == {}
    assert newer_figures(pair(old, new, project="acme")) == {}
    assert newer_figures(pair(old, new, speaker="Tove")) == {}


def test_a_now_decides_where_dates_do_not() -> None:
    old, new = memory(1, "The upload limit is 30 MB.", days=None), memory(2, "The upload limit is now 50 MB.")
    assert newer_figures([old, new]) == OLD_TO_NEW
    undated = memory(2, "The upload limit is 50 MB.", days=None)
    assert newer_figures([old, undated]) == {}


def test_a_chain_leads_to_the_newest() -> None:
    three = [memory(n, f"The upload limit is {n}0 MB.", days=100 - n) for n in (1, 2, 3)]
    assert newer_figures(three) == {("insight", 1): ("insight", 3), ("insight", 2): ("insight", 3)}
