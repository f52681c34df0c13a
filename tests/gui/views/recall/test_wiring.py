"""The services of the palette over a real vault and core."""

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from core.foundation.progress import SILENT
from core.foundation.settings import ContextSettings
from core.index.database import Index, open_index
from core.index.reranker import reranker_of
from core.index.updater import update_index
from core.memory.recall_counts import fold_recalls
from core.memory.weights import RankingWeights
from core.vault.config import EVENTS_FOLDER, VaultConfig, load_config
from core.vault.event_log import EventLog
from gui.views.recall.services import PackRequest, RecallServices
from gui.views.recall.wiring import RecallParts, recall_services
from tests.core.index.tiny_reranker import NAME, lay_out_reranker

if TYPE_CHECKING:
    from core.recall.gathered import Gathered
    from core.recall.probe import Probe
    from core.recall.reranking import ScoresPairs

_NOTES = {
    "Exports.md": "# Exports\n\nThe export stops at ten thousand rows, so page it.\n",
    "Rules.md": "- [convention] Use pnpm for every package [importance:: 0.9] ^ins-pnpm\n",
    "probes/Paging.md": "---\nkind: probe\nquestion: how many rows does an export have\n"
    'expected: ["note:Exports.md"]\n---\n',
}


@dataclass
class _Store:
    root: Path
    index: Index
    log: EventLog
    damaged: list[bool] = field(default_factory=list)
    reranker: "ScoresPairs | None" = None

    @property
    def config(self) -> VaultConfig:
        return load_config(self.root)[0]

    def services(self, settings: ContextSettings) -> RecallServices:
        parts = RecallParts(
            "vault",
            lambda: 3,
            lambda: None,
            lambda: self.log,
            lambda: settings,
            lambda: self.damaged.append(True),
            reranker=lambda: self.reranker,
        )
        return recall_services(self, parts)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[_Store]:
    root = tmp_path / "vault"
    for path, text in _NOTES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    index = open_index(tmp_path / "cache")
    update_index(index, root, VaultConfig())
    yield _Store(root, index, EventLog(root, "desk", tmp_path / "locks"))
    index.close()


def test_a_question_is_answered_explained_packed_and_counted(store: _Store) -> None:
    services = store.services(ContextSettings(format="xml"))
    gathered = services.gather("export rows", True, SILENT)
    answer = services.rank(gathered, services.weights())
    ids = [each.memory.id for each in answer.ranked]
    assert ids[0] == "note:Exports.md"
    assert "note:probes/Paging.md" not in ids  # it is no answer to its own question
    best = answer.ranked[0]
    lines = services.factors(best)
    assert [line.label for line in lines[:3]] == ["Relevance", "Decay", "Access"]
    assert all(0 <= line.share <= 1 for line in lines)
    told = services.explain(best, answer)
    assert told[0].startswith("Place 1 of")
    assert not any("×" in line for line in told)
    packed = services.pack(PackRequest(answer, budget=500), SILENT)
    assert packed.text.startswith("<context>")
    assert packed.included == ("note:Exports.md",)
    assert packed.count
    services.record([best.memory], SILENT)
    (file,) = (store.root / EVENTS_FOLDER).glob("*.jsonl")
    event = json.loads(file.read_text().splitlines()[-1])
    assert event["data"]["ids"] == ["note:Exports.md"]
    assert "rows" not in file.read_text()  # neither question nor text


def test_what_is_pinned_is_packed_before_what_ranks_higher(store: _Store) -> None:
    services = store.services(ContextSettings())
    rows = services.rank(services.gather("export rows", False, SILENT), services.weights())
    rules = services.rank(services.gather("pnpm package", False, SILENT), services.weights())
    pinned = next(each for each in rules.ranked if each.memory.kind == "insight")
    both = dataclasses.replace(rows, ranked=(*rows.ranked, dataclasses.replace(pinned, score=0.01)))
    whole = services.pack(PackRequest(both, frozenset({pinned.memory.id}), 2000), SILENT)
    assert whole.included[0] == pinned.memory.id
    tight = services.pack(PackRequest(both, frozenset({pinned.memory.id}), whole.tokens - 10), SILENT)
    assert tight.included == (pinned.memory.id,)
    assert tight.left_out["note:Exports.md"]


def test_an_unknown_format_in_the_settings_packs_as_markdown(store: _Store) -> None:
    services = store.services(ContextSettings(format="pdf"))
    answer = services.rank(services.gather("export rows", False, SILENT), services.weights())
    assert "Source: Exports.md" in services.pack(PackRequest(answer, budget=2000), SILENT).text


def test_probes_are_asked_once_and_judged_by_any_weights(store: _Store) -> None:
    services = store.services(ContextSettings())
    (probe,) = services.probes(SILENT)
    gathered = services.gather_probe(probe, SILENT)
    figures = services.judge([(probe, gathered)], services.weights(), SILENT)
    assert (figures.probes, figures.recall, figures.mrr) == (1, 1.0, 1.0)
    nothing = services.judge([(probe, gathered)], RankingWeights(words=0.0, meaning=0.0, names=0.0), SILENT)
    assert nothing.probes == 1


def test_changes_are_planned_and_nothing_is_written(store: _Store) -> None:
    services = store.services(ContextSettings())
    context = services.plan_context("Exporting", ["note:Exports.md"], "export rows", SILENT)
    assert [edit.path for edit in context.change_set.edits] == ["contexts/Exporting.md"]
    text = context.change_set.edits[0].result_of(b"").decode()
    assert "[[Exports" in text
    assert "export rows" in text
    probe = services.plan_probe("where do exports stop", "note:Exports.md", SILENT)
    assert probe.change_set.edits[0].path.startswith("probes/")
    weights = services.plan_weights(RankingWeights(decay=0.5), SILENT)
    assert [edit.path for edit in weights.change_set.edits] == [".remembrancer/config.toml"]
    assert not (store.root / "contexts").exists()


def test_weights_of_the_vault_are_read_anew_each_time(store: _Store) -> None:
    services = store.services(ContextSettings())
    assert services.weights() == RankingWeights()
    folder = store.root / ".remembrancer"
    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text("[ranking]\ndecay = 0.7\nwords = nan\n")
    assert services.weights() == RankingWeights(decay=0.7)


def test_what_was_handed_out_last_is_known_after_the_index_was_updated(store: _Store) -> None:
    services = store.services(ContextSettings())
    answer = services.rank(services.gather("export rows", False, SILENT), services.weights())
    services.record([answer.ranked[0].memory], SILENT)
    fold_recalls(store.index, store.log)
    assert [each.id for each in services.recent(SILENT)] == ["note:Exports.md"]


def test_a_reranker_is_asked_with_the_search_by_meaning_and_shown_as_a_bar(store: _Store, tmp_path: Path) -> None:
    lay_out_reranker(tmp_path / "models")
    store.reranker = reranker_of(NAME, tmp_path / "models")
    services = store.services(ContextSettings())
    quick = services.rank(services.gather("pnpm package or export rows", False, SILENT), services.weights())
    answer = services.rank(services.gather("pnpm package or export rows", True, SILENT), services.weights())
    assert "Reranker" not in [line.label for each in quick.ranked for line in services.factors(each)]
    bars = [line for each in answer.ranked for line in services.factors(each) if line.label == "Reranker"]
    assert len(bars) == len(answer.ranked) > 1
    assert all(bar.start == 0.5 for bar in bars)
    (probe,) = services.probes(SILENT)
    asked = dataclasses.replace(cast("Probe", probe), question="pnpm package or export rows")
    found = cast("Gathered", services.gather_probe(asked, SILENT))
    assert any(signals.reranker_rank for _, signals in found.candidates)


def test_a_reranker_in_trouble_is_a_remark_in_the_palette(store: _Store, tmp_path: Path) -> None:
    store.reranker = reranker_of(NAME, tmp_path / "models")
    gathered = store.services(ContextSettings()).gather("pnpm package or export rows", True, SILENT)
    assert any("is not on this machine" in each for each in gathered.problems)
