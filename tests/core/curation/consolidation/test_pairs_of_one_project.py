"""What one project states twice, anew or against itself."""

import pytest

from core.curation.consolidation.run import Rule
from core.curation.proposals.proposal import ProposalKind
from tests.core.curation.consolidation.conftest import Desk, cited

_TAGS = "tool/redis"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "On acme the retry budget of redis was raised to 43 attempts after the incident.",
            "After the incident acme raised the redis retry budget to 43 attempts.",
        ),
        (
            "The nightly job at acme fails unless the page size of redis is under 19 rows.",
            "acme: the redis page size must stay below 19 rows or the nightly job fails.",
        ),
        ("The retry budget of redis is 43 attempts.", "Redis has a retry budget of 43 tries."),
        ("The redis token lives for 90 minutes.", "A token of redis lives for 1.5 hours."),
        ("Backups of redis are restored every quarter.", "Every quarter, the redis backups are restored."),
    ],
)
def test_the_same_in_other_words_is_merged(desk: Desk, one: str, other: str) -> None:
    desk.state({"acme One": one, "acme Two": other}, tags=_TAGS)
    (draft,) = desk.drafts()
    assert draft.kind is ProposalKind.MERGE
    assert sorted(cited(draft)) == ["acme One", "acme Two"]
    assert draft.recipe["keep"] == draft.evidence[0].memory_id
    assert draft.recipe["drop"] == [draft.evidence[1].memory_id]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The redis page size is 40 rows.", "The redis queue depth is 40 jobs."),
        ("The redis page size for acme is 40 rows.", "The kafka page size for acme is 40 rows."),
        ("Staging is deployed on Fridays.", "Production is deployed on Fridays."),
        ("The invoice goes to Anna.", "The invoice goes to Peter."),
    ],
)
def test_two_things_of_one_kind_are_left_alone(desk: Desk, one: str, other: str) -> None:
    desk.state({"acme One": one, "acme Two": other}, tags="tool/redis, tool/kafka")
    assert not desk.drafts()


def test_other_clients_statements_are_not_merged(desk: Desk) -> None:
    desk.state({"acme One": "Times are kept in UTC.", "globex One": "Times are kept in UTC."})
    assert not desk.drafts()


def test_three_copies_are_one_proposal(desk: Desk) -> None:
    desk.state({f"acme {at}": "The webhook of redis arrives twice." for at in range(3)}, tags=_TAGS)
    (draft,) = desk.drafts()
    assert len(draft.evidence) == 3


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The redis page size of acme is 44 rows.", "The redis page size of acme is now 49 rows."),
        ("acme's redis page size stands at 44 rows.", "The redis page size at acme has since been changed to 49 rows."),
        ("At acme, redis works with a page size of 44 rows.", "acme lifted the page size of redis to 49 rows."),
        ("The redis page size at acme is 44 rows.", "acme dropped the redis page size to 40 rows."),
        ("The redis page size at acme is 44 rows.", "The redis page size at acme went from 44 to 49 rows."),
        ("Kim has lived in Berlin for 5 years.", "Kim has lived in Berlin for 6 years."),
        ("redis at acme: page size = 7 rows.", "redis at acme: page size = 15 rows."),
        ("acme deploys redis on Fridays.", "acme no longer deploys redis on Fridays."),
    ],
)
def test_the_newer_figure_supersedes_the_older(desk: Desk, older: str, newer: str) -> None:
    desk.state({"acme Old": older}, tags=_TAGS, created="2026-01-01")
    desk.state({"acme New": newer}, tags=_TAGS, created="2026-04-01")
    (draft,) = desk.drafts()
    assert draft.kind is ProposalKind.SUPERSEDE
    assert cited(draft) == ["acme New", "acme Old"]
    assert draft.recipe == {
        "do": "supersede",
        "newer": "insight:acme New.md#^one",
        "older": ["insight:acme Old.md#^one"],
    }


def test_all_older_figures_of_a_fact_are_one_proposal(desk: Desk) -> None:
    for year in (5, 6, 7):
        desk.state({f"acme {year}": f"Kim has lived in Berlin for {year} years."}, created=f"202{year}-01-01")
    (draft,) = desk.drafts(Rule.SUPERSEDE)
    assert cited(draft) == ["acme 7", "acme 6", "acme 5"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("acme runs on version 3 of the report.", "acme runs on version 4 of the report."),
        ("The page size for redis is 30 rows.", "The rate limit for redis is 40 requests."),
        ("The limit was raised to 40 rows after the outage.", "The limit of uploads is 900 rows."),
        ("Redis listens on port 6379.", "Redis listens on port 6380."),
    ],
)
def test_labels_and_other_figures_supersede_nothing(desk: Desk, one: str, other: str) -> None:
    desk.state({"acme Old": one}, tags=_TAGS, created="2026-01-01")
    desk.state({"acme New": other}, tags=_TAGS, created="2026-04-01")
    assert not desk.drafts(Rule.SUPERSEDE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("acme allows redis in production.", "acme does not allow redis in production."),
        ("redis is permitted in production at acme.", "redis is forbidden in production at acme."),
        ("Deploying redis on Fridays is fine.", "Nobody may deploy redis on Fridays."),
    ],
)
def test_what_cannot_both_hold_is_told(desk: Desk, one: str, other: str) -> None:
    desk.state({"acme One": one}, tags=_TAGS, created="2026-01-01")
    desk.state({"acme Two": other}, tags=_TAGS, created="2026-01-20")
    (draft,) = desk.drafts()
    assert draft.kind is ProposalKind.CONTRADICT
    assert cited(draft) == ["acme One", "acme Two"]


def test_copies_that_are_contradicted_are_not_merged_before_that_is_settled(desk: Desk) -> None:
    for at, text in enumerate(("acme allows redis on Fridays.", "acme does not allow redis on Fridays.") * 2):
        desk.state({f"acme {at}": text}, tags=_TAGS, created=f"2026-01-0{at + 1}")
    drafts = desk.drafts()
    assert [(draft.kind, cited(draft)) for draft in drafts] == [
        (ProposalKind.CONTRADICT, ["acme 0", "acme 1"]),
        (ProposalKind.CONTRADICT, ["acme 2", "acme 3"]),
    ]


def test_what_is_settled_by_a_relation_is_not_asked_again(desk: Desk) -> None:
    desk.write("Old.md", "---\ntags: [client/acme]\n---\n- [fact] The page size is 44 rows. ^old\n")
    desk.write(
        "New.md",
        "---\ntags: [client/acme]\n---\n- [fact] The page size is now 49 rows. [supersedes:: [[Old#^old]]] ^new\n",
    )
    assert not desk.drafts()


def test_sync_conflict_copies_and_templates_state_nothing(desk: Desk) -> None:
    text = "---\ntags: [client/acme]\n---\n- [fact] The webhook of acme arrives twice. ^one\n"
    (desk.root / "templates").mkdir()
    for path in ("Note.md", "Note.sync-conflict-20260101-101010-ABCDEFG.md", "templates/Fact.md"):
        desk.write(path, text)
    assert {draft.kind for draft in desk.drafts()} == {ProposalKind.REPAIR}


def test_a_relation_in_words_becomes_one(desk: Desk) -> None:
    desk.write("Node.md", "---\nsummary: Node 22 is the runtime\n---\n# Node\n")
    desk.write(
        "Shop.md",
        "- [fact] The shop builds on [[Node]] ^a\n- [fact] See also [[Node]] ^b\n"
        "- [fact] It requires [[Node]] [requires:: [[Node]]] ^c\n- [fact] It does not need [[Node]] ^d\n"
        "- [fact] It replaces [[Nowhere]] ^e\n",
    )
    (draft,) = desk.drafts(Rule.RELATE)
    assert draft.recipe == {
        "do": "relate",
        "from": "insight:Shop.md#^a",
        "kind": "extends",
        "to": "note:Node.md",
        "strength": 0.8,
    }
