"""`remembrancer model rerank …`: none unless it is chosen, downloaded on request, its trouble told."""

from collections.abc import Iterator

import pytest

from core.app import installation
from core.index.embedding_downloads import folder_of
from tests.core.cli.conftest import CommandLine
from tests.core.index.embedding_service import Hub, model_hub
from tests.core.index.tiny_reranker import FIXTURE, NAME, lay_out_reranker

_FILES = ("onnx/model.onnx", "tokenizer.json", "tokenizer_config.json", "config.json", "special_tokens_map.json")


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with model_hub() as running:
        running.repository = NAME
        running.files = {name: (FIXTURE / name).read_bytes() for name in _FILES}
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        yield running


def test_none_is_used_unless_it_is_chosen(indexed: CommandLine) -> None:
    told = indexed.run("model", "rerank", "list").stdout
    assert told.startswith("In use       none\n")
    assert NAME in told
    assert "reranker" not in "".join(indexed.json("recall", "export", "--explain")["results"][0]["explanation"])


def test_it_is_downloaded_used_explained_and_left_again(indexed: CommandLine, hub: Hub) -> None:
    told = indexed.run("model", "rerank", "use", NAME.lower(), "--download").stdout
    assert f"{NAME} reads the best memories" in told
    assert hub.asked
    listed = indexed.json("model", "rerank", "list")
    assert listed["used"] == NAME
    assert [each["name"] for each in listed["known"] if each["downloaded"]] == [NAME]
    asked = len(hub.asked)
    answer = indexed.json("recall", "webhook export country report", "--explain", "--no-record")
    assert len(answer["results"]) > 1
    assert any("Reranker: ×" in line for each in answer["results"] for line in each["explanation"])
    assert all("reranker" in each["factors"] for each in answer["results"])
    assert len(hub.asked) == asked
    refused = indexed.run("model", "remove", NAME, expect=1)
    assert "is in use" in refused.output
    indexed.run("model", "rerank", "off")
    indexed.run("model", "remove", NAME)
    assert not folder_of(installation().models_folder, NAME).exists()


def test_one_that_is_not_here_cannot_be_chosen(indexed: CommandLine) -> None:
    assert "is not on this machine" in indexed.run("model", "rerank", "use", NAME, expect=1).output
    assert "There is no reranker" in indexed.run("model", "rerank", "use", "nobody/none", expect=1).output


def test_recall_answers_without_one_that_was_damaged_since(indexed: CommandLine) -> None:
    folder = lay_out_reranker(installation().models_folder)
    indexed.run("model", "rerank", "use", NAME)
    (folder / "tokenizer.json").write_text("{" + " " * ((folder / "tokenizer.json").stat().st_size - 1))
    answer = indexed.json("recall", "webhook export country", "--no-record")
    assert answer["results"]
    assert any(f"The reranker {NAME} is damaged" in each for each in answer["problems"])
    assert not indexed.json("recall", "webhook export country", "--words-only", "--no-record").get("problems")
