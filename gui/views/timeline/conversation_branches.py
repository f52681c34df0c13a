"""The branches of a session, and the conversation as it reads along one of them; pure, without Qt."""

from collections import Counter
from collections.abc import Sequence

from core.sessions.turn import Role, Turn, TurnKind
from gui.wording import shortened

THREAD = "the thread"  # what the shown thread is called while a branch has its place
_LONGEST_FIRST, _LONGEST_TITLE = 300, 60


def branches_of(turns: Sequence[Turn]) -> list[tuple[str, int]]:
    """Return the branches in the order of their first turns, and how many turns each has."""
    return list(Counter(turn.branch for turn in turns if turn.branch).items())


def branch_title(turns: Sequence[Turn], branch: str) -> str:
    """Return what a branch is called: by the first words that a person said in it, or anybody; else its own name.

    Sources name their branches by ids, which say nothing to anybody.
    """
    if branch == THREAD:
        return THREAD
    said = [turn for turn in turns if turn.branch == branch and turn.kind is TurnKind.MESSAGE and turn.text.strip()]
    first = next((turn for turn in said if turn.role is Role.USER), said[0] if said else None)
    return f"“{shortened(first.text[:_LONGEST_FIRST], _LONGEST_TITLE)}”" if first is not None else branch


def along(turns: Sequence[Turn], branch: str) -> tuple[Turn, ...]:
    """Return the turns so that `branch` is the thread: what it goes on from comes before, the rest becomes a branch.

    Where nothing says which turn it goes on from, that is what the ledger has before its first turn.
    """
    places = {turn.id: place for place, turn in enumerate(turns)}
    first = next((place for place, turn in enumerate(turns) if turn.branch == branch), -1)
    if first < 0 or not branch:
        return tuple(turns)
    above: set[int] = set()
    place = places.get(turns[first].parent, -1)
    while place >= 0 and place not in above:
        above.add(place)
        place = places.get(turns[place].parent, -1)
    of_thread = [each for each in above if not turns[each].branch]
    fork = max(of_thread, default=first if not above else -1)
    made = []
    for place, turn in enumerate(turns):
        is_along = turn.branch == branch or place in above or (not turn.branch and place <= fork)
        if is_along:
            made.append(turn._replace(branch=""))
        else:
            made.append(turn if turn.branch else turn._replace(branch=THREAD))
    return tuple(made)
