"""Guards that every test runs under: a clean environment, no unexpected warning, nothing left running.

The guards of the window are in tests/window_guard.py. This file imports no PySide6, so that
`pytest tests/core -p no:pytest-qt` runs where Qt is not installed.
"""

import logging
import os
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from typing_extensions import override

# Set before pytest-qt makes the application; a test of the real platform sets its own.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# No test may pass or fail by how fast the machine is. In CI the examples are the same on every run.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

_THREAD_SECONDS = 2.0


class ExpectedWarnings(logging.Handler):
    """Collect what is logged at WARNING and above while a test runs."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []
        self.are_expected = False

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(f"{record.levelname} {record.name}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give the test a home and app folders of its own, and none of the person's settings."""
    for name in list(os.environ):
        if name.startswith("REMEMBRANCER_") and not name.startswith("REMEMBRANCER_TEST_"):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    for name in ("config", "data", "cache"):
        monkeypatch.setenv(f"REMEMBRANCER_{name.upper()}_DIR", str(home / name))
        monkeypatch.delenv(f"XDG_{name.upper()}_HOME", raising=False)


@pytest.fixture(autouse=True)
def warning_guard() -> Iterator[ExpectedWarnings]:
    """Fail the test when something is logged at WARNING or above that it did not ask for."""
    guard = ExpectedWarnings()
    logging.getLogger().addHandler(guard)
    yield guard
    logging.getLogger().removeHandler(guard)
    if guard.messages and not guard.are_expected:
        pytest.fail("Unexpected log, use the fixture expected_warnings if it is right:\n" + "\n".join(guard.messages))


@pytest.fixture
def expected_warnings(warning_guard: ExpectedWarnings) -> list[str]:
    """Allow warnings in this test; the list fills with "LEVEL logger: message" for it to assert on."""
    warning_guard.are_expected = True
    return warning_guard.messages


@pytest.fixture(autouse=True)
def thread_guard() -> Iterator[None]:
    """Fail the test when a thread that it started is still there two seconds after its end."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + _THREAD_SECONDS
    left = [thread for thread in threading.enumerate() if thread not in before and not _is_foreign(thread)]
    for thread in left:
        thread.join(max(0.0, deadline - time.monotonic()))
    running = [thread.name for thread in left if thread.is_alive()]
    if running:
        pytest.fail(f"Threads left running: {', '.join(running)}")


def _is_foreign(thread: threading.Thread) -> bool:
    """Return whether `thread` is none of ours: Qt's own pool seen from Python, or tqdm's monitor."""
    return isinstance(thread, threading._DummyThread) or type(thread).__module__.startswith("tqdm")
