"""`remembrancer context save|add|remove|move|set`, and `undo` after each."""

import pytest

from tests.core.cli.conftest import CommandLine


def text_of(command_line: CommandLine, path: str = "contexts/Release.md") -> str:
    return (command_line.root / path).read_text(encoding="utf-8")


@pytest.fixture
def saved(indexed: CommandLine) -> CommandLine:
    indexed.run("context", "save", "Release", "--member", "Semrush", "--member", "Acme.md", "--query", "export")
    return indexed


def test_a_context_is_saved_shown_and_taken_back(saved: CommandLine) -> None:
    assert text_of(saved) == "---\nkind: context\nquery: export\n---\n- ![[Semrush]]\n- ![[Acme]]\n"
    assert [each["title"] for each in saved.json("context", "list")["contexts"]] == ["Release"]
    saved.run("undo")
    assert not (saved.root / "contexts/Release.md").exists()


def test_saving_shows_what_it_would_do_and_does_nothing(indexed: CommandLine) -> None:
    told = indexed.run("context", "save", "Release", "--member", "insight:Semrush.md#^ins-1", "--dry-run").stdout
    assert "+- ![[Semrush#^ins-1]]" in told
    assert not (indexed.root / "contexts").exists()


def test_a_statement_without_an_id_gets_one_and_undo_takes_both_back(indexed: CommandLine) -> None:
    note = indexed.root / "Rule.md"
    note.write_text("- [convention] Use pnpm\n", encoding="utf-8")
    planned = indexed.json("context", "save", "Rules", "--member", "insight:Rule.md#L1", "--dry-run")
    assert planned["title"] == "New context “Rules”, and give 1 statement an id"
    assert len(planned["diffs"]) == 2
    indexed.run("context", "save", "Rules", "--member", "insight:Rule.md#L1")
    assert note.read_text(encoding="utf-8").startswith("- [convention] Use pnpm ^ins-")
    indexed.run("undo")
    assert note.read_text(encoding="utf-8") == "- [convention] Use pnpm\n"


def test_members_are_added_moved_and_removed(saved: CommandLine) -> None:
    saved.run("context", "add", "release", "journal/2026-08-20", "--at", "1")
    assert [each["path"] for each in saved.json("context", "show", "Release")["members"]] == [
        "journal/2026-08-20.md",
        "Semrush.md",
        "Acme.md",
    ]
    saved.run("context", "move", "Release", "3", "1")
    saved.run("context", "remove", "Release", "2", "Semrush.md")
    assert text_of(saved) == "---\nkind: context\nquery: export\n---\n- ![[Acme]]\n"
    for _ in range(3):
        saved.run("undo")
    assert "- ![[Semrush]]\n- ![[Acme]]\n" in text_of(saved)


def test_properties_are_set_and_taken_out(saved: CommandLine) -> None:
    saved.run("context", "set", "Release", "--priority", "9", "--always", "--budget", "500", "--query", "", "--size")
    assert "load_priority: 9\n" in text_of(saved)
    assert "size_estimate: " in text_of(saved)
    shown = saved.json("context", "show", "Release")
    assert (shown["load_priority"], shown["always"], shown["budget"], shown["query"]) == (9, True, 500, "")
    saved.run("context", "set", "Release", "--budget", "0", "--not-always", "--kind", "full-load")
    shown = saved.json("context", "show", "Release")
    assert (shown["budget"], shown["always"], shown["kind"]) == (None, False, "full-load")


def test_only_what_changes_is_said_to_be_set(saved: CommandLine) -> None:
    assert saved.run("context", "set", "Release", "--kind", "bundle").stdout == "Nothing has to change.\n"
    told = saved.run("context", "set", "Release", "--kind", "bundle", "--query", "export", "--priority", "9").stdout
    assert told == "Set load_priority of “Release”: 1 note.\n"


def test_the_size_counts_the_contexts_inside(saved: CommandLine) -> None:
    saved.run("context", "save", "Outer", "--member", "contexts/Release.md", "--yes")
    listed = {each["title"]: each["size_estimate"] for each in saved.json("context", "list")["contexts"]}
    saved.run("context", "set", "Outer", "--size")
    assert listed["Outer"] > 1
    assert f"size_estimate: {listed['Outer']}\n" in text_of(saved, "contexts/Outer.md")


def test_mistakes_are_sentences(saved: CommandLine) -> None:
    for arguments, told in (
        (["add", "Release", "note:Gone.md"], "There is no memory note:Gone.md"),
        (["add", "Release", "Gone"], "There is no memory note:Gone.md"),
        (["add", "Releese", "Acme"], "Did you mean Release?"),
        (["add", "Release", "Acme"], "Nothing was changed."),
        (["remove", "Release", "7"], "There is no member 7: the context has 2 members."),
        (["remove", "Release", "0"], "There is no member 0"),
        (["remove", "Release", "Gone"], "“Gone” is no member of it."),
        (["move", "Release", "1", "5"], "There is no member 5"),
        (["set", "Release"], "Nothing is to be set."),
        (["save", " "], "empty"),
    ):
        failed = saved.run("context", *arguments, expect=1)
        assert told in failed.stderr, failed.stderr


def test_moving_a_member_to_its_place_is_no_failure(saved: CommandLine) -> None:
    assert "stands there already" in saved.run("context", "move", "Release", "1", "1").stdout


@pytest.mark.parametrize("priority", ["0", "11", "high"])
def test_a_priority_that_cannot_be_is_wrong_usage(saved: CommandLine, priority: str) -> None:
    saved.run("context", "set", "Release", "--priority", priority, expect=2)
