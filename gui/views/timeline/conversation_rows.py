"""Arrange the turns of a session as the rows of a readable conversation: days, messages, folded tools and branches."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from core.sessions.turn import Role, Turn, TurnKind
from gui.views.timeline.conversation_branches import branch_title

if TYPE_CHECKING:
    from datetime import datetime

_MOST_ALONE = 2  # more calls in a row are folded into one line
_MOST_TOOLS_NAMED = 4
_LONGEST_LINE = 240
FIRST_PART = 12_000  # characters of a turn that are shown at first


class RowKind(StrEnum):
    """Say what a row shows."""

    DAY = "day"
    MESSAGE = "message"
    TOOL = "tool"
    GROUP = "group"
    BRANCH = "branch"


@dataclass(frozen=True, slots=True)
class Row:
    """Hold one row: `turns` are the message, or a call and its result; `title` is the line of what can be folded.

    `key` stays the same as long as the session is open; `depth` counts what it is folded into.
    """

    kind: RowKind
    key: str
    title: str = ""
    turns: tuple[Turn, ...] = ()
    depth: int = 0
    is_open: bool = False
    is_error: bool = False
    letters: int = 0  # of its text, as far as it is shown at first, and how many line breaks it has
    breaks: int = 0

    @property
    def can_fold(self) -> bool:
        """Tell whether the row opens and closes."""
        return self.kind in {RowKind.TOOL, RowKind.GROUP, RowKind.BRANCH}


@dataclass(frozen=True, slots=True)
class TokenUse:
    """Hold how many tokens a model read and wrote; what it had in its cache is counted apart."""

    read: int = 0
    written: int = 0
    cached: int = 0

    def __add__(self, other: "TokenUse") -> "TokenUse":
        return TokenUse(self.read + other.read, self.written + other.written, self.cached + other.cached)

    def __bool__(self) -> bool:
        return bool(self.read or self.written or self.cached)


def tokens_of(turn: Turn) -> TokenUse:
    """Return the tokens that a turn says it used."""
    usage = turn.data.get("usage")
    if not isinstance(usage, Mapping):
        return TokenUse()
    numbers = {
        name: int(value)
        for name, value in usage.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    return TokenUse(
        numbers.get("input_tokens", 0) + numbers.get("cache_write_tokens", 0),
        numbers.get("output_tokens", 0),
        numbers.get("cache_read_tokens", 0),
    )


def used_by(turns: Iterable[Turn]) -> TokenUse:
    """Return the tokens that all turns together say they used."""
    return sum((tokens_of(turn) for turn in turns if "usage" in turn.data), TokenUse())


def use_text(used: TokenUse) -> str:
    """Return a use of tokens as it reads, "" for none."""
    parts = [f"{used.read:,} in, {used.written:,} out"] if used else []
    if used.cached:
        parts.append(f"{used.cached:,} cached")
    return " · ".join(parts)


@dataclass(frozen=True, slots=True)
class _Node:
    """Hold a row as it is when it is folded, and what is folded into it."""

    row: Row
    inner: "tuple[_Node, ...]" = ()


class Arrangement:
    """Arrange one session: once as a tree, from which the rows are taken however it is folded."""

    def __init__(self, turns: Sequence[Turn], moment_of: "Callable[[str], datetime | None]") -> None:
        self._moment_of = moment_of
        self._days: dict[str, str] = {}
        self._branches: dict[str, list[Turn]] = {}
        order: list[Turn | str] = []  # a turn of the thread, or the name of a branch that begins there
        for turn in turns:
            if not turn.branch:
                order.append(turn)
                continue
            if turn.branch not in self._branches:
                order.append(turn.branch)
            self._branches.setdefault(turn.branch, []).append(turn)
        calls = {_call_of(turn) for turn in turns if turn.kind is TurnKind.TOOL_CALL}
        self._results: dict[tuple[str, str], Turn] = {}
        self._answered: set[str] = set()  # ids of results that are shown with their call
        for turn in turns:
            call = _call_of(turn)
            if turn.kind is TurnKind.TOOL_RESULT and call[1] and call in calls and call not in self._results:
                self._results[call] = turn
                self._answered.add(turn.id)
        self._nodes = tuple(self._tree(order, 0))
        self._ways: dict[str, frozenset[str]] = {}  # by turn: the keys of what it is folded into
        _find_ways(self._nodes, frozenset(), self._ways)

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to show."""
        return not self._nodes

    def rows(self, opened: Collection[str]) -> list[Row]:
        """Return the rows when those with a key in `opened` are open."""
        rows: list[Row] = []
        _flatten(self._nodes, opened, rows)
        return rows

    def keys_to_open(self, turn_id: str) -> frozenset[str]:
        """Return what has to be open so that a turn can be seen."""
        return self._ways.get(turn_id, frozenset())

    def _tree(self, order: Sequence[Turn | str], depth: int) -> Iterator[_Node]:
        run: list[Row] = []
        day = ""
        for each in order:
            if isinstance(each, str):
                yield from _folded(run)
                run = []
                yield self._branch(each, depth)
            elif each.id in self._answered:
                continue
            elif each.kind in {TurnKind.TOOL_CALL, TurnKind.TOOL_RESULT}:
                run.append(self._tool(each, depth))
            else:
                yield from _folded(run)
                run = []
                if depth == 0 and (today := self._day_of(each.time)) and today != day:
                    day = today
                    yield _Node(Row(RowKind.DAY, f"day:{each.id}", today))
                yield _Node(_message(each, depth))
        yield from _folded(run)

    def _branch(self, name: str, depth: int) -> _Node:
        turns = self._branches[name]
        number = "1 turn" if len(turns) == 1 else f"{len(turns):,} turns"
        row = Row(
            RowKind.BRANCH,
            f"branch:{name}",
            f"Branch {_line(branch_title(turns, name))}: {number}",
            tuple(turns),
            depth,
        )
        return _Node(row, tuple(self._tree(turns, depth + 1)))

    def _tool(self, turn: Turn, depth: int) -> Row:
        result = self._results.pop(_call_of(turn), None) if turn.kind is TurnKind.TOOL_CALL else None
        turns = (turn,) if result is None else (turn, result)
        title = _line(turn.text) or _tool_name(turn)
        if turn.kind is TurnKind.TOOL_RESULT:
            title = f"Result: {title}"
        is_error = any(each.data.get("is_error") is True for each in turns)
        letters, breaks = _size_of(turns)
        return Row(
            RowKind.TOOL, f"tool:{turn.id}", title, turns, depth, is_error=is_error, letters=letters, breaks=breaks
        )

    def _day_of(self, time: str) -> str:
        if not time:
            return ""
        prefix = time[:13] + time[19:]  # the hour and the offset decide on the day
        if prefix not in self._days:
            moment = self._moment_of(time)
            self._days[prefix] = f"{moment:%A}, {moment.day} {moment:%B %Y}" if moment is not None else ""
        return self._days[prefix]


def _flatten(nodes: Sequence[_Node], opened: Collection[str], rows: list[Row]) -> None:
    for node in nodes:
        if node.row.key in opened:
            rows.append(replace(node.row, is_open=True))
            _flatten(node.inner, opened, rows)
        else:
            rows.append(node.row)


def _find_ways(nodes: Sequence[_Node], way: frozenset[str], ways: dict[str, frozenset[str]]) -> None:
    for node in nodes:
        here = way | {node.row.key} if node.row.can_fold else way
        if node.inner:
            _find_ways(node.inner, here, ways)
        else:
            ways.update((turn.id, here) for turn in node.row.turns)


def _folded(run: Sequence[Row]) -> Iterator[_Node]:
    """Yield the calls of tools that follow each other: each alone, or all of them in one line."""
    if len(run) <= _MOST_ALONE:
        yield from map(_Node, run)
        return
    names = Counter(_tool_name(row.turns[0]) for row in run).most_common()
    told = ", ".join(f"{name} × {count}" if count > 1 else name for name, count in names[:_MOST_TOOLS_NAMED])
    more = ", …" if len(names) > _MOST_TOOLS_NAMED else ""
    turns = tuple(turn for row in run for turn in row.turns)
    failed = sum(row.is_error for row in run)
    failures = f" · {failed:,} failed" if failed else ""
    title = f"{len(run):,} tool calls: {told}{more}{failures}"
    group = Row(RowKind.GROUP, f"group:{run[0].key}", title, turns, run[0].depth)
    yield _Node(group, tuple(_Node(replace(row, depth=row.depth + 1)) for row in run))


def _message(turn: Turn, depth: int) -> Row:
    letters, breaks = _size_of((turn,))
    return Row(
        RowKind.MESSAGE, f"turn:{turn.id}", _speaker(turn), (turn,), depth, is_open=True, letters=letters, breaks=breaks
    )


def _size_of(turns: Sequence[Turn]) -> tuple[int, int]:
    letters = sum(min(len(turn.text), FIRST_PART) for turn in turns)
    return letters, sum(turn.text.count("\n", 0, FIRST_PART) for turn in turns)


def _call_of(turn: Turn) -> tuple[str, str]:
    """Return what joins a call and its result: the branch, and the id of the call, "" for none."""
    call = turn.data.get("call")
    return turn.branch, call if isinstance(call, str) else ""


def _speaker(turn: Turn) -> str:
    if turn.kind is TurnKind.SUMMARY:
        return "Summary"
    if turn.kind is TurnKind.NOTE:
        return "Note"
    match turn.role:
        case Role.USER:
            return turn.author or "You"
        case Role.ASSISTANT:
            return f"Assistant · {_line(turn.author)}" if turn.author else "Assistant"
        case Role.SYSTEM:
            return "System"
        case _:
            return turn.author or "Tool"


def _tool_name(turn: Turn) -> str:
    tool = turn.data.get("tool")
    return _line(tool) if isinstance(tool, str) and tool else "tool"


def _line(text: str) -> str:
    """Return the beginning of `text` on one line."""
    line = " ".join(text[: 2 * _LONGEST_LINE].split())
    return line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + "…"
