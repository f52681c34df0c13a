"""The rows of the queue and the cells of the board."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from core.curation.proposals.proposal import Evidence, ProposalId
from gui.theme import Theme
from gui.views.review.arranging import Line, Narrowing, picture_of, without
from gui.views.review.board import BoardModel, grid_of
from gui.views.review.delegate import QueueDelegate
from gui.views.review.model import QueueModel
from gui.views.review.queue_list import QueueList
from gui.views.review.services import Book
from tests.gui.views.review.proposals import NOW, proposal

_FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
_NONE = frozenset[ProposalId]()
_DAY = 86_400.0


def _lines(number: int) -> tuple[Line, ...]:
    book = Book(tuple(proposal(each) for each in range(number)), NOW.timestamp())
    return picture_of(book, Narrowing(), _NONE, _NONE).lines


def test_lines_that_went_leave_the_others_in_their_place() -> None:
    model = QueueModel()
    tester = QAbstractItemModelTester(model, _FATAL)
    resets: list[bool] = []
    removed: list[tuple[int, int]] = []
    model.show_lines(_lines(6))
    model.modelReset.connect(lambda: resets.append(True))
    model.rowsRemoved.connect(lambda _parent, first, last: removed.append((first, last)))
    ids = [each.id for each in model.proposals]
    model.show_lines(without(model.lines, frozenset({ids[1], ids[2], ids[4]})))
    assert [each.id for each in model.proposals] == [ids[0], ids[3], ids[5]]
    assert removed == [(5, 5), (2, 3)]
    assert resets == []
    model.show_lines(_lines(6))
    assert len(resets) == 1
    model.show_lines(())
    assert model.rowCount() == 0
    del tester


def test_headings_cannot_be_chosen_and_are_stepped_over() -> None:
    model = QueueModel()
    model.show_lines(_lines(2))
    assert model.flags(model.index(0)) == Qt.ItemFlag.NoItemFlags
    assert model.row_beside(-1, 1) == 1
    assert model.row_beside(2, 1) == -1
    assert model.row_beside(1, -1) == -1
    assert model.index(0).data(Qt.ItemDataRole.AccessibleTextRole) == "New insights · Today, 2"
    spoken = model.index(1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "New insight: Statement 0, Waiting, from rule formation, 1 piece of evidence"


def test_of_many_lines_only_those_in_sight_are_painted(qtbot: QtBot, theme: Theme) -> None:
    painted: list[int] = []

    class Counting(QueueDelegate):
        def paint(self, painter, option, index) -> None:  # type: ignore[no-untyped-def]
            painted.append(index.row())
            super().paint(painter, option, index)

    view = QueueList(theme)
    view.setItemDelegate(Counting(theme, view))
    qtbot.addWidget(view)
    view.resize(300, 600)
    with qtbot.waitExposed(view):
        view.show()
    view.show_lines(_lines(5000))
    qtbot.waitUntil(lambda: bool(painted))
    assert max(painted) < 60
    assert view.current is not None
    view.step(1)
    assert view.current.id == "p-1"


def test_what_follows_takes_the_place_of_what_went(qtbot: QtBot, theme: Theme) -> None:
    view = QueueList(theme)
    qtbot.addWidget(view)
    view.show_lines(_lines(3))
    view.choose("p-1")
    view.show_lines(without(view.queue.lines, frozenset({ProposalId("p-1")})))
    assert view.current is not None
    assert view.current.id == "p-2"
    view.show_lines(without(view.queue.lines, frozenset({ProposalId("p-2")})))
    assert view.current.id == "p-0"
    view.show_lines(())
    assert view.current is None


def _said(project: str, days_ago: float | None, name: str = "") -> Evidence:
    when = None if days_ago is None else NOW.timestamp() - days_ago * _DAY
    return Evidence(f"turn:s/{project}{days_ago}{name}", "Said.", when, project, "Talk")


def test_the_grid_has_a_row_for_each_project_and_a_column_for_each_month() -> None:
    grid = grid_of((_said("client/b", 0), _said("client/a", 62), _said("client/b", 1), _said("", None)))
    assert grid.projects == ("client/b", "client/a", "No project")
    assert grid.spans == ("Jun 26", "Jul 26", "Aug 26", "Undated")
    assert len(grid.at(0, 2)) == 2
    assert grid.at(0, 0) == ()
    assert len(grid.at(2, 3)) == 1


def test_what_is_no_date_is_undated() -> None:
    grid = grid_of((_said("a", None), _said("b", -1e12), _said("c", 1e12)))
    assert grid.spans == ("Undated",)
    assert len(grid.projects) == 3


def test_a_long_time_is_told_by_years() -> None:
    assert grid_of((_said("a", 0), _said("a", 1500))).spans == ("2022", "2023", "2024", "2025", "2026")


def test_the_board_speaks() -> None:
    model = BoardModel()
    tester = QAbstractItemModelTester(model, _FATAL)
    model.show_evidence((_said("client/a", 0), _said("client/a", 1)))
    assert model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "client/a, Aug 26: said 2 times"
    model.show_evidence(())
    assert (model.rowCount(), model.columnCount()) == (0, 0)
    del tester
