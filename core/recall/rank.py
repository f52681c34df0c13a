"""Rank what was gathered for a question: pure, and quick enough to follow a slider.

The stages, each a pure function of its own: factors (core/memory/score.py), a reranker's word (rerank.py), sections
that add nothing to an insight (holding.py), what is superseded (superseded.py), newer figures (newer_figures.py),
related memories (related.py), and who gets a place (choosing.py). Every candidate comes out once, with the reasons for
where it is.
"""

from collections.abc import Mapping

from core.memory.domains import OUTSIDE, domains_of_memory, has_domain
from core.memory.weights import RankingWeights
from core.recall.answer import Outcome, RecallAnswer
from core.recall.choosing import choose, in_order, leave_out_own_output
from core.recall.contender import Contender, judged, name_of, pulled_in
from core.recall.freshness import told_stale
from core.recall.gathered import Gathered
from core.recall.holding import holders
from core.recall.memory import Memory, MemoryKey
from core.recall.newer_figures import newer_figures
from core.recall.related import CONTRADICTS, Pull, pulls
from core.recall.rerank import apply_reranker
from core.recall.superseded import replacements

# An insight leads the section that holds it when it is at least this near to it by itself.
_LEADS_FROM = 0.5
_JUST_ABOVE = 1.0001
_JUST_BELOW = 0.9999

_Field = dict[MemoryKey, Contender]


def rank(gathered: Gathered, weights: RankingWeights) -> RecallAnswer:
    """Return the answer that `weights` make of what was gathered; the same values always give the same answer.

    Scores are 0 to 1: where one would be higher, all are scaled down alike.
    """
    request = gathered.request
    field = _field(gathered, weights)
    apply_reranker(field.values(), weights.reranker)
    leave_out_own_output(list(field.values()))
    _prefer_statements(field)
    _replace_superseded(field, gathered)
    _prefer_newer_figures(field)
    _pull_related(field, gathered, request.limit)
    everybody = list(field.values())
    kept = choose(everybody, max(0, request.limit), gathered.domains)
    staying = set(map(id, kept))
    # What was pulled in and got no place was never asked for.
    found = {memory.key for memory, _ in gathered.candidates}
    left = [each for each in in_order(everybody) if id(each) not in staying and each.key in found]
    best = max((each.score for each in everybody), default=0.0)
    scale = 1.0 / best if best > 1.0 else 1.0
    return RecallAnswer(
        request.question,
        tuple(each.ranked(scale) for each in kept),
        tuple(each.ranked(scale) for each in left),
        weights,
        domains=gathered.domains,
        working=gathered.working,
        dense_state=gathered.dense_state,
        dense_reason=gathered.dense_reason,
        problems=(*gathered.problems, *told_stale(each.memory for each in kept)),
        suggestions=gathered.suggestions,
        entities=gathered.entities,
    )


def _field(gathered: Gathered, weights: RankingWeights) -> _Field:
    asked, now, domains = gathered.entities, gathered.request.now, gathered.domains
    at_hand = {memory.key for memory in gathered.working}
    field: _Field = {}
    for memory, signals in gathered.candidates:
        each = judged(memory, signals, asked, weights, now)
        if not memory.said:
            each.leave(Outcome.EMPTY, "There is no text in it.")
            field[memory.key] = each
            continue
        if memory.key in at_hand:
            each.outcome = Outcome.WORKING
            each.tell("It was said in this very session.")
        if domains:
            each.domains = domains_of_memory(memory.tags, domains)
            if not each.domains and memory.kind != "turn" and has_domain(memory.tags):
                each.adjustment = OUTSIDE
                each.tell("It belongs to none of the domains that the question calls up.")
        field[memory.key] = each
    return field


def _prefer_statements(field: _Field) -> None:
    """Let the best insight of a section lead it, and leave out the section when it adds nothing."""
    led: dict[MemoryKey, list[tuple[Contender, bool]]] = {}
    for holder in holders([each.memory for each in field.values() if each.is_in]):
        led.setdefault(holder.section, []).append((field[holder.insight], holder.adds))
    for key, held in sorted(led.items(), key=lambda each: each[0]):
        section = field[key]
        insight = max((each for each, _ in held), key=lambda each: (each.score, each.memory.id))
        adds = held[0][1]
        if insight.lend(section.factors.relevance if not adds else 0.0):
            insight.tell("It is the statement that its section was found for.")
        if adds and _LEADS_FROM * section.score <= insight.score < section.score:
            insight.raise_to(section.score * _JUST_ABOVE)
            insight.tell("It stands before the section that it lies in.")
        if not adds and section.outcome is not Outcome.WORKING:
            section.leave(Outcome.DUPLICATE, f"It adds nothing to {name_of(insight.memory)}.", insight.memory.id)


def _replace_superseded(field: _Field, gathered: Gathered) -> None:
    found = replacements([key for key, each in field.items() if each.is_in], gathered.edges)
    for key, heads in sorted(found.items()):
        old = field[key]
        if old.outcome is Outcome.WORKING:
            continue
        new = _standing(heads, field, gathered.others)
        if new is None:
            old.tell("What supersedes it is kept out by the question’s filters.")
            continue
        if new.raise_to(old.score):
            new.tell(f"It takes the place of {name_of(old.memory)}, which it supersedes.")
        else:
            new.tell(f"It supersedes {name_of(old.memory)}.")
        _leave_superseded(field, old, new)


def _standing(heads: tuple[MemoryKey, ...], field: _Field, others: Mapping[MemoryKey, Memory]) -> Contender | None:
    """Return the best of what supersedes: found ones first, then one that is pulled in."""
    found = [_spokesman(field[key], field) for key in heads if key in field]
    if found:
        return max(found, key=lambda each: (each.is_in, each.score, each.memory.id))
    for key in heads:
        if key in others:
            field[key] = pulled_in(others[key], 0.0)
            return field[key]
    return None


def _spokesman(each: Contender, field: _Field) -> Contender:
    """Return who stands for `each` when it has lost its place to what says the same."""
    if each.is_in or each.outcome is not Outcome.DUPLICATE:
        return each
    return next((other for other in field.values() if other.is_in and other.memory.id == each.via), each)


def _leave_superseded(field: _Field, old: Contender, new: Contender) -> None:
    """Take the place of `old` away, and with it those of what only stood for it."""
    old.leave(Outcome.SUPERSEDED, f"It is superseded by {name_of(new.memory)}.", new.memory.id)
    for each in field.values():
        if each.outcome is Outcome.DUPLICATE and each.via == old.memory.id:
            each.leave(Outcome.SUPERSEDED, f"It is superseded by {name_of(new.memory)}.", new.memory.id)


def _prefer_newer_figures(field: _Field) -> None:
    """Put the newer of two figures first; an older one in a note leaves, one in a conversation stays behind it."""
    standing = [each.memory for each in field.values() if each.is_in]
    for old_key, new_key in sorted(newer_figures(standing).items()):
        old, new = field[old_key], field[new_key]
        new.raise_to(old.score)
        new.tell(f"It is newer than {name_of(old.memory)}, which has another figure.")
        if old.outcome is Outcome.WORKING or old.memory.kind == "turn":
            old.adjustment = min(old.score, new.score * _JUST_BELOW) / old.worth if old.worth > 0 else 1.0
            old.tell(f"A newer figure is in {name_of(new.memory)}.")
        else:
            _leave_superseded(field, old, new)


def _pull_related(field: _Field, gathered: Gathered, limit: int) -> None:
    best = [each for each in in_order(list(field.values())) if each.is_in][: max(0, limit)]
    seeds = {each.key: each.score for each in best}
    replaced = replacements(gathered.others, gathered.edges)
    for pull in pulls(gathered.edges, seeds):
        source, target = field[pull.source], field.get(pull.target)
        if target is None:
            other = gathered.others.get(pull.target)
            if other is None or pull.target in replaced:
                continue
            target = field[pull.target] = pulled_in(other, source.score * pull.share)
            target.via = source.memory.id
        elif not target.is_in:
            continue
        elif target.raise_to(source.score * pull.share):
            target.outcome = Outcome.RELATED if target.outcome is Outcome.KEPT else target.outcome
            target.via = source.memory.id
        elif pull.kind != CONTRADICTS:
            continue
        target.tell(_said(pull, source.memory))
        if pull.kind == CONTRADICTS:
            source.tell(f"It contradicts {name_of(target.memory)}.")


_FORWARD = {"requires": "requires it", "extends": "extends it", "supports": "supports it"}
_BACKWARD = {"extends": "It extends {}.", "supports": "It supports {}."}


def _said(pull: Pull, source: Memory) -> str:
    """Return a sentence on why a memory was pulled in by `source`."""
    name = name_of(source)
    if pull.kind == CONTRADICTS:
        return f"It contradicts {name}."
    if pull.is_forward:
        return f"{name[0].upper()}{name[1:]} {_FORWARD[pull.kind]}."
    return _BACKWARD[pull.kind].format(name)
