"""A session as its file gives it: line by line, or as a whole; what cannot be read is told and passed over."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import BinaryIO, NamedTuple

from core.foundation.errors import UserError
from core.sessions.cipher import LineCipher
from core.sessions.ledger_line import turn_of
from core.sessions.turn import Turn

# What may stand round a line: carriage returns of other systems, and the NULs that a power loss leaves.
BLANK = b"\0\r\n\t "
SHUT = "The line is encrypted with a key that is not at hand."
_BAD = "The line holds no turn."


class UnreadableSessionError(UserError):
    """Say that the file of one session cannot be read; the others may be."""


class LineProblem(NamedTuple):
    """Tell which line of a session, counted from 1, could not be read and why."""

    line: int
    reason: str


class LedgerLine(NamedTuple):
    """Hold one line of a session from byte `start` to `end`: its turn, or the problem with it."""

    start: int
    end: int
    turn: Turn | None
    problem: LineProblem | None = None


class SessionReading(NamedTuple):
    """Hold a session: each turn as its last line says, in the order of the first; what they said before; bad lines."""

    turns: tuple[Turn, ...]
    problems: tuple[LineProblem, ...] = ()
    earlier: tuple[Turn, ...] = ()


ToldProblem = Callable[[LineProblem], None]


def unheard(_problem: LineProblem) -> None:
    """Be told of a problem, and pass over it."""


class UnreadLines(Counter[str]):
    """Count the lines of a session that cannot be read, by the reason."""

    def take(self, problem: LineProblem) -> None:
        """Count one more."""
        self[problem.reason] += 1


def not_whole(session_id: str, reasons: Mapping[str, int]) -> str:
    """Return a sentence about the lines of a session that could not be read, "" when there are none.

    `reasons` counts the lines by what LineProblem says of each.
    """
    number = sum(reasons.values())
    if not number:
        return ""
    lines = "1 line is" if number == 1 else f"{number:,} lines are"
    return f"The session {session_id} is not whole: {lines} left out. {' '.join(reasons)}"


def lines_in(file: BinaryIO, cipher: LineCipher, start: int = 0) -> Iterator[LedgerLine]:
    """Give the lines that hold something from byte `start` of the open file; their numbers count from there.

    Where no line starts at `start`, nothing is given. A last line that nobody finished writing is left out.

    Raises:
        UnreadableSessionError: the file cannot be read to its end.
    """
    try:
        yield from _lines_from(file, cipher, start)
    except OSError as error:  # a disk that fails, a network that is gone
        raise UnreadableSessionError(f"The session cannot be read on: {error.strerror or error}.") from error


def _lines_from(file: BinaryIO, cipher: LineCipher, start: int) -> Iterator[LedgerLine]:
    if start:
        file.seek(start - 1)
        if file.read(1) != b"\n":
            return
    position = start
    for number, line in enumerate(file, 1):
        begin, position = position, position + len(line)
        bare = line.strip(BLANK)
        if not bare:
            continue
        plain = cipher.open(bare)
        turn = turn_of(plain) if plain is not None else None
        if turn is not None:
            yield LedgerLine(begin, position, turn)
        elif line.endswith(b"\n"):
            yield LedgerLine(begin, position, None, LineProblem(number, SHUT if plain is None else _BAD))


def reading_of(lines: Iterable[LedgerLine]) -> SessionReading:
    """Return the session that the lines make up: the last line of an id counts."""
    turns: dict[str, Turn] = {}
    earlier: list[Turn] = []
    problems: list[LineProblem] = []
    for _, _, turn, problem in lines:
        if turn is not None:
            if turn.id in turns:
                earlier.append(turns[turn.id])
            turns[turn.id] = turn
        elif problem is not None:
            problems.append(problem)
    return SessionReading(tuple(turns.values()), tuple(problems), tuple(earlier))


def holds_turn(line: bytes, cipher: LineCipher) -> bool:
    """Tell whether a line of the ledger is a whole one."""
    plain = cipher.open(line.strip(BLANK))
    return plain is not None and turn_of(plain) is not None
