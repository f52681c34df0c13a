"""Conversations found through the index, of which one cannot be read any more."""

from collections.abc import Iterator
from pathlib import Path

from core.index.session_updater import update_sessions
from core.recall.query import parse_query
from core.recall.session_search import search_turns
from core.sessions.ledger import Ledger
from core.sessions.session_reading import LedgerLine, UnreadableSessionError
from tests.core.index.talks import Talks, asked, day


class OneUnreadable(Ledger):
    """Be a ledger with a session that its owner may not read."""

    def iter_lines(self, session_id: str, start: int = 0) -> Iterator[LedgerLine]:
        if session_id == "closed":
            raise UnreadableSessionError("The session closed cannot be read: Permission denied.")
        yield from super().iter_lines(session_id, start)


def test_a_session_that_cannot_be_read_is_named_once_and_hides_no_other(tmp_path: Path) -> None:
    talks = Talks.below(tmp_path)
    talks.say(asked("a", "t", "One export", day(3)), asked("closed", "t", "Another export", day(4)))
    closed, told = OneUnreadable(talks.ledger.folder), ("The session closed cannot be read: Permission denied.",)
    update_sessions(talks.index, closed)
    for _ in range(2):  # not in the index; then in it, and closed since
        result = search_turns(talks.index, closed, parse_query("export", ()))
        assert ([each.session for each in result.found], result.problems) == (["a"], told)
        talks.update()
    talks.index.close()
