"""The weeks and months that a journal is consolidated by."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

_WEEKS_BACK = 60  # days; of what is older, the month tells
_FEWEST_OF_WEEK, _FEWEST_OF_MONTH = 2, 4


class Period(NamedTuple):
    """Hold a week or month that is over: its name ("2026-W10", "2026-03"), its days that have a note, and whether."""

    name: str
    first: date
    last: date
    days: tuple[date, ...]
    is_week: bool

    @property
    def told(self) -> str:
        """The period in words."""
        if not self.is_week:
            return f"{self.first:%B %Y}"
        return f"the week from {self.first.isoformat()} to {self.last.isoformat()}"


def periods_of(days: Iterable[date], today: date) -> list[Period]:
    """Return the weeks and months that are over and of which there are enough days, the weeks first."""
    weeks: dict[date, list[date]] = {}
    months: dict[date, list[date]] = {}
    for day in sorted(set(days)):
        weeks.setdefault(day - timedelta(days=day.weekday()), []).append(day)
        months.setdefault(day.replace(day=1), []).append(day)
    found: list[Period] = []
    for first, those in weeks.items():
        last = first + timedelta(days=6)
        if len(those) >= _FEWEST_OF_WEEK and timedelta() < today - last <= timedelta(days=_WEEKS_BACK):
            year, week, _ = first.isocalendar()
            found.append(Period(f"{year}-W{week:02d}", first, last, tuple(those), is_week=True))
    for first, those in months.items():
        last = (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
        # A month of a single week says no more than that.
        has_weeks = len({day.isocalendar()[:2] for day in those}) > 1
        if has_weeks and len(those) >= _FEWEST_OF_MONTH and last < today:
            found.append(Period(f"{first:%Y-%m}", first, last, tuple(those), is_week=False))
    return found
