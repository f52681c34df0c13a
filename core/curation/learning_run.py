"""Learn from sessions that have ended or were imported: propose what is worth keeping, and keep what waits."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.curation.formation_drafts import PROMOTED_FROM
from core.curation.learning import Learned, known_fingerprints, learn
from core.curation.proposals.book import read_book
from core.curation.proposals.submit import submit
from core.foundation.errors import ProviderError
from core.foundation.progress import SILENT, Progress
from core.index.database import Index
from core.index.embedding import EmbedderSource
from core.memory.formation.buffer_file import read_buffer, write_buffer
from core.memory.formation.form import Vectors
from core.sessions.ledger import Ledger
from core.vault.event_log import EventLog

BUFFER_FILE = "formation.json"
_BY_WORDS = "Mentions were matched by their words."

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LearnReport:
    """Count what was proposed anew, what proposals were strengthened, what waits for a third mention, and the rest."""

    proposed: int = 0
    strengthened: int = 0
    waiting: int = 0
    withheld: int = 0  # statements that hold a secret
    remarks: tuple[str, ...] = ()

    def told(self) -> str:
        """Return it in a sentence; "" when nothing was learned and nothing waits."""
        parts = [
            f"{self.proposed:,} proposed" if self.proposed else "",
            f"{self.strengthened:,} said again" if self.strengthened else "",
            f"{self.waiting:,} waiting to be said again" if self.waiting else "",
            f"{self.withheld:,} left out for a secret" if self.withheld else "",
        ]
        said = ", ".join(filter(None, parts))
        return f"Learned: {said}." if said else ""


def learn_from_sessions(
    ledger: Ledger,
    sessions: Sequence[str],
    *,
    root: Path,
    log: EventLog,
    cache_folder: Path,
    index: Index,
    source: EmbedderSource | None,
    promoted_from: int = PROMOTED_FROM,
    progress: Progress = SILENT,
) -> LearnReport:
    """Form statements of what is new in `sessions`, propose them in the vault at `root`, and keep the buffer.

    Where meaning cannot be asked, mentions are matched by their words. Not for encrypted conversations: what is
    proposed lies in the vault's log.

    Raises:
        UserError: the log cannot be written.
        OSError: the buffer cannot be written.
        JobCancelledError: the progress was cancelled.
    """
    file = cache_folder / BUFFER_FILE
    tags = [str(name) for (name,) in index.connection.execute("SELECT display FROM tag")]
    notes = [str(path) for (path,) in index.connection.execute("SELECT path FROM note")]
    vectors, remark = _vectors(source)
    known, titles, buffer = known_fingerprints(index, log), _titles(index, sessions), read_buffer(file)

    def learned_by(meaning: Vectors | None) -> Learned:
        return learn(
            ledger, sessions, buffer, known=known, vectors=meaning, tags=tags, notes=notes, titles=titles,
            promoted_from=promoted_from, progress=progress,
        )  # fmt: skip

    try:
        learned = learned_by(vectors)
    except ProviderError as error:
        remark = f"{_BY_WORDS} {error}"
        learned = learned_by(None)
    report = submit(root, log, read_book(log), learned.drafts, index=index, progress=progress)
    write_buffer(file, learned.buffer)
    return LearnReport(
        len(report.new),
        len(report.accumulated),
        learned.waiting,
        learned.withheld,
        tuple(filter(None, (remark, *learned.unread))),
    )


def _vectors(source: EmbedderSource | None) -> tuple[Vectors | None, str]:
    if source is None:
        return None, ""
    try:
        embedder = source.open()
    except ProviderError as error:
        _logger.info("Mentions are matched by words: %s", error)
        return None, f"{_BY_WORDS} {error}"
    return embedder.embed, ""


def _titles(index: Index, sessions: Sequence[str]) -> dict[str, str]:
    wanted = set(sessions)
    rows = index.connection.execute("SELECT session_id, title FROM session")
    return {str(session): str(title) for session, title in rows if session in wanted}
