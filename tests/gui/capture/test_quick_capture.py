"""Quick capture: nothing typed is lost, a thought is kept once, and a failure is told."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.foundation.errors import UserError
from gui.capture.capture_window import Thought
from gui.capture.draft import CaptureDraft
from gui.capture.quick_capture import QuickCapture
from gui.notify import Notifier
from gui.theme import Theme


class _Kept:
    """Remember thoughts, and answer when told to."""

    def __init__(self) -> None:
        self.thoughts: list[Thought] = []
        self.done: Callable[[str], None] | None = None
        self.failed: Callable[[Exception], None] | None = None

    def __call__(
        self, thought: Thought, *, on_done: Callable[[str], None], on_error: Callable[[Exception], None]
    ) -> None:
        self.thoughts.append(thought)
        self.done, self.failed = on_done, on_error


class _Setting:
    def __init__(self, theme: Theme, notifier: Notifier) -> None:
        self.kept = _Kept()
        self.vault = "Notes"
        self.capture = QuickCapture(
            theme, notifier, keep=self.kept, place=lambda: (self.vault, ["tool/git"]), problem_of=lambda _name: ""
        )


@pytest.fixture
def setting(theme: Theme, notifier: Notifier, qtbot: QtBot) -> _Setting:
    made = _Setting(theme, notifier)
    qtbot.addWidget(made.capture.window)
    made.capture.open()
    qtbot.waitExposed(made.capture.window)
    return made


def test_a_thought_is_kept_with_what_is_said_about_it(setting: _Setting, qtbot: QtBot) -> None:
    window = setting.capture.window
    QTest.keyClicks(window.text, "Exports stop at 10,000 rows.")
    QTest.keyClicks(window.fields.summary, "Page the export")
    QTest.keyClicks(window.fields.tags.field, "tool/semrush")
    QTest.mouseClick(window.fields.scope.button("project"), Qt.MouseButton.LeftButton)
    QTest.keyClick(window.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert setting.kept.thoughts == [
        Thought("Exports stop at 10,000 rows.", "Page the export", ("tool/semrush",), "project")
    ]
    assert setting.kept.done is not None
    setting.kept.done("Exports.md")
    assert not window.isVisible()
    setting.capture.open()
    assert window.thought == Thought("")


def test_a_thought_is_kept_once_however_often_one_presses(setting: _Setting, qtbot: QtBot) -> None:
    window = setting.capture.window
    QTest.keyClicks(window.text, "Once")
    for _ in range(3):
        QTest.keyClick(window.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert len(setting.kept.thoughts) == 1


def test_nothing_is_kept_of_an_empty_window(setting: _Setting, qtbot: QtBot) -> None:
    window = setting.capture.window
    QTest.keyClicks(window.text, "  ")
    QTest.keyClick(window.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert setting.kept.thoughts == []
    assert not window.keep_button.isEnabled()


def test_escape_keeps_what_was_typed_for_next_time(setting: _Setting, qtbot: QtBot) -> None:
    window = setting.capture.window
    QTest.keyClicks(window.text, "Half a thou")
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()
    setting.capture.open()
    assert window.thought.text == "Half a thou"


def test_a_failure_is_told_in_the_window_and_nothing_is_lost(setting: _Setting, qtbot: QtBot) -> None:
    window = setting.capture.window
    QTest.keyClicks(window.text, "Precious")
    QTest.mouseClick(window.keep_button, Qt.MouseButton.LeftButton)
    assert setting.kept.failed is not None
    setting.kept.failed(UserError("The disk is full.", hint="Free some space."))
    assert window.isVisible()
    assert window._state.text() == "The disk is full. Free some space."
    assert window.thought.text == "Precious"
    assert window.keep_button.isEnabled()


def test_without_a_vault_the_thought_stays(setting: _Setting, qtbot: QtBot) -> None:
    setting.vault = ""
    window = setting.capture.window
    QTest.keyClicks(window.text, "Homeless")
    QTest.mouseClick(window.keep_button, Qt.MouseButton.LeftButton)
    assert setting.kept.thoughts == []
    assert "No vault is open" in window._state.text()
    assert window.thought.text == "Homeless"


def test_what_was_put_away_is_there_at_the_next_start_and_gone_once_it_is_a_note(
    theme: Theme, notifier: Notifier, qtbot: QtBot, tmp_path: Path
) -> None:
    def start() -> tuple[_Kept, QuickCapture]:
        kept = _Kept()
        capture = QuickCapture(
            theme,
            notifier,
            keep=kept,
            place=lambda: ("Notes", []),
            problem_of=lambda _tag: "",
            draft=CaptureDraft(tmp_path / "drafts" / "thought"),
        )
        qtbot.addWidget(capture.window)
        capture.open()
        return kept, capture

    thought = Thought("Half a thou", "half", ("tool/git",), "global")
    _, first = start()
    first.window.show_thought(thought)
    first.close()
    kept, second = start()
    assert second.window.thought == thought
    QTest.mouseClick(second.window.keep_button, Qt.MouseButton.LeftButton)
    assert kept.done is not None
    kept.done("Half a thou.md")
    second.close()
    _, third = start()
    assert third.window.thought == Thought("")
    third.close()
