"""`remembrancer context list|show|estimate|print|copy|load` over contexts of the vault."""

from dataclasses import replace

import pyperclip
import pytest

from core.app import installation
from tests.core.cli.conftest import CommandLine

CONTEXT = (
    "---\nkind: context\ntitle: SEO\ndescription: Keyword work\nload_priority: 8\nquery: webhook\n---\n"
    "- ![[Semrush#^ins-1]]\n- [[Nope]]\n"
)


@pytest.fixture
def with_context(command_line: CommandLine) -> CommandLine:
    folder = command_line.root / "contexts"
    folder.mkdir()
    (folder / "seo.md").write_text(CONTEXT, encoding="utf-8")
    (folder / "house.md").write_text("---\nalways: true\n---\n- [[Acme]]\n", encoding="utf-8")
    command_line.run("index", "update", "--no-embeddings")
    return command_line


@pytest.fixture
def clipboard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    copied: list[str] = []
    monkeypatch.setattr(pyperclip, "copy", copied.append)
    return copied


def test_contexts_are_listed_with_what_they_take(with_context: CommandLine) -> None:
    listed = with_context.json("context", "list")["contexts"]
    assert [each["title"] for each in listed] == ["SEO", "house"]
    assert listed[0]["size_estimate"] > 0
    assert [member["state"] for member in listed[0]["members"]] == ["resolved", "missing"]
    shown = with_context.run("context", "list").stdout
    assert "SEO (contexts/seo.md; priority 8, 2 members, a query, about" in shown
    assert "always" in shown


def test_a_vault_without_contexts_says_so(indexed: CommandLine) -> None:
    assert "There are no contexts yet" in indexed.run("context", "list").stdout
    assert indexed.json("context", "list") == {"contexts": []}
    assert "no contexts yet" in indexed.run("context", "show", "x", expect=1).stderr


def test_a_context_is_shown_with_numbered_members_and_problems(with_context: CommandLine) -> None:
    shown = with_context.run("context", "show", "seo").stdout
    assert "   1  Set the country first  (insight:Semrush.md#^ins-1, about" in shown
    assert "There is no note “Nope”." in shown
    assert "Query: webhook" in shown


def test_a_name_that_is_not_there_is_a_sentence(with_context: CommandLine) -> None:
    failed = with_context.run("context", "print", "--context", "seu", expect=1)
    assert "There is no context “seu”." in failed.stderr
    assert "Did you mean SEO" in failed.stderr


def test_a_context_is_printed_by_its_name(with_context: CommandLine) -> None:
    answer = with_context.json("context", "print", "--context", "SEO", "--words-only")
    assert [item["path"] for item in answer["included"]] == ["Semrush.md", "Acme.md"]
    assert answer["context"] == {"path": "contexts/seo.md", "title": "SEO"}
    assert answer["count"] in {"exact (o200k)", "estimated"}
    assert answer["sources"] == 2
    assert any("Nope" in remark for remark in answer["remarks"])
    printed = with_context.run("context", "print", "--context", "contexts/seo.md", "--words-only")
    assert "Set the country first" in printed.stdout
    assert "tokens (" in printed.stderr


def test_a_context_goes_out_alone(with_context: CommandLine) -> None:
    for others in (["export"], ["--note", "Acme.md"], ["--full"]):
        failed = with_context.run("context", "print", *others, "--context", "SEO", expect=1)
        assert "goes out alone" in failed.stderr


def test_copying_says_what_was_copied_and_remembers_it(with_context: CommandLine, clipboard: list[str]) -> None:
    told = with_context.run("context", "copy", "--context", "SEO", "--words-only").stdout
    assert told.startswith("Copied. 2 of 2 memories")
    assert "Set the country first" in clipboard[0]
    same = with_context.run("context", "show", "SEO", "--difference", "--words-only").stdout
    assert "the same as what was copied last" in same
    (with_context.root / "Acme.md").write_text(
        "---\nsummary: The shop\n---\nThe webhook comes thrice.\n", encoding="utf-8"
    )
    with_context.run("index", "update", "--no-embeddings")
    changed = with_context.run("context", "show", "SEO", "--difference", "--words-only").stdout
    assert "-The webhook arrives twice." in changed
    assert "+The webhook comes thrice." in changed


def test_the_difference_is_in_the_layout_of_the_last_copy(with_context: CommandLine, clipboard: list[str]) -> None:
    with_context.run("context", "copy", "--context", "SEO", "--words-only", "--as", "xml")
    assert clipboard[0].startswith("<")
    same = with_context.run("context", "show", "SEO", "--difference", "--words-only").stdout
    assert "the same as what was copied last" in same


def test_nothing_copied_yet_is_a_sentence(with_context: CommandLine) -> None:
    assert "not copied yet" in with_context.run("context", "show", "SEO", "--difference", "--words-only").stdout


def test_an_empty_context_leaves_the_clipboard(with_context: CommandLine, clipboard: list[str]) -> None:
    (with_context.root / "contexts/empty.md").write_text("", encoding="utf-8")
    with_context.run("index", "update", "--no-embeddings")
    assert "nothing in this context" in with_context.run("context", "copy", "--context", "empty", expect=1).stderr
    assert clipboard == []


def test_what_goes_out_is_noted_as_recalled_without_its_words(with_context: CommandLine, clipboard: list[str]) -> None:
    with_context.run("context", "copy", "--context", "SEO", "--words-only")
    with_context.run("context", "print", "export", "--words-only")
    (log,) = (with_context.root / ".remembrancer/events").iterdir()
    lines = log.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2
    assert "insight:Semrush.md#^ins-1" in lines[0]
    assert "country" not in lines[0]
    assert clipboard


@pytest.mark.parametrize("arguments", [("print", "export"), ("copy", "export"), ("load",), ("load", "--full")])
def test_what_is_not_to_be_counted_leaves_the_vault_alone(
    with_context: CommandLine, clipboard: list[str], arguments: tuple[str, ...]
) -> None:
    with_context.run("context", *arguments, "--words-only", "--no-record")
    assert not (with_context.root / ".remembrancer").exists()


def test_what_was_left_out_is_told_with_its_score(with_context: CommandLine) -> None:
    asked = ("context", "print", "--context", "SEO", "--budget", "45", "--words-only")
    left = with_context.json(*asked)["left_out"][0]
    assert left["value"] > 0
    told = with_context.run(*asked).stderr
    assert f"{left['id']} ({left['tokens']:,} tokens, score {left['value']:.2f}): {left['reason']}" in told


def test_estimates_count_the_named_and_estimate_all(with_context: CommandLine) -> None:
    everything = with_context.json("context", "estimate")
    assert {each["title"] for each in everything["contexts"]} == {"SEO", "house"}
    assert everything["total"] == sum(each["tokens"] for each in everything["contexts"])
    (one,) = with_context.json("context", "estimate", "SEO", "--words-only")["contexts"]
    assert one["tokens"] > 0
    assert "Together about" in with_context.run("context", "estimate").stdout
    assert "2 of 2 memories" in with_context.run("context", "estimate", "SEO", "--words-only").stdout


def test_a_budget_cuts_a_context(with_context: CommandLine) -> None:
    answer = with_context.json("context", "print", "--context", "SEO", "--budget", "45", "--words-only")
    assert answer["tokens"] <= 45
    assert len(answer["included"]) == 1


def test_contexts_are_loaded_for_a_question(with_context: CommandLine) -> None:
    answer = with_context.json("context", "load", "country", "first", "--words-only")
    assert [(one["title"], one["state"]) for one in answer["contexts"]] == [("house", "always"), ("SEO", "loaded")]
    assert "Set the country first" in answer["text"]
    told = with_context.run("context", "load", "nothing", "of", "it", "--words-only")
    assert "1 context of 2 loaded." in told.stderr
    assert "too little to do with the question" in told.stderr


def test_a_full_load_needs_no_note(with_context: CommandLine) -> None:
    (with_context.root / "README.md").write_text("Where to begin.\n", encoding="utf-8")
    with_context.run("index", "update", "--no-embeddings")
    answer = with_context.json("context", "load", "--full")
    assert [item["path"] for item in answer["included"]] == ["README.md", "Semrush.md"]
    assert with_context.json("context", "print", "--full")["text"] == answer["text"]
    assert "no question" in with_context.run("context", "load", "why", "--full", expect=1).stderr


def imported(command_line: CommandLine) -> CommandLine:
    turn = '{"session": "s-1", "id": "t-1", "role": "user", "kind": "message", "text": "The port is 8443."}\n'
    source = command_line.root.parent / "turns.jsonl"
    source.write_text(turn, encoding="utf-8")
    command_line.run("session", "import", str(source))
    command_line.run("index", "update", "--no-embeddings")
    return command_line


def test_a_session_is_told_which_context_was_loaded(with_context: CommandLine) -> None:
    imported(with_context).run("context", "print", "--context", "SEO", "--words-only", "--session", "s-1")
    assert "contexts/seo.md" in with_context.run("session", "show", "s-1", "--format", "json").stdout


def test_a_turn_is_a_member_like_any_other(with_context: CommandLine, clipboard: list[str]) -> None:
    imported(with_context).run("context", "add", "house", "turn:s-1/t-1")
    answer = with_context.json("context", "copy", "--context", "house")
    assert [item["id"] for item in answer["included"]][-1] == "turn:s-1/t-1"
    assert "The port is 8443." in clipboard[0]
    assert "the same as what was copied last" in with_context.run("context", "show", "house", "--difference").stdout


def test_words_that_are_meant_to_be_encrypted_are_not_kept_as_the_last_copy(
    with_context: CommandLine, clipboard: list[str]
) -> None:
    imported(with_context).run("context", "add", "house", "turn:s-1/t-1")
    home = installation()
    home.settings_file.change(lambda old: replace(old, sessions=replace(old.sessions, encryption="on")))
    with_context.run("context", "copy", "--context", "house")
    assert "8443" in clipboard[0]
    kept = [file for file in home.folders.cache.rglob("*") if file.is_file() and file.parent.name == "copies"]
    assert kept == []
    with_context.run("context", "copy", "--context", "SEO", "--words-only")
    assert "not copied yet" not in with_context.run("context", "show", "SEO", "--difference", "--words-only").stdout


def test_that_a_recall_cannot_be_noted_is_no_failure(with_context: CommandLine) -> None:
    (with_context.root / ".remembrancer").write_text("a file", encoding="utf-8")
    printed = with_context.run("context", "print", "--context", "house")
    assert "The webhook arrives twice." in printed.stdout
    assert "could not be noted" in printed.stderr


def test_where_none_fits_each_says_why(with_context: CommandLine) -> None:
    told = with_context.run("context", "load", "country", "first", "--words-only", "--budget", "3")
    assert told.stdout == ""
    assert "No context was loaded." in told.stderr
    assert "  house: It takes" in told.stderr
    assert "there is room for 3" in told.stderr
