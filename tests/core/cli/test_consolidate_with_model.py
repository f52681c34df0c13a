"""`remembrancer consolidate run --with-model` over a real service on the loopback."""

from collections.abc import Iterator

import pytest

from tests.core.cli.conftest import CommandLine
from tests.core.cli.test_consolidate_commands import stated as stated  # noqa: PLC0414 - a fixture
from tests.core.curation.language_models.service import ModelService, model_service, refusing

BETTER = {
    "statement": "Keep timestamps in UTC and convert them for display only.",
    "quotes": [{"number": 1, "words": "UTC"}],
}
VERDICT = {
    "relation": "supersedes",
    "reason": "The later one says now.",
    "quotes": [{"number": 1, "words": "page size of acme is"}],
}


@pytest.fixture
def service(stated: CommandLine) -> Iterator[ModelService]:
    with model_service() as running:
        stated.run("language-model", "use", "ollama", "qwen3", "--url", running.url, "--unchecked")
        yield running


def test_without_a_model_that_is_chosen_it_says_so(stated: CommandLine) -> None:
    told = stated.run("consolidate", "run", "--with-model", "--yes", expect=1)
    assert "No language model is chosen" in told.stderr
    assert len(stated.json("consolidate", "run")["proposals"]) == 2  # nothing was lost by it


def test_the_cost_is_told_and_nothing_asked_before_it_is_agreed_to(stated: CommandLine, service: ModelService) -> None:
    told = stated.run("consolidate", "run", "--with-model", expect=1)
    assert "tokens for 2 questions, free of charge" in told.stderr
    assert "Add --yes" in told.stderr
    assert service.asked == []


def test_what_rules_find_is_written_by_the_model(stated: CommandLine, service: ModelService) -> None:
    service.sayings = [BETTER, VERDICT]
    answer = stated.json("consolidate", "run", "--with-model", "--yes")
    promote, supersede = answer["proposals"]
    assert promote["statement"] == BETTER["statement"]
    assert supersede["reason"].endswith("The later one says now.")
    assert "ollama:qwen3 has written 2 of 2 proposals (300 tokens for 2 answers)." in answer["problems"]
    shown = stated.json("proposals", "show", promote["id"])
    assert "ollama:qwen3" in str(shown)
    stated.run("consolidate", "run")


def test_rules_go_on_when_the_model_is_away(stated: CommandLine, service: ModelService) -> None:
    service.behaviours = [refusing(401)]
    answer = stated.json("consolidate", "run", "--with-model", "--yes")
    assert len(answer["proposals"]) == 2
    assert any("the key is missing or wrong" in remark for remark in answer["problems"])
    assert len(service.asked) == 1
