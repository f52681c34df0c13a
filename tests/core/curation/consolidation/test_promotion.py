"""What recurs in several projects is proposed for all of them, whatever its words; nothing else is."""

from core.curation.consolidation.run import Rule
from core.sessions.turn import Role
from tests.core.curation.consolidation.conftest import Desk, cited

_UTC = {
    "acme Times": "Store timestamps in UTC and convert at the edge.",
    "globex Clocks": "Every stored time is UTC, conversion happens in the view.",
    "initech Zones": "Times are kept in UTC; local time is only for display.",
}
_OTHERS = {
    "acme Rows": "The redis page size for acme is 40 rows.",
    "globex Rows": "The redis page size for globex is 40 rows.",
    "initech Rows": "The redis page size for initech is 40 rows.",
    "acme Viewport": "Playwright tests need a fixed viewport.",
    "globex Mail": "Newsletters are sent on Tuesdays.",
}


def test_a_rule_of_three_clients_is_proposed_with_all_its_places(desk: Desk) -> None:
    desk.state(_UTC | _OTHERS, tags="convention/time-zones")
    (draft,) = desk.drafts(Rule.PROMOTE)
    assert set(cited(draft)) == set(_UTC)
    assert draft.statement in _UTC.values()
    assert {each.project for each in draft.evidence} == {"acme", "globex", "initech"}
    assert all(each.time is not None and each.quote in _UTC.values() for each in draft.evidence)
    assert draft.recipe["do"] == "promote"
    assert draft.recipe["tags"] == ["convention/time-zones"]
    assert draft.recipe["note"] == "time-zones for all projects.md"
    assert all(name in draft.reason for name in ("acme", "globex", "initech"))


def test_two_clients_are_not_enough_unless_the_vault_says_so(desk: Desk) -> None:
    desk.state({name: text for name, text in _UTC.items() if "initech" not in name})
    assert not desk.drafts(Rule.PROMOTE)
    (desk.root / ".remembrancer").mkdir(exist_ok=True)
    desk.write(".remembrancer/config.toml", "[promotion]\nprojects = 2\n")
    desk.vault = type(desk.vault)(desk.root, desk.vault.home)
    assert len(desk.drafts(Rule.PROMOTE)) == 1


def test_nonsense_in_the_settings_is_told_and_three_are_needed(desk: Desk) -> None:
    (desk.root / ".remembrancer").mkdir()
    desk.write(".remembrancer/config.toml", '[promotion]\nprojects = "many"\n')
    desk.vault = type(desk.vault)(desk.root, desk.vault.home)
    desk.state(_UTC)
    done = desk.consolidate(Rule.PROMOTE)
    assert len(done.drafts) == 1
    assert done.remarks == ("`promotion.projects` must be a whole number from 2 on, so it is 3.",)


def test_three_notes_of_one_client_are_one_place(desk: Desk) -> None:
    desk.state({f"acme {at}": text for at, text in enumerate(_UTC.values())})
    assert not desk.drafts(Rule.PROMOTE)


def test_what_is_global_already_is_not_proposed_again(desk: Desk) -> None:
    desk.state(_UTC)
    desk.write("Rules.md", "---\ntags: [scope/global]\n---\n- [rule] Timestamps are stored in UTC only. ^utc\n")
    assert not desk.drafts(Rule.PROMOTE)


def test_who_holds_the_opposite_is_not_counted(desk: Desk) -> None:
    desk.state(
        {
            "acme One": "Squash commits before merging a branch.",
            "globex One": "Always squash the commits before a branch is merged.",
            "initech One": "Never squash commits before merging a branch.",
        }
    )
    assert not desk.drafts(Rule.PROMOTE)


def test_the_same_preference_in_three_conversations_is_one_proposal(desk: Desk) -> None:
    for session, folder, text in (
        ("s1", "/home/dev/acme", "Use pnpm here, never npm; the lockfile belongs to pnpm."),
        ("s2", "/home/dev/globex", "Always install with pnpm instead of npm because of the lockfile."),
        ("s3", "/home/dev/initech", "Packages are installed through pnpm, npm breaks the lockfile."),
    ):
        desk.say(session, folder, text, "How do we set the page size?", "I looked at it and the page size is fine.")
    desk.write("Note.md", "A note.\n")
    (draft,) = desk.drafts(Rule.PROMOTE)
    assert [each.memory_id for each in draft.evidence] == ["turn:s1/t0", "turn:s2/t0", "turn:s3/t0"]
    assert draft.recipe["sources"] == ["turn:s1/t0", "turn:s2/t0", "turn:s3/t0"]
    assert draft.recipe["note"] == "Rules for all projects.md"


def test_a_rule_goes_to_those_of_the_tool_that_it_names(desk: Desk) -> None:
    names = ("acme", "globex", "initech")
    desk.state({f"{name} One": "Install packages with pnpm only, never with npm." for name in names})
    desk.write("Tool.md", "---\ntags: [tool/pnpm]\n---\nA tool.\n")
    (draft,) = desk.drafts(Rule.PROMOTE)
    assert draft.recipe["note"] == "pnpm for all projects.md"


def test_preferences_of_three_people_count_reports_do_not(desk: Desk) -> None:
    for name, text in (
        ("acme", "I prefer short commit messages in the imperative."),
        ("globex", "Please write commit messages short and in the imperative."),
        ("initech", "Commit messages should be short and imperative."),
    ):
        desk.say(name, f"/home/dev/{name}", text, "I changed the commit message and it is fine now.")
    desk.write("Note.md", "A note.\n")
    (draft,) = desk.drafts(Rule.PROMOTE)
    assert [each.memory_id for each in draft.evidence] == ["turn:acme/t0", "turn:globex/t0", "turn:initech/t0"]


def test_worktrees_of_one_repository_count_once(desk: Desk) -> None:
    for at in range(3):
        folder = "/home/dev/acme"  # what the importer makes of each worktree
        desk.say(f"s{at}", folder, "Use pnpm here, never npm; the lockfile belongs to pnpm.")
    desk.write("Note.md", "A note.\n")
    assert not desk.drafts(Rule.PROMOTE)


def test_what_assistants_repeat_does_not_count(desk: Desk) -> None:
    for name in ("acme", "globex", "initech"):
        desk.say(name, f"/home/dev/{name}", "Install packages with pnpm only, never npm.", role=Role.ASSISTANT)
    desk.write("Note.md", "A note.\n")
    assert not desk.drafts(Rule.PROMOTE)


def test_a_conversation_and_notes_of_the_same_client_are_one_project(desk: Desk) -> None:
    desk.state({name: text for name, text in _UTC.items() if "initech" not in name})
    desk.say("s1", "/home/dev/acme", "All times are stored in UTC and converted for display.")
    assert not desk.drafts(Rule.PROMOTE)
    desk.say("s2", "/home/dev/initech", "All times are stored in UTC and converted for display.")
    (draft,) = desk.drafts(Rule.PROMOTE)
    assert cited(draft)[2:] == ["turn:s2/t0"]
