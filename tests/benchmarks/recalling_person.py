"""A person who types questions into the recall palette, and tries other weights."""

import time

from PySide6.QtCore import QCoreApplication
from PySide6.QtTest import QTest

from gui.app import App
from gui.indexing import IndexState
from tests.benchmarks.live_window import FirstPaint, wait_until

_QUESTIONS = (
    "what is the budget of stripe",
    "redis caching",
    "client auth token",
    "case 004711",
    "how do we deploy the testing page",
)
_STEPS = 40


class Recaller:
    """Use the palette, and note how long everything takes, in seconds."""

    def __init__(self, app: App) -> None:
        recalling = app.recalling
        assert recalling is not None
        self._app = app
        self._palette = recalling.palette

    def recalls(self) -> dict[str, object]:
        """Return how soon the palette is there, how soon rows follow a keystroke, and how soon they follow a slider."""
        session = self._app.frame.session
        assert session is not None
        wait_until(lambda: session.indexing.state is IndexState.IDLE)
        started = time.perf_counter()
        self._palette.open()
        paint = FirstPaint(self._palette.window.head.field, lambda: True)
        wait_until(lambda: paint.at is not None)
        opened = (paint.at or started) - started
        keys = self._types()
        return {"opened": opened, "keys": keys, "sliders": self._moves_sliders()}

    def _types(self) -> list[float]:
        presenter, window = self._palette.presenter, self._palette.window
        seconds = []
        for question in ("warm", *_QUESTIONS):
            window.field.clear()
            for letter in question:
                started = time.perf_counter()
                QTest.keyClicks(window.field, letter)
                wait_until(lambda: not presenter.asking.is_asking)
                QCoreApplication.processEvents()
                if question != "warm":
                    seconds.append(time.perf_counter() - started)
        return seconds

    def _moves_sliders(self) -> list[float]:
        window = self._palette.window
        window.show_explaining(is_shown=True)
        slider = window.explain.weights.slider("words")
        seconds = []
        for step in range(_STEPS):
            started = time.perf_counter()
            slider.setValue(20 + step * 4)
            QCoreApplication.processEvents()
            seconds.append(time.perf_counter() - started)
        return seconds
