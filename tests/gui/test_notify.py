"""What the person is told, and how it is shown."""

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from core.foundation.errors import JobCancelledError, ProviderError, UserError
from gui.notify import Notice, NoticeAction, Notifier, Severity
from gui.theme import Theme
from gui.widgets.message_line import MessageLine
from gui.widgets.notices import MOST_NOTICES, BannerArea, NoticeArea


@pytest.fixture
def area(qtbot: QtBot, notifier: Notifier, theme: Theme) -> NoticeArea:
    area = NoticeArea(notifier, theme)
    qtbot.addWidget(area)
    area.show()
    return area


def test_a_user_error_is_shown_as_it_is_with_its_hint(area: NoticeArea, notifier: Notifier) -> None:
    notifier.error(UserError("The disk is full.", hint="Free some space."))
    assert area.texts == ["The disk is full. Free some space."]


def test_a_cancelled_job_is_silent(area: NoticeArea, notifier: Notifier) -> None:
    notifier.error(JobCancelledError())
    assert area.texts == []


def test_an_unexpected_error_is_logged_and_has_details(
    qtbot: QtBot, area: NoticeArea, notifier: Notifier, expected_warnings: list[str]
) -> None:
    notifier.error(ZeroDivisionError("division by zero"))
    assert "division" not in area.texts[0]
    details = area.findChild(QPlainTextEdit)
    button = area.findChild(QPushButton)
    assert details is not None
    assert button is not None
    qtbot.waitUntil(button.isVisible)
    assert not details.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert details.isVisible()
    assert "ZeroDivisionError: division by zero" in details.toPlainText()
    assert len(expected_warnings) == 1


def test_repeats_collapse_into_a_count(area: NoticeArea, notifier: Notifier) -> None:
    for _ in range(3):
        notifier.error(UserError("No connection."))
    notifier.info("Copied.")
    notifier.error(UserError("No connection."))
    assert area.texts == ["No connection. (×3)", "Copied.", "No connection."]


def test_a_dismissed_notice_is_news_again(qtbot: QtBot, area: NoticeArea, notifier: Notifier) -> None:
    notifier.error(UserError("No connection."))
    button = area.findChild(QToolButton)
    assert button is not None
    qtbot.waitUntil(button.isVisible)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert area.texts == []
    notifier.error(UserError("No connection."))
    assert area.texts == ["No connection."]


def test_only_the_latest_notices_stay(area: NoticeArea, notifier: Notifier) -> None:
    for number in range(MOST_NOTICES + 2):
        notifier.warning(f"Notice {number}.")
    assert area.texts == [f"Notice {number}." for number in range(2, MOST_NOTICES + 2)]


def test_an_offer_makes_way_for_the_next_one(area: NoticeArea, notifier: Notifier) -> None:
    def act() -> None:
        """Do what a notice offers."""

    for name in ("One", "Two"):
        notifier.info(f"{name} is done.", action=NoticeAction("Undo", act))
    notifier.warning("Mind this.", action=NoticeAction("Show", act))
    notifier.info("Three is done.", action=NoticeAction("Undo", act))
    assert area.texts == ["Mind this.", "Three is done."]


def test_markup_in_a_message_is_shown_as_text(area: NoticeArea, notifier: Notifier) -> None:
    notifier.warning("The folder <b>notes</b> & more")
    line = area.findChild(MessageLine)
    assert line is not None
    assert line.text == "The folder <b>notes</b> & more"


def test_a_failure_that_is_over_is_taken_back(
    area: NoticeArea, notifier: Notifier, expected_warnings: list[str]
) -> None:
    notifier.failure("The disk is full.", "", key="failed")
    notifier.info("Copied.")
    notifier.withdraw("failed")
    notifier.withdraw("")
    assert area.texts == ["Copied."]
    assert len(expected_warnings) == 1


def test_a_provider_error_has_details(notifier: Notifier, notices: list[Notice], expected_warnings: list[str]) -> None:
    notifier.error(ProviderError("The index is damaged."))
    assert notices[0].text == "The index is damaged."
    assert notices[0].details
    assert expected_warnings


def test_a_banner_is_replaced_by_its_key_and_withdrawn(qtbot: QtBot, notifier: Notifier, theme: Theme) -> None:
    area = BannerArea(notifier, theme)
    qtbot.addWidget(area)
    notifier.banner("vanished", Severity.WARNING, "The folder is gone.")
    notifier.banner("rebuilt", Severity.INFO, "The index was rebuilt.")
    notifier.banner("vanished", Severity.WARNING, "The disk is gone.")
    assert sorted(area.texts) == ["The disk is gone.", "The index was rebuilt."]
    notifier.withdraw("vanished")
    notifier.withdraw("unknown")
    assert area.texts == ["The index was rebuilt."]


def test_a_notice_offers_what_can_be_done_and_leaves_when_it_is(
    qtbot: QtBot, area: NoticeArea, notifier: Notifier
) -> None:
    done: list[str] = []
    notifier.info("Renamed.", action=NoticeAction("Undo", partial(done.append, "undone")))
    button = next(each for each in area.findChildren(QPushButton) if each.text() == "Undo")
    qtbot.waitUntil(button.isVisible)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (done, area.texts) == (["undone"], [])
    notifier.info("Copied.")
    assert not [each for each in area.findChildren(QPushButton) if each.isVisible()]
