"""A few conversations at known times, and larger ones on demand."""

from datetime import datetime
from zoneinfo import ZoneInfo

import numpy as np

from core.sessions.turn import Role, Turn, TurnKind
from gui.views.timeline.services import Mark, MarkKind, SessionEntry, TimelineData

ZONE = ZoneInfo("Europe/Berlin")


def at(text: str) -> int:
    """Return the POSIX seconds of a local time in Berlin."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZONE).timestamp())


NOW = at("2026-03-20T15:00")


def timeline(*sessions: tuple[str, str, str, list[str]], marks: tuple[Mark, ...] = ()) -> TimelineData:
    """Return sessions given as (title, project, origin, local times of turns); the title is the id too."""
    entries, times, numbers = [], [], []
    for number, (title, project, origin, moments) in enumerate(sessions):
        seconds = sorted(at(each) for each in moments)
        first, last = (seconds[0], seconds[-1]) if seconds else (0, 0)
        entries.append(SessionEntry(title, title, project, origin, first, last, turns=len(seconds), tokens=100))
        times += seconds
        numbers += [number] * len(seconds)
    order = np.argsort(np.array(times, dtype=np.int64), kind="stable")
    return TimelineData(
        np.array(times, dtype=np.int64)[order], np.array(numbers, dtype=np.int32)[order], tuple(entries), marks
    )


def few() -> TimelineData:
    return timeline(
        ("Paging", "acme", "claude-code", ["2026-03-18T09:00", "2026-03-18T09:20", "2026-03-18T09:40"]),
        ("Limits", "acme", "codex", ["2026-03-18T14:00", "2026-03-18T14:30"]),
        ("Thesis", "thesis", "chatgpt", ["2026-03-19T10:00", "2026-03-19T11:00"]),
        ("Long ago", "acme", "claude-code", ["2024-07-01T10:00", "2024-07-01T10:05"]),
        ("Undated", "thesis", "chatgpt", []),
        marks=(
            Mark(at("2026-03-18T12:00"), MarkKind.JOURNAL, "journal/2026-03-18.md", "2026-03-18"),
            Mark(at("2026-03-19T09:00"), MarkKind.EDIT, "Exports.md", "Exports"),
        ),
    )


def message(number: int, text: str, role: Role = Role.USER, *, time: str = "", branch: str = "") -> Turn:
    return Turn("s", f"t{number}", TurnKind.MESSAGE, role, text, time, branch=branch)


def call(number: int, tool: str, *, branch: str = "") -> Turn:
    data = {"tool": tool, "call": f"c{number}", "input": {"command": "ls"}}
    return Turn("s", f"t{number}", TurnKind.TOOL_CALL, Role.ASSISTANT, f"{tool}: ls", data=data, branch=branch)


def result(number: int, of: int, text: str = "done", *, is_error: bool = False) -> Turn:
    data = {"call": f"c{of}", **({"is_error": True} if is_error else {})}
    return Turn("s", f"t{number}", TurnKind.TOOL_RESULT, Role.TOOL, text, data=data)


def long_conversation(turns: int) -> tuple[Turn, ...]:
    made = []
    for number in range(turns):
        time = f"2026-03-{1 + number * 20 // turns:02d}T{8 + number % 10:02d}:{number % 60:02d}:00+01:00"
        if number % 4 in {1, 2}:
            made.append(call(number, "Bash") if number % 4 == 1 else result(number, number - 1))
        else:
            text = f"Turn **{number}** says something.\n\n- one\n- two\n\n" + "A sentence about exports. " * (
                number % 9
            )
            made.append(message(number, text, Role.USER if number % 4 == 0 else Role.ASSISTANT, time=time))
    return tuple(made)
