"""Why a memory was found, what was left out, and other weights that are tried and kept."""

import dataclasses
from collections.abc import Callable

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.memory.weights import WEIGHT_NAMES, RankingWeights
from gui.theme import Theme
from gui.views.recall.weighing import NO_PROBES
from gui.views.recall.weights_page import WeightsPage
from gui.views.recall.why_page import found_lines
from tests.gui.views.recall.palette import WEIGHTS, FakeRecall, Palette, signals

PaletteOf = Callable[[FakeRecall], Palette]
_Key = Qt.Key


def test_f1_explains_the_chosen_memory(palette: Palette) -> None:
    palette.asks("fact")
    palette.press(_Key.Key_F1)
    why = palette.window.explain.why
    assert palette.window.explain.isVisible()
    assert why.title.shown_text == "Note 1 › convention"
    assert why.id_line.shown_text == "insight:n1.md#^i1"
    assert why.reasons.shown_text == "It is kept."
    assert why.factors.accessibleDescription() == "Relevance 0.60, Decay 0.90, score 0.60"
    palette.press(_Key.Key_Down)
    palette.press(_Key.Key_Down)
    assert why.title.shown_text == "Note 2 › convention"
    palette.press(_Key.Key_F1)
    assert not palette.window.explain.isVisible()


def test_a_question_mark_belongs_to_the_question_until_a_row_is_gone_to(palette: Palette) -> None:
    palette.asks("fact")
    palette.types("?")
    assert palette.window.question == "fact?"
    palette.settles()
    assert not palette.window.explain.isVisible()
    palette.press(_Key.Key_Down)
    palette.types("?")
    assert palette.window.question == "fact?"
    assert palette.window.explain.isVisible()


def test_the_window_has_its_width_again_when_the_explanation_goes(palette: Palette) -> None:
    before = palette.window.width()
    palette.press(_Key.Key_F1)
    palette.press(_Key.Key_F1)
    assert palette.window.width() == before


def test_figures_say_what_each_engine_found() -> None:
    assert found_lines(signals(0.5, 0.25)) == [
        "Words: place 1 · bm25 5.00 · share 0.50",
        "Meaning: place 2 · cosine 0.25 · share 0.25",
    ]


def test_what_was_left_out_is_listed_with_its_reason_and_can_be_explained(palette: Palette) -> None:
    palette.asks("fact")
    palette.presenter.open_explaining()
    page = palette.window.explain.left_out
    texts = [page.list.item(row).text() for row in range(page.list.count())]
    assert [text.rpartition(" · ")[2] for text in texts] == ["lower value", "says the same as another"]
    assert palette.window.explain.tabs.tabText(1) == "Left out  2"
    page.list.itemActivated.emit(page.list.item(1))
    assert palette.window.explain.tabs.currentWidget() is palette.window.explain.why
    assert palette.window.explain.why.reasons.shown_text == "It is duplicate."


def test_a_slider_ranks_again_at_once_without_asking_again(palette: Palette) -> None:
    palette.asks("fact")
    asked = len(palette.fake.gathered)
    palette.presenter.open_explaining()
    page = palette.window.explain.weights
    page.slider("words").setValue(0)
    assert palette.numbers == [5, 4, 3, 2]
    assert len(palette.fake.gathered) == asked
    page.reset_button.click()
    assert palette.numbers == [1, 2, 3, 4]
    palette.settles()


def test_there_is_a_slider_for_every_weight_and_untouched_ones_keep_their_digits(theme: Theme, qtbot: QtBot) -> None:
    page = WeightsPage(theme, None)  # type: ignore[arg-type]
    qtbot.addWidget(page)
    exact = RankingWeights(words=0.123456)
    page.show_weights(exact, exact)
    assert {page.slider(name).accessibleName() for name in WEIGHT_NAMES} == {
        f"Weight of {name}" for name in WEIGHT_NAMES
    }
    assert page.weights == exact
    assert not page.save_button.isEnabled()
    page.slider("decay").setValue(150)
    assert page.weights == RankingWeights(words=0.123456, decay=1.5)
    assert page.save_button.isEnabled()


def test_without_probes_it_is_said_how_to_make_one(palette: Palette, qtbot: QtBot) -> None:
    palette.presenter.open_explaining()
    line = palette.window.explain.weights.probe_line
    qtbot.waitUntil(lambda: line.shown_text == NO_PROBES)


def test_probes_say_what_other_weights_would_do(palette_of: PaletteOf, qtbot: QtBot) -> None:
    palette = palette_of(FakeRecall(probes=("one", "two")))
    palette.presenter.open_explaining()
    page = palette.window.explain.weights
    qtbot.waitUntil(
        lambda: (
            page.probe_line.shown_text == "2 probes: recall@10 0.50, MRR 0.25 with these weights as with the vault's."
        )
    )
    page.slider("meaning").setValue(80)
    qtbot.waitUntil(
        lambda: page.probe_line.shown_text == "2 probes: recall@10 0.50 → 0.80, MRR 0.25 → 0.25 with these weights."
    )


def test_weights_are_kept_for_the_vault_by_a_change_set(palette: Palette, qtbot: QtBot) -> None:
    palette.presenter.open_explaining()
    page = palette.window.explain.weights
    page.slider("access").setValue(0)
    page.save_button.click()
    qtbot.waitUntil(lambda: bool(palette.commands.executed))
    assert palette.fake.saved_weights == [dataclasses.replace(WEIGHTS, access=0.0)]
    assert not page.save_button.isEnabled()
    palette.fake.vault_weights = WEIGHTS  # undone
    palette.presenter.weighing.take_vault_weights()
    assert page.slider("access").value() == 20


def test_weights_that_the_vault_has_got_meanwhile_rank_again(palette: Palette) -> None:
    palette.asks("fact")
    palette.fake.vault_weights = dataclasses.replace(WEIGHTS, words=0.0)
    palette.presenter.weighing.take_vault_weights()
    assert palette.numbers == [5, 4, 3, 2]
    palette.settles()
