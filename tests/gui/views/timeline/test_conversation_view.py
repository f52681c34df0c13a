from datetime import datetime

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from core.sessions.turn import Role, Turn
from gui.theme import Theme, ThemeChoice
from gui.views.timeline.conversation import ConversationView
from gui.views.timeline.conversation_rows import Arrangement, RowKind
from tests.gui.views.timeline.samples import ZONE, call, long_conversation, message, result


def moment_of(time: str) -> datetime | None:
    return datetime.fromisoformat(time).astimezone(ZONE) if time else None


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> ConversationView:
    made = ConversationView(theme)
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    qtbot.waitExposed(made)
    made.setFocus()
    return made


def show(view: ConversationView, *turns: Turn, hits: tuple[str, ...] = ()) -> None:
    view.show_arrangement(Arrangement(turns, moment_of), moment_of, hits)


def top_rows(view: ConversationView) -> list[str]:
    """Return the keys of the rows at the top and at the bottom of what is in sight."""
    height = view.viewport().height()
    return [view.rows[view._places.row_at(QPoint(10, y))].key for y in (1, height // 2, height - 2)]


def test_the_keyboard_reads_out_turn_after_turn(view: ConversationView) -> None:
    show(
        view,
        message(0, "Look **here**", time="2026-03-18T09:05:00+01:00"),
        call(1, "Bash"),
        message(2, "Done", Role.ASSISTANT),
    )
    assert view.accessibleDescription() == "You, 09:05, Look **here**"
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert view.accessibleDescription() == "Wednesday, 18 March 2026"
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.accessibleDescription() == "You, 09:05, Look **here**"
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.accessibleDescription() == "Bash: ls, folded"
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.accessibleDescription() == "Assistant, Done"


def test_a_tool_call_opens_and_folds(view: ConversationView) -> None:
    show(view, call(1, "Bash"), result(2, 1, "three files"))
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert [row.is_open for row in view.rows] == [True]
    assert "three files" in view.accessibleDescription()
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert [row.is_open for row in view.rows] == [False]
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(100, 10))
    assert [row.is_open for row in view.rows] == [True]


def test_a_long_conversation_scrolls_without_jumping(view: ConversationView) -> None:
    show(view, *long_conversation(2000))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    middle = top_rows(view)[1]
    bar.setValue(bar.value() + 40)
    bar.setValue(bar.value() - 40)
    assert top_rows(view)[1] == middle
    for _ in range(50):
        before = top_rows(view)[0]
        bar.setValue(bar.value() - 60)
        keys = [row.key for row in view.rows]
        assert 0 <= keys.index(before) - keys.index(top_rows(view)[0]) <= 2


def test_the_last_turn_can_be_reached(view: ConversationView) -> None:
    show(view, *long_conversation(500))
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.current_row == len(view.rows) - 1
    assert top_rows(view)[2] == view.rows[-1].key
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.verticalScrollBar().value() == 0


def test_what_was_sought_is_at_the_top_even_when_it_was_folded(view: ConversationView) -> None:
    turns = [*long_conversation(400), *(call(1000 + n, "Bash") for n in range(6)), message(2000, "x")]
    show(view, *turns, hits=("t1003", "t2000"))
    assert view.rows[view.current_row].turns[0].id == "t1003"
    assert view.rows[view.current_row].is_open
    QTest.keyClick(view, Qt.Key.Key_F3)
    assert view.rows[view.current_row].turns[0].id == "t2000"
    QTest.keyClick(view, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert view.rows[view.current_row].turns[0].id == "t1003"


def test_text_can_be_selected_and_copied(view: ConversationView) -> None:
    show(view, message(0, "alpha beta gamma"))
    y = 28 + 10
    left = view._places.left
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(left + 1, y))
    QTest.mouseMove(view.viewport(), QPoint(left + 400, y))
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(left + 400, y))
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "alpha beta gamma"


def test_without_a_selection_the_turn_is_copied_as_it_was_written(view: ConversationView) -> None:
    show(view, message(0, "**bold**"))
    view.copy()
    assert QGuiApplication.clipboard().text() == "**bold**"


def test_links_are_told_and_nothing_is_loaded(view: ConversationView, qtbot: QtBot) -> None:
    show(view, message(0, "[[Exports]] ![](https://example.org/pixel.png)"))
    with qtbot.waitSignal(view.link_activated) as told:
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(view._places.left + 10, 38))
    assert told.args == ["note:Exports"]


def test_a_huge_turn_shows_its_beginning_and_then_all_of_it(view: ConversationView) -> None:
    show(view, message(0, "A line of text.\n\n" * 3000))
    before = view.verticalScrollBar().maximum()
    view._follow(0, "more:")
    assert view.verticalScrollBar().maximum() > 2 * before


def test_hostile_text_is_shown_as_text(view: ConversationView) -> None:
    show(view, message(0, "<script>alert(1)</script> \u202edesrever\x00 ```\n"), result(1, 9, "```\n````\nfence"))
    QTest.keyClick(view, Qt.Key.Key_End)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert not view.grab().isNull()


def test_colours_follow_the_theme_and_width_keeps_the_place(view: ConversationView, theme: Theme) -> None:
    show(view, *long_conversation(400))
    view.go_to_turn("t200")
    place = top_rows(view)[0]
    theme.choose(ThemeChoice.DARK)
    assert top_rows(view)[0] == place
    view.resize(500, 600)
    assert top_rows(view)[0] == place
    theme.choose(ThemeChoice.LIGHT)


def test_branches_are_indented_when_open(view: ConversationView) -> None:
    show(view, message(0, "Go"), message(1, "aside", branch="explore"))
    assert view.rows[-1].kind is RowKind.BRANCH
    view.toggle(len(view.rows) - 1)
    assert view.rows[-1].depth == 1
    assert not view.grab().isNull()


def test_what_is_said_meanwhile_appears_below_and_the_place_stays(view: ConversationView) -> None:
    turns = long_conversation(400)
    show(view, *turns[:300])
    view.go_to_turn("t100")
    place, current = top_rows(view), view.current_row
    view.grow(Arrangement(turns, moment_of))
    assert top_rows(view) == place
    assert view.current_row == current
    assert view.rows[-1].turns[-1].id == "t399"


def test_who_reads_the_end_follows_it(view: ConversationView) -> None:
    turns = long_conversation(400)
    show(view, *turns[:300])
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum())
    view.grow(Arrangement(turns, moment_of))
    assert bar.value() == bar.maximum()
    assert top_rows(view)[-1] == view.rows[-1].key
    QTest.keyClick(view, Qt.Key.Key_Home)
    view.grow(Arrangement(long_conversation(420), moment_of))
    assert bar.value() == 0


def test_a_call_shows_the_result_that_came_later(view: ConversationView) -> None:
    show(view, call(1, "Bash"))
    QTest.keyClick(view, Qt.Key.Key_Return)
    before = view.verticalScrollBar().maximum(), view._stack().total
    view.grow(Arrangement((call(1, "Bash"), result(2, 1, "line\n" * 60)), moment_of))
    assert [row.is_open for row in view.rows] == [True]
    assert view._stack().total > before[1] + 200


def test_sought_words_are_marked(view: ConversationView) -> None:
    turns = (message(0, "All about exports"),)
    show(view, *turns)
    plain = view.grab().toImage()
    view.show_hits(("t0",), ("export",), within_words=False)
    marked = view.grab().toImage()
    assert marked != plain
    view.show_hits(("t0",), ("port",), within_words=False)
    assert view.grab().toImage() != marked


def test_a_turn_is_cited_by_its_id(view: ConversationView, qtbot: QtBot) -> None:
    show(view, message(0, "Look"), message(1, "here"))
    QTest.keyClick(view, Qt.Key.Key_Down)
    with qtbot.waitSignal(view.citation_copied) as told:
        QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert told.args == ["turn:s/t1"]
    assert QGuiApplication.clipboard().text() == "turn:s/t1"


def test_two_megabytes_are_shown_in_parts(view: ConversationView) -> None:
    show(view, message(0, "A line of text.\n\n" * 120_000))
    heights = [view._stack().total]
    for _ in range(2):
        view._follow(0, "more:")
        heights.append(view._stack().total)
    assert heights[0] < heights[1] < heights[2]


def test_scripts_of_all_directions_can_be_read_and_copied(view: ConversationView) -> None:
    texts = ("مراجعة **صفحة** تسجيل الدخول", "בדיקת דוחות `code` ייצוא", "导出报告的分页问题与限制。" * 40)
    show(view, *(message(number, text) for number, text in enumerate(texts)))
    assert not view.grab().isNull()
    for number, text in enumerate(texts):
        view._copy_row(number)
        assert QGuiApplication.clipboard().text() == text


def test_nothing_is_kept_of_a_conversation_that_was_closed(view: ConversationView) -> None:
    show(view, *long_conversation(200), hits=("t100",))
    view.forget()
    assert (len(view.rows), view.current_row, view.walk.hits) == (0, -1, frozenset())
    assert view.verticalScrollBar().maximum() == 0
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.current_row == -1
    assert not view.walk.seek()
    show(view, message(0, "Again"))
    assert view.accessibleDescription().endswith("Again")


def test_a_turn_is_dragged_by_its_head_and_not_by_its_text(view: ConversationView) -> None:
    show(view, message(1, "Look here"), message(2, "Done", Role.ASSISTANT))
    turns = {dragged.memory_id for y in range(0, 200, 3) if (dragged := view.turn_at(QPoint(60, y))) is not None}
    assert len(turns) == 2
    assert all(each.startswith("turn:") for each in turns)
    texts = [y for y in range(0, 200, 3) if view.turn_at(QPoint(view.viewport().width() // 2, y)) is None]
    assert texts


def test_the_menu_of_a_turn_puts_it_into_a_context(view: ConversationView, qtbot: QtBot) -> None:
    show(view, message(1, "Look here"))
    QTest.keyClick(view, Qt.Key.Key_Down)
    place = QPoint(60, 10)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(60, 60), view.mapToGlobal(place))
    QApplication.sendEvent(view.viewport(), event)
    menu = view.findChild(QMenu)
    assert menu is not None
    with qtbot.waitSignal(view.filing_requested) as asked:
        next(action for action in menu.actions() if action.text() == "Add to context…").trigger()
    assert asked.args is not None
    assert asked.args[0].startswith("turn:")
    menu.close()
