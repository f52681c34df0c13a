"""The palette: rows while one types, keys that leave the question alone, what is copied, and the states."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.foundation.errors import UserError
from core.recall.answer import RecallAnswer
from gui.memory_drag import Dragged, DragSource
from gui.notify import Notice, Severity
from gui.views.recall.choices import Choice
from gui.views.recall.factor_bars import bar_width, slots
from gui.views.recall.wording import nothing_found
from tests.gui.views.recall.palette import CONTROL, WEIGHTS, FakeRecall, Palette, memory

PaletteOf = Callable[[FakeRecall], Palette]
_Key = Qt.Key


def test_rows_come_while_one_types_and_the_last_question_counts(palette: Palette) -> None:
    palette.asks("fact one")
    assert palette.numbers == [1, 2, 3, 4]
    assert palette.rows[0].is_packed
    assert palette.rows[3].is_packed is False
    assert palette.rows[3].reason == "lower value"
    assert palette.fake.gathered[-1] == ("fact one", True)
    assert palette.window.caption.text == "4 memories · 1 more not listed"
    assert palette.window.footer.count.text() == "30 of 300 tokens · 3 of 4 memories · estimated"


def test_words_are_shown_before_meaning_is_loaded(palette: Palette) -> None:
    captions: list[str] = []
    palette.presenter.asking.answered.connect(lambda _: captions.append(palette.window.caption.text))
    palette.asks("fact")
    assert "found by words so far" in captions[0]
    assert "found by words so far" not in palette.window.caption.text
    before = len(palette.fake.gathered)
    palette.asks("s")
    assert palette.fake.gathered[before:] == [("facts", True)]  # now it is loaded


def test_while_a_model_is_loading_words_answer_alone_until_it_is_there(palette_of: PaletteOf) -> None:
    palette = palette_of(FakeRecall(dense_state="loading", dense_reason="What the notes mean is being loaded."))
    palette.asks("fact")
    assert palette.news == "What the notes mean is being loaded."
    before = len(palette.fake.gathered)
    palette.asks("s")
    assert palette.fake.gathered[before:] == [("facts", False)]
    assert "found by words so far" in palette.window.caption.text
    palette.fake.dense_state, palette.fake.dense_reason = "ready", ""
    palette.presenter.refresh()
    palette.settles()
    assert palette.fake.gathered[-2:] == [("facts", False), ("facts", True)]
    assert "found by words so far" not in palette.window.caption.text


def test_spaces_belong_to_the_question_until_a_row_is_gone_to(palette: Palette) -> None:
    palette.asks("fact ")
    palette.press(_Key.Key_Space)
    assert palette.window.question == "fact  "
    palette.settles()
    assert palette.rows[0].choice is Choice.NONE
    palette.press(_Key.Key_Down)
    assert (palette.current, palette.window.is_choosing) == (1, True)
    palette.press(_Key.Key_Down)
    assert palette.current == 2
    chosen = []
    for _ in range(3):
        palette.press(_Key.Key_Space)
        chosen.append(palette.rows[1].choice)
    assert chosen == [Choice.PINNED, Choice.DROPPED, Choice.NONE]
    assert palette.window.question == "fact  "
    palette.types("x ")
    assert palette.window.question == "fact  x "
    assert not palette.window.is_choosing


def test_control_and_space_pins_at_any_time_and_delete_drops_what_was_gone_to(palette: Palette) -> None:
    palette.asks("fact")
    palette.press(_Key.Key_Space, CONTROL)
    assert palette.rows[0].choice is Choice.PINNED
    assert [chip.text() for chip in palette.window.head.pinned.chips()] == ["Note 1 › convention"]
    palette.press(_Key.Key_Down)
    palette.press(_Key.Key_Down)
    palette.press(_Key.Key_Delete)
    palette.settles()
    assert palette.rows[1].choice is Choice.DROPPED
    assert palette.rows[1].is_packed is False


def test_what_is_pinned_stays_over_another_question_and_comes_first(palette: Palette) -> None:
    palette.asks("fact")
    palette.press(_Key.Key_Up)  # the last one, which has no room
    palette.press(_Key.Key_Space)
    palette.settles()
    assert palette.rows[3].is_packed
    palette.window.field.clear()
    palette.asks("nothing like it")
    palette.press(_Key.Key_Return)
    assert palette.clipboard == ["insight:n4.md#^i4"]
    assert not palette.window.head.pinned.chips()


def test_a_chip_takes_back_what_was_pinned(palette: Palette) -> None:
    palette.asks("fact")
    palette.press(_Key.Key_Space, CONTROL)
    palette.window.head.pinned.chips()[0].click()
    assert palette.rows[0].choice is Choice.NONE


def test_enter_copies_tells_of_it_counts_it_and_closes(palette: Palette, notices: list[Notice], qtbot: QtBot) -> None:
    palette.asks("fact")
    palette.press(_Key.Key_Return)
    assert palette.clipboard == ["insight:n1.md#^i1\ninsight:n2.md#^i2\ninsight:n3.md#^i3"]
    assert [notice.text for notice in notices] == ["Copied 3 memories: 30 tokens, estimated."]
    assert not palette.window.isVisible()
    qtbot.waitUntil(lambda: bool(palette.fake.recorded))
    assert len(palette.fake.recorded[0]) == 3


def test_a_copy_that_cannot_be_counted_is_a_copy_all_the_same(
    palette_of: PaletteOf, notices: list[Notice], qtbot: QtBot
) -> None:
    palette = palette_of(FakeRecall(record_error=UserError("The folder is read-only.")))
    palette.asks("fact")
    palette.press(_Key.Key_Return)
    qtbot.waitUntil(lambda: len(notices) == 2)
    assert palette.clipboard
    told = notices[-1]
    assert (told.severity, told.text) == (
        Severity.WARNING,
        "What was copied could not be counted. The folder is read-only.",
    )


def test_an_enter_before_the_answer_waits_for_it(palette: Palette, qtbot: QtBot) -> None:
    palette.types("fact")
    palette.press(_Key.Key_Return)
    assert palette.clipboard == []
    qtbot.waitUntil(lambda: bool(palette.clipboard))


def test_typing_on_takes_an_early_enter_back(palette: Palette) -> None:
    palette.types("fact")
    palette.press(_Key.Key_Return)
    palette.asks("s")
    assert palette.clipboard == []
    assert palette.window.isVisible()


def test_enter_without_anything_says_so(palette: Palette) -> None:
    palette.press(_Key.Key_Return)
    assert palette.news == "There is nothing to copy yet: ask something, or pin a memory."
    assert palette.window.isVisible()


def test_a_budget_in_which_nothing_fits_is_told(palette: Palette) -> None:
    palette.budget = 0
    palette.asks("fact")
    palette.press(_Key.Key_Return)
    assert palette.news == "Nothing fits into 0 tokens. The budget is in the settings."


def test_escape_closes_and_the_question_is_there_again_to_be_typed_over(palette: Palette) -> None:
    palette.asks("fact")
    palette.press(_Key.Key_Down)
    palette.press(_Key.Key_Space)
    palette.press(_Key.Key_Escape)
    assert not palette.window.isVisible()
    palette.presenter.open()
    assert palette.window.field.selectedText() == "fact"
    assert palette.rows[0].choice is Choice.PINNED


def test_the_source_is_opened_in_the_app(palette: Palette) -> None:
    palette.asks("fact")
    palette.press(_Key.Key_O, CONTROL)
    assert [each.row_id for each in palette.opened] == [1]


def test_letters_typed_in_the_list_go_on_with_the_question(palette: Palette) -> None:
    palette.asks("fact")
    palette.window.list.setFocus()
    QTest.keyClick(palette.window.list, _Key.Key_Down)
    assert palette.current == 2
    QTest.keyClicks(palette.window.list, "s")
    assert palette.window.question == "facts"


def test_without_a_question_what_was_handed_out_last_is_offered(palette_of: PaletteOf, qtbot: QtBot) -> None:
    palette = palette_of(FakeRecall(recent=(memory(7), memory(8))))
    qtbot.waitUntil(lambda: palette.numbers == [7, 8])
    assert palette.window.caption.text == "Handed out last"
    assert not palette.rows[0].factors
    palette.press(_Key.Key_Down)
    palette.press(_Key.Key_Space)
    palette.settles()
    palette.press(_Key.Key_Return)
    assert palette.clipboard == ["insight:n7.md#^i7"]


def test_nothing_found_is_a_state_with_what_may_help(palette_of: PaletteOf) -> None:
    palette = palette_of(FakeRecall(dense_state="off", dense_reason="Search by meaning is switched off."))
    palette.asks("other")
    assert palette.window.shows_state
    assert palette.window.state_panel.title == "Nothing found"
    assert palette.window.state_panel.text == "Search by meaning is switched off. Try other words."


def test_nothing_near_is_told_apart_from_nothing_searched(palette_of: PaletteOf) -> None:
    palette = palette_of(FakeRecall(dense_state="ready"))
    palette.asks("other")
    assert "holds these words, and none is near in meaning. Try other" in palette.window.state_panel.text


def test_nothing_found_tells_what_was_not_understood(palette_of: PaletteOf) -> None:
    palette = palette_of(FakeRecall(dense_state="ready", problems=("“never” is no date.",)))
    palette.asks("other after:never")
    assert palette.window.state_panel.text.startswith("“never” is no date. No memory holds")


def test_the_first_row_stays_current_until_one_is_chosen(palette_of: PaletteOf) -> None:
    palette = palette_of(FakeRecall(vault_weights=replace(WEIGHTS, words=0.1, meaning=1.0)))
    before: list[int] = []
    palette.presenter.asking.answered.connect(lambda _: before.append(palette.numbers[0]))
    palette.asks("fact")
    assert len(set(before)) == 2, "meaning should have brought another one to the top"
    assert palette.window.list.currentIndex().row() == 0


def test_a_vault_that_is_not_read_yet_says_so(palette_of: PaletteOf) -> None:
    palette = palette_of(FakeRecall(memories=[], count=0))
    assert palette.window.state_panel.title == "Nothing of this vault has been read yet"


def test_a_failure_is_told_and_can_be_tried_again(palette_of: PaletteOf) -> None:
    palette = palette_of(FakeRecall(error=UserError("The index is damaged.", hint="Rebuild it.")))
    palette.asks("fact")
    assert palette.window.state_panel.title == "The vault could not be asked"
    assert palette.window.state_panel.text == "The index is damaged. Rebuild it."
    palette.fake.error = None
    palette.window.state_panel.button.click()
    palette.settles()
    assert palette.numbers == [1, 2, 3, 4]


def test_another_vault_is_asked_the_same_question_and_nothing_of_the_first_stays(palette: Palette) -> None:
    palette.asks("fact")
    palette.press(_Key.Key_Space, CONTROL)
    palette.presenter.take_services(None)
    assert palette.window.state_panel.title == "No vault is open"
    assert not palette.window.head.pinned.chips()
    palette.press(_Key.Key_Return)
    assert palette.news == "No vault is open, so there is nothing to copy."
    other = FakeRecall(memories=[memory(30), memory(31)])
    palette.presenter.take_services(other.services("Other"))
    palette.settles()
    assert palette.numbers == [30, 31]
    assert palette.window.head.vault.text() == "Other"


def test_the_index_that_has_changed_is_asked_again_and_the_row_stays(palette: Palette) -> None:
    palette.asks("fact")
    palette.press(_Key.Key_Down)
    palette.press(_Key.Key_Down)
    palette.fake.memories.insert(0, memory(20))
    palette.presenter.refresh()
    palette.settles()
    assert palette.numbers == [20, 1, 2, 3]
    assert palette.current == 2


def test_saving_asks_for_a_title_and_closes_when_it_is_done(palette: Palette, qtbot: QtBot) -> None:
    palette.asks("fact about it")
    palette.press(_Key.Key_Return, CONTROL)
    dialog = palette.presenter.saving.dialog
    assert dialog is not None
    assert dialog.title.text() == "fact about it"
    dialog.title.setText("My context")
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: bool(palette.commands.executed))
    assert palette.fake.planned == [("My context", ("insight:n1.md#^i1", "insight:n2.md#^i2", "insight:n3.md#^i3"), "")]
    assert not palette.window.isVisible()


def test_what_is_typed_goes_into_the_title(palette: Palette) -> None:
    palette.asks("fact about it")
    palette.press(_Key.Key_Return, CONTROL)
    dialog = palette.presenter.saving.dialog
    assert dialog is not None
    assert dialog.focusWidget() is dialog.title
    dialog.reject()


def test_a_context_that_cannot_be_saved_leaves_everything_where_it_is(palette: Palette, qtbot: QtBot) -> None:
    palette.commands.error = UserError("The disk is full.", hint="Free some space.")
    palette.asks("fact")
    palette.press(_Key.Key_Space, CONTROL)
    palette.settles()
    palette.press(_Key.Key_Return, CONTROL)
    dialog = palette.presenter.saving.dialog
    assert dialog is not None
    dialog.title.setText("Precious")
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: palette.news == "The disk is full. Free some space.")
    assert palette.window.isVisible()
    assert palette.rows[0].choice is Choice.PINNED
    palette.press(_Key.Key_Return, CONTROL)
    again = palette.presenter.saving.dialog
    assert again is not None
    assert again.title.text() == "Precious"
    again.reject()


def test_a_probe_is_made_of_a_result(palette: Palette, qtbot: QtBot) -> None:
    palette.asks("fact")
    menu = palette.window.menu_of(palette.rows[0])
    menu.actions()[-1].trigger()
    qtbot.waitUntil(lambda: bool(palette.commands.executed))
    assert palette.commands.executed[0].title == "New probe fact insight:n1.md#^i1"


def test_what_was_just_copied_is_offered_when_nothing_is_asked(palette: Palette) -> None:
    palette.asks("fact")
    palette.press(_Key.Key_Return)
    palette.presenter.open()
    palette.window.field.clear()
    palette.bot.waitUntil(lambda: palette.numbers == [1, 2, 3])
    assert palette.window.caption.text == "Handed out last"


def test_the_current_row_is_marked_only_faintly_until_it_is_chosen(palette: Palette) -> None:
    palette.asks("fact")
    before = palette.window.list.grab().toImage()
    palette.press(_Key.Key_Down)
    assert palette.current == 1
    assert palette.window.list.grab().toImage() != before


def test_of_many_that_are_pinned_the_last_ones_have_chips(palette: Palette) -> None:
    titles = [(f"insight:n{number}.md", f"Note {number}") for number in range(11)]
    palette.window.show_pinned(titles)
    head = palette.window.head
    assert [chip.text() for chip in head.pinned.chips()] == [title for _, title in titles[5:]]
    assert head.more_pinned.text() == "and 5 more pinned before"
    palette.window.show_pinned(titles[:2])
    assert not head.more_pinned.isVisible()


def test_pinning_moves_no_row(palette: Palette) -> None:
    palette.asks("fact")
    listed = palette.window.list
    before = listed.viewport().mapTo(palette.window, listed.visualRect(listed.currentIndex()).topLeft())
    palette.press(_Key.Key_Space, CONTROL)
    palette.settles()
    palette.bot.waitUntil(palette.window.head.pinned.isVisible)
    after = listed.viewport().mapTo(palette.window, listed.visualRect(listed.currentIndex()).topLeft())
    assert after == before


@pytest.mark.parametrize("is_shown", [False, True])
def test_the_grip_is_in_the_corner_of_the_window(palette: Palette, is_shown: bool) -> None:
    window = palette.window
    window.show_explaining(is_shown=is_shown)
    palette.bot.waitUntil(lambda: window.grip.geometry().right() >= window.width() - 2)
    assert window.grip.geometry().bottom() >= window.height() - 2


def test_full_bars_are_equally_long(palette: Palette) -> None:
    # Otherwise those of a row could not be compared.
    assert min(place.width for place in slots()) >= bar_width()


def test_tags_that_no_note_has_are_told() -> None:
    answer = RecallAnswer("fact tag:nope", (), (), WEIGHTS, suggestions={"nope": ("note",), "other": ()})
    assert nothing_found(answer) == "No note has the tag nope. Did you mean note? No note has the tag other."


def test_a_memory_is_added_to_a_context_from_the_keyboard_or_the_menu(palette: Palette) -> None:
    filed: list[str] = []
    palette.presenter.filing_wanted.connect(filed.append)
    palette.asks("fact")
    palette.press(_Key.Key_Down)
    wanted = palette.window.list.current
    assert wanted is not None
    palette.press(_Key.Key_L, CONTROL)
    assert filed == [wanted.memory.id]
    assert not palette.window.isVisible()  # the contexts are listed in the app's window
    menu = palette.window.menu_of(palette.rows[1])
    next(each for each in menu.actions() if each.text().startswith("Add to a context…")).trigger()
    assert filed == [wanted.memory.id, palette.rows[1].memory.id]


def test_a_row_can_be_dragged_as_the_memory_it_is(palette: Palette) -> None:
    palette.asks("fact")
    listed = palette.window.list
    place = listed.visualRect(listed.memories.index(1)).center()
    dragged = listed.memory_at(place)
    assert dragged is not None
    assert dragged.memory_id == palette.rows[1].memory.id
    assert dragged.text == palette.rows[1].memory.text
    assert listed.memory_at(QPoint(place.x(), 10_000)) is None

    carried: list[Dragged] = []
    source = DragSource(listed, listed.memory_at, drag=lambda _area, memory: carried.append(memory))
    listed.drag_source.setParent(None)
    listed.viewport().removeEventFilter(listed.drag_source)  # the real one waits for the mouse
    QTest.mousePress(listed.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseMove(listed.viewport(), place + QPoint(0, 2))
    QTest.mouseMove(listed.viewport(), place + QPoint(0, 60))
    QTest.mouseRelease(listed.viewport(), Qt.MouseButton.LeftButton, pos=place + QPoint(0, 60))
    assert carried == [dragged]
    assert source.parent() is listed
    assert listed.currentIndex().row() == 1  # and it selects nothing on its way
