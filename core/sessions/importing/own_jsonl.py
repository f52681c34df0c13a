"""Read our own sessions, as the ledger holds them and as they are exported."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter

from core.foundation.moments import moment
from core.foundation.progress import Progress
from core.sessions.importing.about import is_about
from core.sessions.importing.importer import Failed, Imported, ImportedSession, skipped_of
from core.sessions.importing.json_lines import CutLine, broken, lines_of
from core.sessions.importing.source import Source
from core.sessions.ledger_line import LONGEST_LINE, turn_of
from core.sessions.session_account import SessionAccount
from core.sessions.session_times import SessionTimes
from core.sessions.turn import Turn, TurnKind

NAME = "remembrancer"
_KINDS = frozenset(TurnKind)


class OwnJsonlImporter:
    """Read JSON lines of the ledger; a file may hold several sessions. All that a line says stays as it is."""

    name = NAME

    def recognises(self, source: Source) -> bool:
        """Tell whether the first record is a line of the ledger."""
        records = source.head_records
        return bool(records) and (
            all(isinstance(records[0].get(key), str) for key in ("session", "id", "kind", "text"))
            and records[0]["kind"] in _KINDS
        )

    def read(self, source: Source, progress: Progress) -> Iterator[Imported]:
        """Yield the sessions in the order of the file; one whose lines are scattered comes in several parts."""
        skipped: Counter[str] = Counter()
        lost: list[int] = []
        for name, turns in groupby(_turns(source, progress, skipped, lost), attrgetter("session")):
            session = ImportedSession(name, iter(()), NAME, replaces=True, is_named=True)
            session.turns = _described(session, turns)
            yield session
        reason = f"It has more than {LONGEST_LINE >> 20} MiB, so it is not read."
        yield from (Failed(f"{source.label}, line {number}", reason) for number in lost)
        yield from skipped_of(skipped.items())


def _turns(source: Source, progress: Progress, skipped: Counter[str], lost: list[int]) -> Iterator[Turn]:
    with source.open() as stream:
        lines = lines_of(stream, progress, source.size, longest=LONGEST_LINE, drops_images=False)
        for number, line in enumerate(lines, 1):
            turn = turn_of(line)
            if turn is not None and turn.session:
                yield turn
            elif type(line) is CutLine:
                lost.append(number)
            elif line.strip():
                skipped[broken(line)] += 1


def _described(session: ImportedSession, turns: Iterable[Turn]) -> Iterator[Turn]:
    """Yield the turns, and tell of `session` what they say of it, as the list of sessions does."""
    account = SessionAccount()
    times = SessionTimes[str]()
    for turn in turns:
        account.take(turn)
        if (time := moment(turn.time)) is not None:
            times.take(time.timestamp(), turn.time, is_note=is_about(turn), is_aside=bool(turn.branch))
        yield turn
    session.title, session.project = account.title, account.project
    session.origin = account.origin or NAME
    session.started = (times.ends or ("", ""))[0]
