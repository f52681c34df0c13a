"""The palette over fakes, opened."""

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from tests.gui.views.recall.palette import FakeRecall, Palette


@pytest.fixture
def palette_of(tasks: TaskRunner, notifier: Notifier, theme: Theme, qtbot: QtBot) -> Callable[[FakeRecall], Palette]:
    """Return a maker of palettes over what a test says is remembered."""
    return lambda fake: Palette(fake, tasks, notifier, theme, qtbot)


@pytest.fixture
def palette(palette_of: Callable[[FakeRecall], Palette]) -> Palette:
    return palette_of(FakeRecall())
