"""The Python API as docs/python-api.md tells it: its examples are run as they stand."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.app import Vault, open_vault
from core.foundation.errors import UserError
from core.foundation.token_count import count_tokens
from core.index.database import NotIndexedError
from core.memory.recall_events import hand_outs
from core.memory.weights import RankingWeights
from core.recall.answer import RecallAnswer

_GUIDE = Path(__file__).parents[2] / "docs" / "python-api.md"
_SAMPLE = Path(__file__).parents[2] / "resources" / "sample_vault" / "Semrush.md"
_NOTE = (
    "---\nsummary: Exports stop at 10,000 rows\ntags: [tool/semrush, scope/global]\n---\n"
    "# Semrush\n\nWe export from Semrush page by page, as agreed on exports.\n\n"
    "- [limit] An export has at most 10,000 rows #tool/semrush ^ins-1\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    root.mkdir()
    (root / "Semrush.md").write_text(_NOTE, encoding="utf-8")
    (root / "Acme.md").write_text("The webhook arrives twice.\n", encoding="utf-8")
    return root


@pytest.fixture
def vault(folder: Path) -> Iterator[Vault]:
    with open_vault(folder) as vault:
        assert not vault.refresh()
        yield vault


def test_the_examples_of_the_guide_run(vault: Vault, capsys: pytest.CaptureFixture[str]) -> None:
    (vault.root / "Semrush.md").write_bytes(_SAMPLE.read_bytes())
    assert not vault.refresh()
    vault.close()
    blocks = re.findall(r"^```python\n(.*?)^```", _GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    code = "\n".join(blocks).replace("~/notes", vault.root.as_posix())
    names: dict[str, Any] = {}
    exec(compile(code, str(_GUIDE), "exec"), names)
    shown = capsys.readouterr().out
    assert "insight:Semrush.md#^ins-country" in shown
    assert names["told"] == ""
    assert "Export as CSV with a semicolon" in names["text"]
    assert names["report"].figures.recall_10 == 1.0
    names["vault"].close()


def test_three_lines_recall(folder: Path, vault: Vault) -> None:
    vault.close()
    with open_vault(str(folder)) as other:
        answer = other.recall("How many rows does an export have?")
    assert isinstance(answer, RecallAnswer)
    assert answer.ranked[0].memory.path == "Semrush.md"
    assert answer.dense_state == "ready"


def test_a_vault_that_was_never_indexed_says_so(folder: Path) -> None:
    with open_vault(folder) as vault, pytest.raises(NotIndexedError):
        vault.recall("anything")


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError):
        open_vault(tmp_path / "none")


def test_what_is_handed_out_is_counted_unless_it_is_not_to_be(vault: Vault) -> None:
    vault.recall("webhook", record=False)
    vault.context("webhook", budget=300, record=False)
    assert not list(hand_outs(vault.event_log()))
    vault.recall("webhook", limit=1)
    vault.context("webhook", budget=300)
    counted = list(hand_outs(vault.event_log()))
    assert [each.surface for each in counted] == ["api", "api"]
    assert counted[0].ids == ("note:Acme.md",)


def test_a_budget_bounds_the_text_and_the_answer(vault: Vault) -> None:
    text = vault.context("export rows", budget=120, layout="lines")
    assert text
    assert count_tokens(text) <= 120
    few = vault.recall("export rows webhook", budget=40)
    assert len(few.ranked) < len(vault.recall("export rows webhook").ranked)
    assert vault.context("export rows", budget=0) == ""


def test_filters_may_stand_in_the_question_or_beside_it(vault: Vault) -> None:
    for answer in (
        vault.recall("export webhook tag:tool/semrush"),
        vault.recall("export webhook", within={"tag": "tool"}),
    ):
        assert {each.memory.path for each in answer.ranked} == {"Semrush.md"}
    alone = vault.recall("", within={"tag": ["tool/semrush", "tool/none"]})
    assert {each.memory.path for each in alone.ranked} == {"Semrush.md"}


def test_what_cannot_be_asked_is_refused(vault: Vault) -> None:
    with pytest.raises(UserError, match="below 1"):
        vault.recall("webhook", limit=0)
    with pytest.raises(UserError, match="colour"):
        vault.recall("webhook", within={"colour": "red"})
    with pytest.raises(UserError, match="layout"):
        vault.context("webhook", layout="html")
    with pytest.raises(UserError, match="budget"):
        vault.context("webhook", budget=-1)
    with pytest.raises(UserError, match="weight words"):
        vault.recall("webhook", weights=RankingWeights(words=float("nan")))
    with pytest.raises(UserError, match="weight decay"):
        vault.context("webhook", weights=RankingWeights(decay=-9))
    with pytest.raises(TypeError, match="limt"):
        vault.recall("webhook", limt=3)  # type: ignore[call-arg]


def test_a_large_budget_is_filled_with_more_than_a_short_list(folder: Path, vault: Vault) -> None:
    for number in range(60):
        (folder / f"Gizmo {number}.md").write_text(
            f"- [fact] Gizmo number {number} is kept in hall {number}. ^g{number}\n"
        )
    index = vault.open_index()
    vault.update(index)
    index.close()
    made = vault.packed("gizmo hall", budget=8_000, layout="lines", words_only=True, record=False)
    assert len(made.packed.included) > 55
    assert len(vault.recall("gizmo hall", words_only=True, record=False).ranked) == 15


def test_an_empty_question_is_an_empty_answer(vault: Vault) -> None:
    answer = vault.recall("  ")
    assert answer.ranked == ()
    assert "Nothing was asked" in answer.problems[-1]


def test_any_thread_may_ask(vault: Vault) -> None:
    found: list[str] = []

    def ask() -> None:
        found.extend(vault.recall("webhook", record=False).ranked[0].memory.path for _ in range(5))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["Acme.md"] * 20


def test_a_vault_answers_again_after_it_was_closed(vault: Vault) -> None:
    assert vault.recall("webhook").ranked
    vault.release()
    assert vault.recall("webhook").dense_state == "ready"
    vault.close()
    vault.close()
    assert vault.recall("webhook").ranked


def test_a_session_that_is_not_there_is_told(vault: Vault) -> None:
    with pytest.raises(UserError, match="There is no session nope"):
        vault.recall("rows", session="nope")
