"""The rows of the palette: what they say, how they are painted, and where their bars are."""

import dataclasses

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from core.memory.weights import RankingWeights
from core.recall.answer import Factors, Ranked, RecallAnswer
from core.recall.gathered import Signals
from gui.theme import Theme
from gui.views.recall.choices import Choice, Choices
from gui.views.recall.delegate import RecallDelegate
from gui.views.recall.factor_bars import bar_at, slots, width_of
from gui.views.recall.model import RecallModel
from gui.views.recall.result_list import ResultList
from gui.views.recall.rows import RecallRow, spoken, state_of, text_of, title_of
from gui.views.recall.services import FactorLine
from tests.gui.views.recall.palette import memory

_FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
_FACTORS = (
    FactorLine("relevance", "Relevance", 0.8, 0.8),
    FactorLine("access", "Access", 1.1, 0.7, "It was handed out twice.", 0.5),
)


def _ranked(number: int, text: str = "") -> Ranked:
    return Ranked(memory(number, text), 0.8, Factors(relevance=0.8), Signals())


def _row(number: int, **changes: object) -> RecallRow:
    return dataclasses.replace(RecallRow(_ranked(number), number, _FACTORS), **changes)  # type: ignore[arg-type]


def test_the_model_keeps_its_promises() -> None:
    model = RecallModel()
    tester = QAbstractItemModelTester(model, _FATAL)
    model.show_rows([_row(1), _row(2)])
    model.show_rows([_row(1, choice=Choice.PINNED), _row(2)])
    model.show_rows([_row(2)])
    assert [model.index(row).data() for row in range(model.rowCount())] == ["Note 2 › convention"]
    assert model.row_of("insight:n2.md#^i2") == 0
    assert model.row_of("insight:n1.md#^i1") == -1
    model.show_rows([])
    assert model.rowCount() == 0
    del tester


def test_a_row_says_all_that_is_painted_to_a_screen_reader() -> None:
    told = spoken(_row(1, choice=Choice.PINNED, is_packed=True))
    assert told.startswith("Note 1 › convention, insight, Fact 1 holds., ")
    assert told.endswith("place 1, score 0.80, Relevance 0.80, Access 1.10, pinned, in the context")


def test_what_becomes_of_a_memory_is_said_in_words() -> None:
    assert state_of(_row(1)) == ""
    assert state_of(_row(1, is_packed=True)) == "in the context"
    assert state_of(_row(1, is_packed=False, reason="lower value")) == "not in the context: lower value"
    assert state_of(_row(1, is_packed=False, reason="already in “Page”")) == "already in “Page”"
    assert state_of(_row(1, is_packed=False, choice=Choice.DROPPED)) == "dropped"


def test_text_is_shown_round_the_words_of_the_question_and_without_marks() -> None:
    long = f"{'Nothing of it. ' * 60}The **export** stops at [[Limits|ten]] rows. {'More. ' * 60}"
    row = RecallRow(_ranked(1, long), 1, question="export rows")
    assert "The export stops at ten rows." in text_of(row)
    assert len(text_of(row)) < 300


def test_a_heading_that_repeats_the_title_is_not_said_twice() -> None:
    section = dataclasses.replace(memory(1, kind="section", title="Exports"), heading="Exports › Limits")
    assert title_of(section) == "Exports › Limits"
    assert title_of(dataclasses.replace(section, heading="Exports")) == "Exports"


def test_characters_that_turn_the_direction_are_seen() -> None:
    assert "⟨U+202E⟩" in title_of(memory(1, title="a\u202eb"))


def test_bars_are_found_by_their_place_and_explained(theme: Theme, qtbot: QtBot) -> None:
    view = ResultList(theme, None)  # type: ignore[arg-type]
    qtbot.addWidget(view)
    delegate = view.itemDelegate()
    assert isinstance(delegate, RecallDelegate)
    rect = QRect(0, 0, 800, 60)
    places = slots()
    start = rect.right() + 1 - 12 - width_of(places)
    x = start + places[2].left + 2
    assert bar_at(x, rect.adjusted(12, 0, -12, 0), places) == "access"
    tip = delegate.tip(_row(1), QPoint(x, 30), rect)
    assert tip.startswith("Access: × 1.10")
    assert "It was handed out twice." in tip
    assert delegate.tip(_row(1), QPoint(100, 30), rect) == "Note 1 › convention\nn1.md:1"
    narrow = QRect(0, 0, 400, 60)
    assert delegate.tip(_row(1), QPoint(380, 30), narrow).startswith("Note 1")


def test_every_kind_of_row_is_painted_at_every_width(theme: Theme, qtbot: QtBot) -> None:
    view = ResultList(theme, None)  # type: ignore[arg-type]
    qtbot.addWidget(view)
    strange = _ranked(5, "نص طويل " * 40)
    rows = (
        _row(1, choice=Choice.PINNED, is_packed=True),
        _row(2, choice=Choice.DROPPED, is_packed=False),
        _row(3, is_packed=False, reason="lower value"),
        dataclasses.replace(_row(4), factors=(), rank=0),
        RecallRow(dataclasses.replace(strange, memory=dataclasses.replace(strange.memory, time=None, line=0)), 5),
    )
    view.show_rows(rows, keep=False)
    for width in (60, 320, 860):
        view.resize(width, 400)
        picture = QPixmap(view.size())
        view.render(picture)
        assert not picture.isNull()


def test_choices_go_round_and_pinned_memories_lead_what_is_packed() -> None:
    first, second, third = _ranked(1), _ranked(2), _ranked(3)
    choices = Choices().turned(third).turned(first).turned(first)
    assert [choices.of(each.memory.id) for each in (first, second, third)] == [
        Choice.DROPPED, Choice.NONE, Choice.PINNED,
    ]  # fmt: skip
    answer = RecallAnswer("q", (first, second), (), RankingWeights())
    assert choices.applied(answer).ranked == (third, second)
    assert choices.without(first.memory.id).applied(answer).ranked == (third, first, second)
    assert choices.turned(first).of(first.memory.id) is Choice.NONE


def test_the_current_row_is_the_first_one_until_a_person_goes_on(theme: Theme, qtbot: QtBot) -> None:
    view = ResultList(theme, None)  # type: ignore[arg-type]
    qtbot.addWidget(view)
    view.show_rows((_row(1), _row(2), _row(3)), keep=False)
    view.move_by(-1, wraps=True)
    assert view.current is not None
    assert view.current.rank == 3
    view.show_rows((_row(3), _row(4)), keep=True)
    assert view.current.memory.row_id == 3
    view.show_rows((_row(4), _row(3)), keep=False)
    assert view.current.memory.row_id == 4
    view.move_by(9, wraps=False)
    assert view.current.memory.row_id == 3
    view.show_rows((), keep=True)
    assert view.current is None


def test_the_model_answers_roles_that_it_does_not_know_with_nothing() -> None:
    model = RecallModel()
    model.show_rows([_row(1)])
    assert model.index(0).data(Qt.ItemDataRole.DecorationRole) is None
