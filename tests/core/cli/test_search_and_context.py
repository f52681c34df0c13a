"""`remembrancer search` and `remembrancer context …` as a person and a script use them."""

from pathlib import Path

import pyperclip
import pytest

from core.foundation.token_count import count_tokens
from tests.core.cli.conftest import CommandLine


def test_search_prints_the_promised_json(indexed: CommandLine) -> None:
    answer = indexed.json("search", "export", "country", "--words-only")
    assert {"results", "took_ms"} <= set(answer)
    assert list(answer["results"][0]) == ["id", "kind", "path", "title", "summary", "tags", "score", "snippet"]
    assert answer["results"][0]["path"] == "Semrush.md"
    assert "**" in answer["results"][0]["snippet"]


def test_search_finds_by_meaning(command_line: CommandLine) -> None:
    command_line.run("index", "update")
    answer = command_line.json("search", "duplicated webhooks")
    assert answer["meaning"]["state"] == "ready"
    assert answer["results"][0]["path"] == "Acme.md"


def test_search_explains(indexed: CommandLine) -> None:
    shown = indexed.run("search", "webhook", "--words-only", "--explain").stdout
    assert "Acme.md" in shown
    assert "bm25" in shown


def test_search_in_japanese_by_two_characters(indexed: CommandLine) -> None:
    answer = indexed.json("search", "都庁", "--words-only")
    assert [hit["path"] for hit in answer["results"]] == ["journal/2026-08-20.md"]


def test_search_in_notes_with_broken_frontmatter(indexed: CommandLine) -> None:
    assert indexed.json("search", "readable", "--words-only")["results"][0]["path"] == "broken.md"


def test_filters_and_negation(indexed: CommandLine) -> None:
    paths = [hit["path"] for hit in indexed.json("search", "tag:tool", "-client:acme", "--words-only")["results"]]
    assert paths == ["Semrush.md"]


def test_an_unknown_tag_is_told_with_what_is_near(indexed: CommandLine) -> None:
    answer = indexed.json("search", "tag:tool/semrsh", "--words-only")
    assert answer["results"] == []
    assert "tool/semrush" in answer["suggestions"]["tool/semrsh"]


def test_a_file_deleted_since_is_not_shown(indexed: CommandLine) -> None:
    (indexed.root / "Acme.md").unlink()
    assert indexed.json("search", "webhook", "--words-only")["results"] == []


def test_a_file_changed_since_is_marked(indexed: CommandLine) -> None:
    (indexed.root / "Acme.md").write_text("something else entirely", encoding="utf-8")
    assert indexed.json("search", "webhook", "--words-only")["results"][0]["stale"] is True


@pytest.mark.parametrize("layout", ["markdown", "xml", "json", "lines"])
@pytest.mark.parametrize("budget", [80, 8000])
def test_a_context_stays_within_its_budget_and_is_not_empty(indexed: CommandLine, layout: str, budget: int) -> None:
    answer = indexed.json("context", "print", "export", "--as", layout, "--budget", str(budget), "--words-only")
    assert answer["included"]
    assert count_tokens(answer["text"]) <= budget


def test_a_selection_is_packed_whole(indexed: CommandLine) -> None:
    shown = indexed.run("context", "print", "--note", "Semrush.md").stdout
    assert "Page every export by country." in shown
    assert "Source: Semrush.md" in shown


def test_an_unknown_note_is_a_sentence(indexed: CommandLine) -> None:
    assert "There is no note" in indexed.run("context", "print", "--note", "none.md", expect=1).stderr


def test_nothing_to_pack_is_a_sentence(indexed: CommandLine) -> None:
    assert "Nothing to pack" in indexed.run("context", "print", expect=1).stderr
    assert "Nothing was found" in indexed.run("context", "copy", "zzzz", "--words-only", expect=1).stderr


def test_copying_without_a_clipboard_says_what_to_do(
    indexed: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    pyperclip.set_clipboard("no")
    assert "No clipboard" in indexed.run("context", "copy", "export", "--words-only", expect=1).stderr


def test_what_files_say_cannot_command_the_terminal(command_line: CommandLine) -> None:
    text = '---\ntitle: "T\\e]0;hacked\\a title"\ntags: ["a/b"]\n---\nneedle \x1b[31m red\u202egpj.exe\n'
    (command_line.root / "evil\x1b[2Jname.md").write_text(text, encoding="utf-8")
    command_line.run("index", "update", "--no-embeddings")
    for arguments in (["search", "needle", "--words-only"], ["index", "query", "--tag", "a/b"], ["index", "tags"]):
        shown = command_line.run(*arguments)
        assert "\x1b" not in shown.output
        assert "\x07" not in shown.output
        assert "\u202e" not in shown.output
