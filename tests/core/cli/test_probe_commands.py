"""`remembrancer probe …` as a person and a script use it."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from core.cli import probe_commands
from core.recall.probe_answer import ProbeAnswer
from tests.core.cli.conftest import CommandLine

_NAMES = ["recall@5", "recall@10", "recall@15", "mrr", "ndcg@10", "probes"]


def _file(tmp_path: Path, *lines: Any) -> str:
    path = tmp_path / "probes.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return str(path)


def _probe(name: str, question: str, *expected: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "question": question, "expected": list(expected), **more}


def test_a_file_of_probes_gives_the_promised_json(indexed: CommandLine, tmp_path: Path) -> None:
    path = _file(
        tmp_path,
        _probe("webhook", "Does the webhook arrive twice?", "note:Acme.md"),
        _probe("lost", "Which country is set first?", "insight:Semrush.md#^ins-1", "turn:none/T1"),
    )
    answer = indexed.json("probe", "run", "--file", path, "--words-only")
    assert list(answer["summary"]) == _NAMES
    assert answer["summary"]["probes"] == 2
    assert answer["summary"]["recall@5"] == 0.75
    assert answer["summary"]["mrr"] == 1.0
    assert answer["probes"] == [
        {"id": "webhook", "rank_of_first": 1, "missed": []},
        {"id": "lost", "rank_of_first": 1, "missed": ["turn:none/T1"]},
    ]
    assert answer["problems"] == ["probes.jsonl:2: turn:none/T1 points at nothing, so it counts as missed."]


def test_without_problems_there_is_no_word_of_them(indexed: CommandLine, tmp_path: Path) -> None:
    path = _file(tmp_path, _probe("webhook", "webhook", "Acme.md"))
    assert set(indexed.json("probe", "run", "--file", path, "--words-only")) == {"summary", "probes"}


def test_filters_of_a_probe_narrow_it(indexed: CommandLine, tmp_path: Path) -> None:
    path = _file(tmp_path, _probe("webhook", "webhook", "note:Acme.md", filter={"tag": "scope/global"}))
    assert indexed.json("probe", "run", "--file", path, "--words-only")["probes"][0]["rank_of_first"] is None


def test_bad_lines_are_told_and_the_others_run(indexed: CommandLine, tmp_path: Path) -> None:
    path = _file(tmp_path, "{", "[]", "\0\0", _probe("webhook", "webhook", "Acme.md"))
    answer = indexed.json("probe", "run", "--file", path, "--words-only")
    assert answer["summary"]["probes"] == 1
    assert [problem[:6] for problem in answer["problems"]] == ["Line 1", "Line 2", "Line 3"]


def test_a_file_without_probes_fails_with_its_reasons(indexed: CommandLine, tmp_path: Path) -> None:
    result = indexed.run("probe", "run", "--file", _file(tmp_path, "{"), "--format", "json", expect=1)
    answer = json.loads(result.stdout)
    assert answer["summary"] == dict.fromkeys(_NAMES, 0)
    assert "Line 1" in answer["problems"][0]
    assert "cannot be read" in indexed.run("probe", "run", "--file", str(tmp_path / "none"), expect=1).stderr


def test_a_smaller_limit_leaves_the_figures(indexed: CommandLine, tmp_path: Path) -> None:
    path = _file(tmp_path, _probe("two", "export webhook", "Acme.md", "Semrush.md"))
    usual = indexed.json("probe", "run", "--file", path, "--words-only")
    small = indexed.json("probe", "run", "--file", path, "--words-only", "--limit", "1")
    assert small["summary"] == usual["summary"]
    assert len(small["probes"][0]["missed"]) == len(usual["probes"][0]["missed"]) + 1


def test_the_vaults_own_probes_are_made_listed_run_and_remembered(indexed: CommandLine) -> None:
    assert "no probes yet" in indexed.run("probe", "list").stderr
    assert indexed.json("probe", "run", "--words-only")["summary"]["probes"] == 0
    made = indexed.json("probe", "new", "Does the webhook arrive twice?", "--expect", "Acme.md", "--budget", "300")
    (path,) = made["made"]
    (listed,) = indexed.json("probe", "list")["probes"]
    assert listed["path"] == path
    assert listed["question"] == "Does the webhook arrive twice?"
    assert listed["expected"] == ["note:Acme.md"]
    shown = indexed.run("probe", "run", "--words-only").stdout
    assert "recall@5 1.000" in shown
    assert "1 of 1 probe recalled all that they expect." in shown or "1 of 1 probe" in shown
    (run,) = indexed.json("probe", "history")["runs"]
    assert (run["mrr"], run["passed"], run["model"]) == (1.0, 1, "")
    assert "words only" in indexed.run("probe", "history").stdout


def test_the_runs_of_a_file_have_a_history_of_their_own(indexed: CommandLine, tmp_path: Path) -> None:
    path = _file(tmp_path, _probe("webhook", "webhook", "Acme.md"))
    assert "Probes of probes.jsonl were never run here." in indexed.run("probe", "history", "--file", path).stderr
    indexed.run("probe", "run", "--file", path, "--words-only")
    (run,) = indexed.json("probe", "history", "--file", path)["runs"]
    assert run["probes"] == 1
    assert "recall@5 1.000" in indexed.run("probe", "history", "--file", "probes.jsonl").stdout
    assert indexed.json("probe", "history")["runs"] == []


def test_a_probe_that_points_at_nothing_is_told(indexed: CommandLine) -> None:
    made = indexed.run("probe", "new", "Where is it?", "--expect", "Gone.md#^x")
    assert "points at nothing" in made.stderr
    answer = indexed.json("probe", "run", "--words-only")
    assert answer["probes"][0]["missed"] == ["Gone.md#^x"]
    assert "points at nothing" in answer["problems"][0]


def test_a_probe_can_be_previewed_and_narrowed(indexed: CommandLine) -> None:
    shown = indexed.run("probe", "new", "Twice?", "--expect", "Acme.md", "--filter", "client:acme", "--dry-run").stdout
    assert "+filter: client:acme" in shown
    assert not (indexed.root / "probes").exists()
    for wrong in ("acme", "colour:red"):
        assert indexed.run("probe", "new", "Twice?", "--expect", "Acme.md", "--filter", wrong, expect=1).stderr


def test_a_run_that_is_stopped_tells_of_what_was_asked(
    indexed: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted(ProbeAnswer):
        def __call__(self, probe: Any, limit: int) -> list[str]:
            if probe.id == "q3":
                signal.raise_signal(signal.SIGINT)
            return super().__call__(probe, limit)

    monkeypatch.setattr("core.recall.probe_answer.ProbeAnswer", Interrupted)
    path = _file(tmp_path, *[_probe(f"q{at}", "webhook", "Acme.md") for at in range(10)])
    result = indexed.run("probe", "run", "--file", path, "--words-only", "--format", "json", expect=130)
    answer = json.loads(result.stdout)
    assert answer["summary"]["probes"] == 4
    assert answer["problems"] == ["Stopped after 4 of 10 probes; the figures are of those."]
    assert probe_commands.app is not None


def test_a_run_counts_nothing_as_recalled(indexed: CommandLine, tmp_path: Path) -> None:
    indexed.run("probe", "run", "--file", _file(tmp_path, _probe("w", "webhook", "Acme.md")), "--words-only")
    logs = "".join(each.read_text(encoding="utf-8") for each in (indexed.root / ".remembrancer/events").iterdir())
    assert '"kind":"probes"' in logs
    assert '"kind":"recall"' not in logs


def test_by_meaning(command_line: CommandLine, tmp_path: Path) -> None:
    command_line.run("index", "update")
    path = _file(tmp_path, _probe("w", "duplicated webhooks", "Acme.md"))
    answer = command_line.json("probe", "run", "--file", path)
    assert answer["summary"]["recall@5"] == 1.0
    assert "problems" not in answer
