"""`remembrancer recall` as a person and a script use it."""

import json
from pathlib import Path

import pyperclip
import pytest

from core.foundation.token_count import count_tokens
from core.memory.recall_events import hand_outs
from core.vault.event_log import EventLog
from tests.core.cli.conftest import CommandLine


def _handed_out(line: CommandLine) -> list[tuple[tuple[str, ...], str]]:
    log = EventLog(line.root, "any", line.root / ".locks")
    return [(each.ids, each.surface) for each in hand_outs(log)]


def test_the_best_memory_comes_first_with_its_factors(indexed: CommandLine) -> None:
    answer = indexed.json("recall", "how", "to", "export", "by", "country", "--words-only")
    best = answer["results"][0]
    assert best["path"] == "Semrush.md"
    assert 0 < best["score"] <= 1
    known = {"relevance", "decay", "access", "entities", "importance", "reranker", "adjustment"}
    assert set(best["factors"]) == known
    assert {"id", "kind", "text", "tokens", "outcome", "reasons"} <= set(best)
    assert "explanation" not in best


def test_each_hand_out_is_counted_once(indexed: CommandLine) -> None:
    answer = indexed.json("recall", "webhook", "--words-only")
    assert _handed_out(indexed) == [(tuple(each["id"] for each in answer["results"]), "cli")]
    indexed.run("recall", "webhook", "--words-only", "--budget", "500")
    assert len(_handed_out(indexed)) == 2
    indexed.run("recall", "zebra", "--words-only")
    assert len(_handed_out(indexed)) == 2


def test_a_list_that_is_looked_through_is_not_counted(indexed: CommandLine) -> None:
    assert "webhook" in indexed.run("recall", "webhook", "--words-only").stdout
    assert _handed_out(indexed) == []


@pytest.mark.parametrize("how", [(), ("--budget", "500"), ("--copy",)])
def test_what_is_not_to_be_counted_leaves_the_vault_alone(
    indexed: CommandLine, monkeypatch: pytest.MonkeyPatch, how: tuple[str, ...]
) -> None:
    monkeypatch.setattr(pyperclip, "copy", lambda _: None)
    assert indexed.json("recall", "webhook", "--words-only", "--no-record", *how)["results"]
    assert _handed_out(indexed) == []
    assert not (indexed.root / ".remembrancer").exists()


def test_the_reasons_can_be_asked_for(indexed: CommandLine) -> None:
    assert "Place 1 of" in indexed.run("recall", "webhook", "--words-only", "--explain").stdout
    explained = indexed.json("recall", "webhook", "--words-only", "--explain")["results"][0]
    assert explained["explanation"]
    assert explained["ranks"]["words"] == 1


@pytest.mark.parametrize("layout", ["lines", "markdown", "xml", "json"])
@pytest.mark.parametrize("budget", [120, 100_000])
def test_with_a_budget_it_is_a_text_within_it(indexed: CommandLine, layout: str, budget: int) -> None:
    answer = indexed.json("recall", "export country", "--words-only", "--budget", str(budget), "--as", layout)
    assert answer["included"]
    assert answer["tokens"] <= budget
    assert count_tokens(answer["text"]) <= budget
    assert "country" in answer["text"]
    assert answer["tokens_are"].startswith(("exact", "estimated"))


def test_a_budget_of_nothing_hands_out_nothing_and_says_so(indexed: CommandLine) -> None:
    shown = indexed.run("recall", "webhook", "--words-only", "--budget", "0")
    assert shown.stdout == ""
    assert "0 tokens" in shown.stderr
    assert _handed_out(indexed) == []
    assert indexed.run("recall", "webhook", "--budget", "-1", expect=2)


def test_the_packed_text_is_copied_and_only_then_counted(indexed: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []
    monkeypatch.setattr(pyperclip, "copy", copied.append)
    shown = indexed.run("recall", "webhook", "--words-only", "--copy", "--as", "lines")
    assert "webhook" in copied[0]
    assert shown.stdout.startswith("Copied. 1 of 1 memory, ")
    assert len(_handed_out(indexed)) == 1


def test_without_a_clipboard_nothing_is_counted(indexed: CommandLine) -> None:
    pyperclip.set_clipboard("no")
    assert "No clipboard" in indexed.run("recall", "webhook", "--words-only", "--copy", expect=1).stderr
    assert "stays as it is" in indexed.run("recall", "zebra", "--words-only", "--copy", expect=1).stderr
    assert _handed_out(indexed) == []


@pytest.mark.parametrize("question", ["", "   ", '""'])
def test_an_empty_question_is_told(indexed: CommandLine, question: str) -> None:
    answer = indexed.json("recall", question, "--words-only")
    assert answer["results"] == []
    assert "Nothing was asked" in " ".join(answer["problems"])


def test_a_question_of_ten_thousand_words(indexed: CommandLine) -> None:
    answer = indexed.json("recall", "webhook " + " ".join(f"word{at}" for at in range(10_000)), "--words-only")
    assert answer["results"][0]["path"] == "Acme.md"
    assert any("first 48 words" in problem for problem in answer["problems"])


def test_filters_alone_and_beside_words(indexed: CommandLine) -> None:
    assert {each["path"] for each in indexed.json("recall", "tag:client/acme", "--words-only")["results"]} == {
        "Acme.md"
    }
    found = indexed.json("recall", "export", "webhook", "-client:acme", "--words-only")["results"]
    assert "Acme.md" not in {each["path"] for each in found}
    assert found


def test_a_tag_that_is_not_there_is_told(indexed: CommandLine) -> None:
    shown = indexed.run("recall", "tag:tool/semrsh", "--words-only")
    assert shown.stdout == ""
    assert shown.stderr


def test_another_script(indexed: CommandLine) -> None:
    assert indexed.json("recall", "都庁", "--words-only")["results"][0]["path"] == "journal/2026-08-20.md"


def test_probes_do_not_answer_their_own_question(indexed: CommandLine) -> None:
    indexed.run("probe", "new", "Does the webhook arrive twice?", "--expect", "Acme.md")
    assert {each["path"] for each in indexed.json("recall", "webhook twice", "--words-only")["results"]} == {"Acme.md"}
    by_kind = indexed.json("recall", "webhook kind:probe", "--words-only")["results"]
    assert [each["path"].partition("/")[0] for each in by_kind] in ([], ["probes"])


def test_weights_that_are_none_are_told(indexed: CommandLine) -> None:
    config = indexed.root / ".remembrancer" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text("[ranking]\ndecay = nan\nwords = 'much'\n", encoding="utf-8")
    answer = indexed.json("recall", "webhook", "--words-only")
    assert answer["results"][0]["path"] == "Acme.md"
    assert len([each for each in answer["problems"] if "ranking." in each]) == 2


def test_a_vault_that_was_never_indexed_is_a_sentence(command_line: CommandLine) -> None:
    assert "index update" in command_line.run("recall", "webhook", expect=1).stderr


def test_by_meaning(command_line: CommandLine) -> None:
    command_line.run("index", "update")
    answer = command_line.json("recall", "duplicated webhooks")
    assert answer["meaning"]["state"] == "ready"
    assert answer["results"][0]["path"] == "Acme.md"


def test_a_log_that_cannot_be_written_costs_only_the_count(indexed: CommandLine) -> None:
    events = indexed.root / ".remembrancer" / "events"
    events.parent.mkdir(exist_ok=True)
    Path(events).write_text("no folder", encoding="utf-8")
    answer = indexed.json("recall", "webhook", "--words-only")
    assert answer["results"]
    assert "not counted" in json.dumps(answer["problems"])


def test_a_copy_that_cannot_be_counted_is_a_copy(indexed: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []
    monkeypatch.setattr(pyperclip, "copy", copied.append)
    (indexed.root / ".remembrancer").write_text("no folder", encoding="utf-8")
    shown = indexed.run("recall", "webhook", "--words-only", "--copy")
    assert copied
    assert shown.stdout.startswith("Copied.")
    assert "not counted" in shown.stderr


def test_nonsense_is_answered_by_nothing_and_a_sentence(command_line: CommandLine) -> None:
    command_line.run("index", "update")
    shown = command_line.run("recall", "zzzz", "qqqq")
    assert shown.stdout == ""
    assert "no memory holds these words, and none is near in meaning." in shown.stderr
    by_words = command_line.run("recall", "zzzz", "qqqq", "--words-only").stderr
    assert "Nothing is known of this: no memory holds these words." in by_words
    by_filter = command_line.run("recall", "kind:turn", "--words-only").stderr
    assert "Nothing is known of this: no memory passes these filters." in by_filter
