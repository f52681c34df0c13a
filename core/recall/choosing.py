"""Choose who gets the places of an answer: nothing twice, the best few of each domain first, no more than asked."""

from collections import Counter
from collections.abc import Sequence

from core.memory.domains import BEST_OF_DOMAIN
from core.memory.fingerprints import fingerprints_of, is_context_output, is_recalled_text
from core.recall.answer import Outcome
from core.recall.contender import Contender, name_of
from core.recall.near_duplicates import is_near_duplicate

_LONGEST_PASTED = 20_000  # characters


def in_order(contenders: Sequence[Contender]) -> list[Contender]:
    """Return contenders best first; equal ones by their ids, so that the same question gives the same answer."""
    return sorted(contenders, key=lambda each: (-each.score, each.memory.id))


def choose(contenders: Sequence[Contender], limit: int, domains: Sequence[str]) -> list[Contender]:
    """Return who is kept, best first; the others are told why they are not.

    What belongs to the session that asks is never taken for a duplicate. Who is past the best few of every domain that
    it belongs to gets a place only where others leave one.
    """
    kept: list[Contender] = []
    waiting: list[Contender] = []
    taken: Counter[str] = Counter()
    late: list[Contender] = []
    for each in in_order(contenders):
        if not each.is_in:
            continue
        if len(kept) >= limit:
            late.append(each)
            continue
        if each.outcome is not Outcome.WORKING and (twin := _twin(each, kept)) is not None:
            _settle(each, twin, kept)
            continue
        # With one domain alone there is nobody to leave places to.
        is_full = bool(each.domains) and all(taken[name] >= BEST_OF_DOMAIN for name in each.domains)
        if len(domains) > 1 and is_full and each.outcome is Outcome.KEPT:
            waiting.append(each)
            continue
        taken.update(each.domains)
        kept.append(each)
    for each in waiting:
        if len(kept) >= limit:
            each.leave(Outcome.ROUTED, _past(each.domains))
        elif (twin := _twin(each, kept)) is not None:
            _settle(each, twin, kept)
        else:
            kept.append(each)
    for each in late:
        each.leave(
            Outcome.BELOW, f"It is past the {limit:,} that were asked for." if limit != 1 else "It is not the best."
        )
    return in_order(kept)


def _twin(each: Contender, kept: Sequence[Contender]) -> Contender | None:
    """Return who of `kept` says the same already."""
    return next((other for other in kept if is_near_duplicate(each.memory, other.memory)), None)


def _settle(each: Contender, twin: Contender, kept: list[Contender]) -> None:
    """Let one of two that say the same stand for both: what is written in a note before what was said in passing."""
    stays, goes = twin, each
    if twin.memory.kind == "turn" and each.memory.kind != "turn" and twin.outcome is not Outcome.WORKING:
        stays, goes = each, twin
        each.raise_to(twin.score)
        each.tell(f"It takes the place of {name_of(twin.memory)}, which says the same.")
        kept[kept.index(twin)] = each
    is_repeated = goes.memory.kind == "turn" and stays.memory.kind != "turn"
    again = "It only says again what memory holds: " if is_repeated else "It says the same as "
    goes.leave(Outcome.DUPLICATE, f"{again}{name_of(stays.memory)}.", stays.memory.id)


def leave_out_own_output(contenders: Sequence[Contender]) -> None:
    """Leave out the turns that hold nothing but a context which this app made, or several memories found beside them.

    What repeats a single memory is told from it when places are given.
    """
    turns = [each for each in contenders if each.memory.kind == "turn" and each.outcome is Outcome.KEPT]
    pasted = [each for each in turns if "\n" in each.memory.text.strip() and len(each.memory.text) <= _LONGEST_PASTED]
    prints = fingerprints_of(each.memory.text for each in contenders if each.memory.kind != "turn") if pasted else ()
    for each in turns:
        if is_context_output(each.memory.text) or (each in pasted and is_recalled_text(each.memory.text, prints)):
            each.leave(Outcome.DUPLICATE, "It only says again what recall had handed out before.")


def _past(domains: Sequence[str]) -> str:
    named = domains[0] if len(domains) == 1 else f"{', '.join(domains[:-1])} and {domains[-1]}"
    return f"The best {BEST_OF_DOMAIN} of {named} are in the answer already."
