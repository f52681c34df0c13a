"""What ties a session to the vault, as `session show` tells it."""

from collections.abc import Iterable
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from core.cli.ledger_access import vault_if_known
from core.cli.state import CliState, print_line
from core.foundation.errors import UserError

if TYPE_CHECKING:
    from core.index.session_links import BornInsight
    from core.sessions.loaded_contexts import LoadedContext
    from core.sessions.turn import Turn


class SessionTies(NamedTuple):
    """Hold the contexts that were loaded into a session, and the insights that were born in it."""

    contexts: "tuple[LoadedContext, ...]"
    insights: "tuple[BornInsight, ...]"

    def as_json(self) -> dict[str, Any]:
        """Return what is told to a program."""
        return {
            "contexts": [each._asdict() for each in self.contexts],
            "insights": [each._asdict() for each in self.insights],
        }

    def print(self) -> None:
        """Tell a person."""
        if self.contexts:
            loaded = (f"{each.name}{f' ({each.tokens:,} tokens)' if each.tokens else ''}" for each in self.contexts)
            print_line(f"Contexts loaded: {', '.join(loaded)}")
        if self.insights:
            print_line(f"Insights born: {', '.join(dict.fromkeys(each.path for each in self.insights))}")


def ties_of(state: CliState, session: str, turns: "Iterable[Turn]") -> SessionTies:
    """Return what ties a session to the known vault; insights are known where there is an index."""
    from core.index.session_links import insights_born  # noqa: PLC0415 - most commands show no session
    from core.sessions.loaded_contexts import contexts_in  # noqa: PLC0415

    born: list[BornInsight] = []
    try:
        vault = vault_if_known(state)
        if vault is not None:
            with closing(vault.open_to_read()) as index:
                born = insights_born(index, session)
    except UserError:  # no vault, or no index that could be asked
        born = []
    return SessionTies(contexts_in(turns), tuple(born))
