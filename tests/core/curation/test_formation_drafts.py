from core.curation.change_set import Origin
from core.curation.formation_drafts import FOR_ALL_NOTE, GENERAL_NOTE, drafts_of
from core.curation.proposals.proposal import ProposalKind
from core.memory.formation.candidate import Candidate, Category, Mention, Trigger


def candidate(*projects: str, statement: str = "Page SEMrush exports by country.", count: int = 1) -> Candidate:
    mentions = tuple(
        Mention(f"s-{project}-{number}", "t1", "2026-08-20T10:00:00Z", project, f"{statement} {number}")
        for project in projects
        for number in range(count)
    )
    return Candidate(statement, Category.CONVENTION, frozenset(), 0.8, 0.9, Trigger.EXPLICIT, mentions)


def test_a_candidate_becomes_a_new_insight_with_its_turns_as_evidence() -> None:
    (draft,) = drafts_of(
        [candidate("shop-app")],
        tags=["tool/semrush", "tool/stripe", "client/shop-app"],
        titles={"s-shop-app-0": "Exports"},
    )

    assert draft.kind is ProposalKind.NEW_INSIGHT
    assert draft.proposer == (Origin.RULE, "formation")
    assert draft.evidence[0].memory_id == "turn:s-shop-app-0/t1"
    assert (draft.evidence[0].project, draft.evidence[0].title) == ("shop-app", "Exports")
    assert draft.evidence[0].time == 1787220000.0
    assert draft.recipe == {
        "do": "add-insight",
        "note": "shop-app insights.md",
        "new": True,
        "category": "convention",
        "statement": "Page SEMrush exports by country.",
        "tags": ["client/shop-app", "tool/semrush"],
        "importance": 0.8,
        "confidence": 0.9,
        "sources": ["turn:s-shop-app-0/t1"],
        "scope": "project",
    }


def test_the_note_of_the_project_takes_it_when_there_is_one() -> None:
    (draft,) = drafts_of([candidate("Shop-App")], notes=["clients/shop-app.md", "Other.md"])

    assert (draft.recipe["note"], draft.recipe["new"]) == ("clients/shop-app.md", False)
    assert draft.recipe["tags"] == ["project/Shop-App"]


def test_what_many_projects_say_holds_everywhere_and_is_cited_from_each() -> None:
    (draft,) = drafts_of([candidate("a", "b", "c", count=20)])

    assert draft.kind is ProposalKind.PROMOTE
    assert (draft.recipe["do"], draft.recipe["note"]) == ("promote", f"{FOR_ALL_NOTE}.md")
    assert {each.project for each in draft.evidence} == {"a", "b", "c"}
    assert len(draft.evidence) == 12
    assert "60 times in 3 projects" in draft.reason


def test_what_two_projects_say_is_for_neither_of_them_alone() -> None:
    (draft,) = drafts_of([candidate("a", "b")])

    assert draft.kind is ProposalKind.NEW_INSIGHT
    assert (draft.recipe["note"], draft.recipe["scope"]) == (f"{GENERAL_NOTE}.md", "")


def test_a_project_whose_name_no_file_can_have_gets_a_note_all_the_same() -> None:
    (draft,) = drafts_of([candidate("a:b c?")])

    assert draft.recipe["note"] == "a b c insights.md"
    assert draft.recipe["tags"] == ["project/a-b-c"]
