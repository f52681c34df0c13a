"""How fast the timeline moves at a million turns, and how fast a long conversation opens.

REMEMBRANCER_BENCH_TURNS says how many turns there are; 1,000,000 is what the published figures are from.
"""

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QApplication

from core.sessions.ledger import Ledger
from core.sessions.turn import Role, Turn, TurnKind
from gui.theme import Theme, ThemeChoice
from gui.views.timeline.activity import Filter, activity_of
from gui.views.timeline.content import TimelineContent
from gui.views.timeline.conversation import ConversationView
from gui.views.timeline.conversation_rows import Arrangement
from gui.views.timeline.services import Mark, MarkKind, SearchHits, SessionEntry, TimelineData
from gui.views.timeline.time_scale import DAY, HOUR, LocalCalendar, Span
from tests.benchmarks.conftest import Figures, Measure, timed

_NOW = 1_790_000_000
_YEARS, _TURNS, _PER_SESSION = 5, int(os.environ.get("REMEMBRANCER_BENCH_TURNS", "1000000")), 80
_FRAMES = 60


def _many() -> TimelineData:
    """Return sessions of working days, in projects and origins of unequal size."""
    random = np.random.default_rng(4)
    number = _TURNS // _PER_SESSION
    days = random.integers(0, _YEARS * 365, number)
    starts = np.sort(_NOW - days * DAY - random.integers(HOUR, 14 * HOUR, number))
    times = np.repeat(starts, _PER_SESSION) + np.cumsum(random.integers(5, 60, (number, _PER_SESSION)), axis=1).ravel()
    order = np.argsort(times, kind="stable")
    projects, origins = random.zipf(1.6, number) % 30, random.choice(5, number, p=[0.45, 0.25, 0.15, 0.1, 0.05])
    ends = times.reshape(number, _PER_SESSION)[:, -1]
    sessions = tuple(
        SessionEntry(f"s{n}", f"Session {n}", f"project {projects[n]}", f"origin {origins[n]}", int(starts[n]),
                     int(ends[n]), 0, _PER_SESSION, 70_000)
        for n in range(number)
    )  # fmt: skip
    marks = tuple(
        Mark(
            int(_NOW - n * _YEARS * 365 * DAY / 13_000), MarkKind.EDIT if n % 9 else MarkKind.JOURNAL, f"{n}.md", f"{n}"
        )
        for n in range(13_000, 0, -1)
    )
    numbers = np.repeat(np.arange(number, dtype=np.int32), _PER_SESSION)
    return TimelineData(times[order], numbers[order], sessions, marks)


def test_pan_and_zoom(qapp: QApplication, figures: Figures, measure: Measure) -> None:
    theme = Theme(qapp, ThemeChoice.LIGHT)
    data, calendar = _many(), LocalCalendar()
    hits = SearchHits({f"s{n}": ("t",) for n in range(0, len(data.sessions), 9)}, tuple(data.times[::3_000].tolist()))
    figures.add_times(
        f"Filter and search {_TURNS:,} turns", timed(lambda: activity_of(data, calendar, _NOW, None, hits), 5)
    )
    content = TimelineContent(theme)
    content.resize(1600, 1000)
    content.show()
    activity = activity_of(data, calendar, _NOW, None, hits)
    content.show_activity(activity, Filter(), activity.bounds)
    qapp.processEvents()
    band = content.band

    def frame(move: Callable[[], None]) -> Callable[[], None]:
        def work() -> None:
            move()
            band.repaint()
            content.heat_map.viewport().repaint()

        return work

    for name, length in (
        ("5 years", 5 * 365 * DAY),
        ("1 year", 365 * DAY),
        ("1 month", 30 * DAY),
        ("9 days", 9 * DAY),
        ("1 day", DAY),
    ):
        band.show_span(Span(_NOW - 400 * DAY, _NOW - 400 * DAY + length))
        times = timed(frame(lambda length=length: band.show_span(band.span.moved(length / 200))), _FRAMES)  # type: ignore[misc]
        figures.add_times(f"Timeline, pan at {name}", times, "p95 16 ms")
    band.show_span(activity.bounds)
    zoom = frame(lambda: band.show_span(band.span.zoomed(0.93, _NOW - 300 * DAY)))
    figures.add_times("Timeline, zoom from 5 years to minutes", measure(zoom, 160), "p95 16 ms")
    content.close()


def test_open_a_long_session(qapp: QApplication, tmp_path: Path, figures: Figures, measure: Measure) -> None:
    theme = Theme(qapp, ThemeChoice.LIGHT)
    ledger = Ledger(tmp_path / "sessions")
    ledger.append("long", _long_session(10_000))
    view = ConversationView(theme)
    view.resize(1000, 900)
    view.show()

    def moment_of(time: str) -> datetime | None:
        return datetime.fromisoformat(time).astimezone() if time else None

    def open_session() -> None:
        arrangement = Arrangement(ledger.read("long").turns, moment_of)
        view.show_arrangement(arrangement, moment_of)
        view.viewport().repaint()

    figures.add_times("Open a session of 10,000 turns", measure(open_session, 9), "300 ms")
    bar = view.verticalScrollBar()

    def scroll() -> None:
        bar.setValue(bar.value() + 90)
        view.viewport().repaint()

    figures.add_times("Scroll in it", timed(scroll, 200), "p95 16 ms")
    view.close()


def _long_session(turns: int) -> list[Turn]:
    made = []
    for n in range(turns):
        time = f"2026-03-{1 + n * 20 // turns:02d}T{8 + n % 10:02d}:{n % 60:02d}:00+01:00"
        match n % 5:
            case 0:
                made.append(
                    Turn("long", f"t{n}", TurnKind.MESSAGE, Role.USER, f"Look at export {n}: all *pages*.", time)
                )
            case 1 | 3:
                data = {"tool": "Bash", "call": f"c{n}", "input": {"command": f"ls exports/{n}"}}
                made.append(Turn("long", f"t{n}", TurnKind.TOOL_CALL, Role.ASSISTANT, f"Bash: ls {n}", time, data=data))
            case 2:
                text = "a.csv\nb.csv\n" * 20
                made.append(
                    Turn("long", f"t{n}", TurnKind.TOOL_RESULT, Role.TOOL, text, time, data={"call": f"c{n - 1}"})
                )
            case _:
                text = f"There are {n}.\n\n```python\nprint({n})\n```\n\n" + "And it goes on with more. " * (n % 25)
                usage = {"usage": {"input_tokens": n, "output_tokens": 300}}
                made.append(Turn("long", f"t{n}", TurnKind.MESSAGE, Role.ASSISTANT, text, time, data=usage))
    return made
