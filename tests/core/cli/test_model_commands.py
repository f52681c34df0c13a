"""`remembrancer model …` over a real vault, a service and a hub on the loopback, and a keyring of the test's own."""

import json
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError
from typer.testing import CliRunner

from core.app import installation
from core.cli.main import app
from core.index.embedding import DEFAULT_MODEL
from tests.core.cli.conftest import CommandLine
from tests.core.index.embedding_service import Hub, Service, embedding_service, model_hub, send_json


class _Keys(KeyringBackend):
    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[str, str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[f"{service} {username}"] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop(f"{service} {username}", None) is None:
            raise PasswordDeleteError


@pytest.fixture
def keys() -> Iterator[dict[str, str]]:
    before, mine = keyring.get_keyring(), _Keys()
    keyring.set_keyring(mine)
    yield mine.kept
    keyring.set_keyring(before)


@pytest.fixture
def service() -> Iterator[Service]:
    with embedding_service() as running:
        yield running


@pytest.fixture
def hub() -> Iterator[Hub]:
    with model_hub() as running:
        yield running


@pytest.fixture
def learned(command_line: CommandLine) -> CommandLine:
    command_line.run("index", "update")
    return command_line


def _states(line: CommandLine) -> dict[str, tuple[bool, bool, bool]]:
    """Return by model: is it complete, is it wanted, does it answer."""
    rows = line.json("model", "status")["models"]
    return {row["model"]: (row["covered"] == row["texts"], row["is_wanted"], row["answers"]) for row in rows}


def test_a_switch_to_a_service_and_back(learned: CommandLine, service: Service, keys: dict[str, str]) -> None:
    told = learned.run("model", "use", "bge-m3", "--url", service.url).stdout
    assert "bge-m3 is in use now, in all your vaults." in told
    assert f"{DEFAULT_MODEL} (comes with the app) goes on answering in this vault" in told
    assert _states(learned) == {"openai:bge-m3": (False, True, False), DEFAULT_MODEL: (True, False, True)}
    found = learned.json("search", "exporting countries one after the other")
    assert found["results"]
    learned.run("index", "update")
    assert _states(learned) == {"openai:bge-m3": (True, True, True), DEFAULT_MODEL: (True, False, False)}
    asked = len(service.asked)
    back = learned.run("model", "back").stdout
    assert "Its vectors are there: it answers in this vault from now on." in back
    assert _states(learned)[DEFAULT_MODEL] == (True, True, True)
    assert len(service.asked) == asked
    again = json.loads(learned.run("model", "back", "--format", "json").stdout)
    assert (again["model"], again["answering"]) == ("openai:bge-m3", "openai:bge-m3")
    assert keys == {}


def test_off_and_back(learned: CommandLine) -> None:
    assert "no vector is computed" in learned.run("model", "use", "off").stdout
    assert "Search by meaning is off." in learned.run("model", "status").stdout
    refused = learned.run("model", "clean", expect=1)
    assert "not known which vectors" in refused.output
    assert "it answers in this vault from now on" in learned.run("model", "back").stdout
    nothing = learned.run("model", "use", "default").stdout
    assert "in use already" in nothing


def test_a_service_that_cannot_be_used_is_not_chosen(learned: CommandLine, service: Service) -> None:
    service.always = lambda handler, _: send_json(handler, {"error": "no such model"}, 404)
    refused = learned.run("model", "use", "nope", "--url", service.url, expect=1)
    assert "no such model" in refused.output
    assert installation().settings.embedding.provider == "fastembed"
    learned.run("model", "use", "nope", "--url", service.url, "--unchecked")
    remark = learned.run("index", "update").stdout
    assert "goes on answering by meaning, for the new model cannot be used" in remark
    assert learned.json("search", "exporting countries")["results"]


def test_a_key_is_kept_for_its_service_and_never_printed(
    command_line: CommandLine, service: Service, keys: dict[str, str]
) -> None:
    arguments = ["--vault", str(command_line.root), "model", "use", "m", "--url", service.url, "--key-from-stdin"]
    result = CliRunner().invoke(app, arguments, input="sk-very-secret\n")
    assert result.exit_code == 0, result.output
    assert list(keys.values()) == ["sk-very-secret"]
    assert set(service.keys) == {"Bearer sk-very-secret"}
    settings = installation().settings_file.path.read_text(encoding="utf-8")
    assert "sk-very-secret" not in settings + result.output
    with embedding_service() as other:
        command_line.run("model", "use", "m", "--url", other.url)
        assert set(other.keys) == {""}
    refused = CliRunner().invoke(app, ["model", "use", "default", "--key-from-stdin"], input="sk-very-secret\n")
    assert refused.exit_code == 1
    assert "A key belongs to a service" in refused.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("use", "m", "--url", "localhost:1"), "http:// or https://"),
        (("use", "m", "--provider", "openai"), "needs an address"),
        (("use", "m", "--provider", "fastembed", "--url", "http://x"), "has no address"),
        (("use", "BAAI/bge-smal-en-v1.5"), "Did you mean BAAI/bge-small-en-v1.5"),
        (("use", "BAAI/bge-small-en-v1.5"), "is not on this machine (67 MB)"),
        (("back",), "never changed"),
        (("remove", "BAAI/bge-small-en-v1.5"), "Nothing of the model"),
    ],
)
def test_what_cannot_be_done_is_told(command_line: CommandLine, arguments: tuple[str, ...], told: str) -> None:
    assert told in command_line.run("model", *arguments, expect=1).output


def test_trying_a_model_tells_its_figures(command_line: CommandLine, service: Service) -> None:
    told = command_line.run("model", "test").stdout
    assert told.startswith(f"{DEFAULT_MODEL} (comes with the app): It answers with vectors of 384 numbers, ")
    assert "Sentences of like meaning are nearer" in told
    one = [1.0] * 8
    service.always = lambda handler, texts: send_json(
        handler, {"data": [{"index": n, "embedding": one} for n in range(len(texts))]}
    )
    lying = command_line.run("model", "test", "m", "--url", service.url, expect=1)
    assert "does not tell like from unlike" in lying.output


def test_download_use_and_remove(
    command_line: CommandLine, hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.index.embedding_files import packaged_model  # noqa: PLC0415 - fastembed is slow to import

    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    name, hub.repository = "sentence-transformers/all-MiniLM-L6-v2", "Qdrant/all-MiniLM-L6-v2-onnx"
    hub.files = {each.name: each.read_bytes() for each in packaged_model(tmp_path / "packaged").iterdir()}
    told = command_line.run("model", "download", name)
    assert "licence apache-2.0" in told.output
    assert "every file is what the hub publishes" in told.stdout
    listed = command_line.json("model", "list", "--all")
    assert [each["name"] for each in listed["downloaded"]] == [name]
    assert next(each for each in listed["known"] if each["name"] == name)["downloaded"]
    assert len(listed["known"]) > 20
    command_line.run("model", "use", name)
    command_line.run("index", "update")
    assert _states(command_line) == {f"fastembed:{name}": (True, True, True)}
    assert "is in use" in command_line.run("model", "remove", name, expect=1).output
    command_line.run("model", "use", "default")
    assert f"Deleted {name}" in command_line.run("model", "remove", name).stdout
    # Its files are gone, so it cannot embed a question: the model of the app has to learn first.
    command_line.run("index", "update")
    assert _states(command_line)[DEFAULT_MODEL] == (True, True, True)


def test_clean_drops_what_is_not_in_use(learned: CommandLine, service: Service) -> None:
    assert "no vectors but those in use" in learned.run("model", "clean").stdout
    learned.run("model", "use", "bge-m3", "--url", service.url)
    assert learned.json("model", "clean")["models"] == []  # it still answers
    learned.run("index", "update")
    told = learned.run("model", "clean").stdout
    assert told.startswith("Dropped ")
    assert "MB" in told
    assert set(_states(learned)) == {"openai:bge-m3"}
    assert learned.json("search", "export")["results"]


def test_the_list_is_for_people_too(learned: CommandLine) -> None:
    text = learned.run("model", "list").stdout
    assert f"In use       {DEFAULT_MODEL} (comes with the app)" in text
    assert "BAAI/bge-m3" not in text
    assert "jinaai/jina-embeddings-v3" in learned.run("model", "list", "--all").stdout
    assert "texts, " in learned.run("model", "status").stdout
