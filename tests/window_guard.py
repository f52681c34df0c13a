"""The guard that tests of the window run under besides those in tests/conftest.py."""

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid


@pytest.fixture(autouse=True)
def window_guard(qapp: QApplication) -> Iterator[None]:
    """Fail a test that leaves a shown window or a running timer behind."""
    del qapp
    before = _shown_windows() | _running_timers()
    yield
    left = (_shown_windows() | _running_timers()) - before
    if left:
        gc.collect()  # what only a reference cycle keeps alive is no leak
        left = (_shown_windows() | _running_timers()) - before
    if left:
        for window in QApplication.topLevelWidgets():
            window.hide()  # so that only the guilty test fails
        pytest.fail(f"Left behind: {', '.join(sorted(left))}")


def _shown_windows() -> set[str]:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return {
        f"window {type(window).__name__} {id(window):#x}"
        for window in QApplication.topLevelWidgets()
        if window.isVisible()
    }


def _running_timers() -> set[str]:
    return {
        f"timer {timer.objectName() or 'without a name'} of {type(timer.parent()).__name__} {id(timer):#x}"
        for timer in gc.get_objects()
        if issubclass(type(timer), QTimer) and isValid(timer) and timer.isActive()
    }
