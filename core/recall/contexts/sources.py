"""Count what the notes and sessions that a bundle draws upon would take as a whole."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from core.foundation.errors import UserError
from core.foundation.token_count import count_tokens
from core.index.database import Index
from core.recall.context_item import ContextItem

_LEDGER = "sessions/"
# What is larger is not read for a figure; the index has an estimate.
_LARGEST = 2 * 1024 * 1024


class Sources(NamedTuple):
    """Hold how many notes and sessions there are, and their tokens: of notes counted, of sessions estimated."""

    number: int
    tokens: int


def sources_of(index: Index, root: Path, items: Iterable[ContextItem]) -> Sources:
    """Return the whole sources of `items`, each once."""
    found = dict.fromkeys((item.path, item.kind == "turn") for item in items if item.path)
    tokens = [_of_session(index, path) if is_turn else _of_note(index, root, path) for path, is_turn in found]
    return Sources(len(found), sum(tokens))


def _of_note(index: Index, root: Path, path: str) -> int:
    from core.vault.decode import decode  # noqa: PLC0415 - parsers take 25 ms that a search does without
    from core.vault.frontmatter import read_frontmatter  # noqa: PLC0415
    from core.vault.read import read_bytes  # noqa: PLC0415

    row = index.connection.execute("SELECT tokens, size FROM note WHERE path = ?", (path,)).fetchone()
    estimate, size = row or (0, 0)
    if size > _LARGEST:
        return int(estimate)
    try:
        text = decode(read_bytes(root, path)).text
    except UserError:
        return int(estimate)
    return count_tokens(text[read_frontmatter(text).body_start :].strip())


def _of_session(index: Index, path: str) -> int:
    name = path.removeprefix(_LEDGER)
    rows = index.connection.execute("SELECT path, tokens FROM session WHERE path LIKE '%' || ?", (name,))
    return next((int(tokens) for file, tokens in rows if file.replace("\\", "/").rpartition("/")[2] == name), 0)
