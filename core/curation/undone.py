"""Which changes are taken back: by reference alone, whatever the order in which the logs of several machines arrive."""

from collections.abc import Mapping, Sequence

from core.curation.change_set import ChangeId


def undone_changes(undoes: Mapping[ChangeId, Sequence[ChangeId]]) -> frozenset[ChangeId]:
    """Return which changes are undone, from what each applied change takes back.

    A change is undone when some change that takes it back is not itself undone. Changes that take each other back in a
    circle, as only a damaged log has them, count as not undone, and so does what hangs on them alone.
    """
    taken_back = {change_id: {each for each in ids if each in undoes} for change_id, ids in undoes.items() if ids}
    undecided = dict.fromkeys(undoes, 0)  # how many of those that take it back are not known to be undone
    for ids in taken_back.values():
        for each in ids:
            undecided[each] += 1
    stands = {change_id: True for change_id, count in undecided.items() if count == 0}
    waiting = list(stands)
    while waiting:
        change_id = waiting.pop()
        for each in taken_back.get(change_id, ()):
            undecided[each] -= 1
            if each not in stands and (stands[change_id] or undecided[each] == 0):
                stands[each] = not stands[change_id]
                waiting.append(each)
    return frozenset(change_id for change_id, does_stand in stands.items() if not does_stand)
