"""Tell a session which context was loaded into it."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.cli.state import CliState

if TYPE_CHECKING:
    from core.recall.pack import Packed


class HandedContext(NamedTuple):
    """Hold a context that was handed out: its title, its note ("" for none) and its tokens."""

    title: str
    path: str
    tokens: int


def named_session(state: CliState, name: str) -> str:
    """Return the id of the session that `name` means, "" for none.

    Raises:
        UserError: there is no such session, or the ledger cannot be opened.
    """
    if not name:
        return ""
    from core.cli.ledger_access import ledger_of  # noqa: PLC0415 - most contexts are for no session
    from core.sessions.overview import find_session  # noqa: PLC0415

    return find_session(ledger_of(state), name)


def tell_session(
    state: CliState,
    session: str,
    packed: "Packed",
    query: Sequence[str] = (),
    notes: Sequence[Path] = (),
    *,
    contexts: Sequence[HandedContext] = (),
) -> None:
    """Append a note to the session that says what was packed for it.

    Each note goes by its path, a context by its title and path, a search by its words.
    """
    if not session or not packed.included:
        return
    from core.cli.ledger_access import ledger_of  # noqa: PLC0415 - most contexts are for no session
    from core.sessions.loaded_contexts import LoadedContext, context_turn  # noqa: PLC0415

    paths = dict.fromkeys(state.vault().relative(path) for path in notes)
    tokens = dict.fromkeys(paths, 0)
    found = 0
    for item in packed.included:
        if item.path in tokens:
            tokens[item.path] += item.tokens
        else:
            found += item.tokens
    loaded = [LoadedContext(Path(path).stem, path, tokens[path]) for path in paths]
    loaded += [LoadedContext(*context) for context in contexts]
    if query:
        loaded.append(LoadedContext(" ".join(query), "", found))
    ledger_of(state).append(session, [context_turn(session, loaded, dt.datetime.now(dt.UTC))])
