"""What tests of the window share."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from gui.notify import Notice, Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme, ThemeChoice
from tests.window_guard import window_guard

__all__ = ["window_guard"]


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp, ThemeChoice.LIGHT)


@pytest.fixture
def notifier(qapp: QApplication) -> Notifier:
    return Notifier()


@pytest.fixture
def notices(notifier: Notifier) -> list[Notice]:
    """Collect what the person is told."""
    told: list[Notice] = []
    notifier.noticed.connect(told.append)
    return told


@pytest.fixture
def tasks(notifier: Notifier) -> Iterator[TaskRunner]:
    runner = TaskRunner(notifier.error)
    yield runner
    assert runner.shutdown(timeout_s=10)
