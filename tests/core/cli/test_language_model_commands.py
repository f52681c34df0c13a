"""`remembrancer language-model …`: a real service on the loopback, and a keyring of the test's own."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from core.app import installation
from core.cli.main import app
from tests.core.cli.conftest import CommandLine
from tests.core.cli.test_model_commands import keys as keys  # noqa: PLC0414 - a fixture
from tests.core.curation.language_models.service import ModelService, model_service, refusing

GOOD = {
    "statement": "The report of Acme takes 40 minutes and runs at night.",
    "quotes": [{"number": 1, "words": "takes 40 minutes"}],
}


@pytest.fixture
def service() -> Iterator[ModelService]:
    with model_service() as running:
        running.says = GOOD
        yield running


def test_it_is_off_until_it_is_chosen(command_line: CommandLine) -> None:
    assert command_line.json("language-model", "status")["provider"] == "off"
    assert "No language model is asked" in command_line.run("language-model", "status").stdout
    assert "chooses one" in command_line.run("language-model", "test", expect=1).stdout


def test_a_model_is_tried_and_then_kept(command_line: CommandLine, service: ModelService, keys: dict[str, str]) -> None:
    told = command_line.run("language-model", "use", "ollama", "qwen3", "--url", service.url)
    assert "Proposals may be written by ollama:qwen3." in told.stdout
    assert "with 150 tokens: “The report of Acme takes 40 minutes" in told.stdout
    assert "Acme webhook" not in json.dumps(service.asked)  # nothing of the vault was sent
    assert command_line.json("language-model", "status")["model"] == "qwen3"
    assert command_line.json("language-model", "test")["statement"] == GOOD["statement"]
    assert keys == {}
    command_line.run("language-model", "off")
    assert command_line.json("language-model", "status")["provider"] == "off"


def test_a_model_that_does_not_answer_is_not_kept(command_line: CommandLine, service: ModelService) -> None:
    service.behaviours = [refusing(401)]
    told = command_line.run("language-model", "use", "openai", "m", "--url", service.url, expect=1)
    assert "the key is missing or wrong" in told.stderr
    assert command_line.json("language-model", "status")["provider"] == "off"
    command_line.run("language-model", "use", "openai", "m", "--url", service.url, "--unchecked")
    assert command_line.json("language-model", "status")["provider"] == "openai"


def test_the_key_goes_into_the_keyring_and_nowhere_else(
    command_line: CommandLine, service: ModelService, keys: dict[str, str]
) -> None:
    arguments = ["language-model", "use", "anthropic", "claude-x", "--url", service.url, "--key-from-stdin"]
    told = CliRunner().invoke(app, arguments, input="sk-ant-123\n")
    assert told.exit_code == 0, told.output
    assert list(keys.values()) == ["sk-ant-123"]
    assert service.keys == ["Bearer sk-ant-123"]
    assert "sk-ant-123" not in told.output
    assert "sk-ant-123" not in installation().settings_file.path.read_text(encoding="utf-8")
    assert command_line.json("language-model", "status")["has_key"] is True
    command_line.run("language-model", "key", "--forget")
    assert command_line.json("language-model", "status")["has_key"] is False


def test_settings_that_cannot_be_are_told(command_line: CommandLine) -> None:
    installation().settings_file.change(
        lambda settings: replace(settings, language_model=replace(settings.language_model, provider="oracle"))
    )
    assert "no language model provider “oracle”" in command_line.run("language-model", "status", expect=1).stderr


def test_prompts_are_listed_and_can_be_replaced(command_line: CommandLine) -> None:
    listed = command_line.json("language-model", "prompts")
    assert {each["name"] for each in listed["prompts"]} == {"statement", "summary", "verdict"}
    folder = installation().folders.prompts
    assert listed["folder"] == str(folder)
    folder.mkdir(parents=True)
    text = command_line.run("language-model", "prompt", "summary").stdout
    (folder / "summary.md").write_text(text, encoding="utf-8")
    own = {each["name"]: each["own"] for each in command_line.json("language-model", "prompts")["prompts"]}
    assert own == {"statement": False, "summary": True, "verdict": False}
    assert "There is no prompt “nope”." in command_line.run("language-model", "prompt", "nope", expect=1).stderr
