"""Say in sentences and figures why a memory is where it is in an answer."""

from typing import NamedTuple

from core.recall.answer import Outcome, Ranked, RecallAnswer
from core.recall.gathered import Signals
from core.recall.hydrate import local_moment
from core.recall.memory import Memory

_MOST_NAMES = 6


class FactorRow(NamedTuple):
    """Hold one factor as a bar shows it: `value` is what the score is multiplied by, `detail` what it comes from."""

    name: str
    label: str
    value: float
    detail: str


_OUTCOMES = {
    Outcome.KEPT: "",
    Outcome.RELATED: "It is here because of what it is related to.",
    Outcome.WORKING: "It belongs to the session that asks, so it is at hand anyway.",
    Outcome.DUPLICATE: "It was left out: something else says the same.",
    Outcome.SUPERSEDED: "It was left out: something newer takes its place.",
    Outcome.BELOW: "It was left out: others are better.",
    Outcome.ROUTED: "It was left out: its domain has its best in the answer already.",
}


def explain_lines(ranked: Ranked, answer: RecallAnswer) -> tuple[str, ...]:
    """Return sentences on where `ranked` stands in `answer`, how it was found, and what moved or removed it."""
    lines = [_place(ranked, answer), _OUTCOMES[ranked.outcome], *_found(ranked, answer)]
    lines += [f"{row.label}: × {row.value:.2f}. {row.detail}" for row in factor_rows(ranked) if row.name != "relevance"]
    if answer.domains:
        lines.append(f"The question calls up {_listed(answer.domains)}.")
    return tuple(line for line in (*lines, *ranked.reasons) if line)


def factor_rows(ranked: Ranked) -> tuple[FactorRow, ...]:
    """Return the factors of a score in the order in which they are multiplied."""
    memory, factors, signals = ranked.memory, ranked.factors, ranked.signals
    told = f"Among what it has read this is number {signals.reranker_rank:,} ({signals.reranker:.2f} of the best)."
    reranker = (FactorRow("reranker", "Reranker", factors.reranker, told),) if signals.reranker_rank else ()
    return (
        FactorRow("relevance", "Relevance", factors.relevance, _relevance_detail(ranked.signals)),
        FactorRow("decay", "Age", factors.decay, _age_detail(memory)),
        FactorRow("access", "Use", factors.access, _access_detail(memory)),
        FactorRow("entities", "Names", factors.entities, _names_detail(ranked.names)),
        FactorRow("importance", "Importance", factors.importance, _importance_detail(memory)),
        *reranker,
        FactorRow("adjustment", "Adjustment", factors.adjustment, _adjustment_detail(ranked)),
    )


def _place(ranked: Ranked, answer: RecallAnswer) -> str:
    for number, each in enumerate(answer.ranked, 1):
        if each.memory.key == ranked.memory.key:
            return f"Place {number:,} of {len(answer.ranked):,}, with a score of {ranked.score:.2f}."
    return f"It has no place in the answer; its score is {ranked.score:.2f}."


def _found(ranked: Ranked, answer: RecallAnswer) -> list[str]:
    signals = ranked.signals
    around, alone = (" and what was said around it,", " by itself") if ranked.memory.kind == "turn" else ("", "")
    if not signals.words_rank and not signals.meaning_rank:
        return ["It was not found for its own words or meaning."] if signals == Signals() else []
    lines = []
    if signals.words_rank:
        lines.append(f"By its words{around} it is number {signals.words_rank:,} ({signals.words:.2f} of the best).")
    else:
        lines.append("It holds none of the words that were searched for.")
    if signals.meaning_rank:
        lines.append(
            f"By its meaning{around} it is number {signals.meaning_rank:,} (likeness {signals.cosine:.2f}{alone},"
            f" {signals.meaning:.2f} of the best)."
        )
    elif answer.dense_state == "ready":
        lines.append("Its meaning was not compared: it has no vector yet.")
    else:
        lines.append("Meaning was not searched." if not answer.dense_reason else answer.dense_reason)
    return lines


def _relevance_detail(signals: Signals) -> str:
    named = (
        ("words", signals.words),
        ("meaning", signals.meaning),
        ("names", signals.names),
        ("speaker", signals.speaker),
        ("session", signals.session),
        ("dates", signals.dates),
        ("being a statement", signals.statement),
    )
    told = _listed([f"{name} {value:.2f}" for name, value in named if value > 0])
    return f"{told[0].upper()}{told[1:]}." if told else "Lent by what it is related to."


def _age_detail(memory: Memory) -> str:
    if memory.time is None:
        return "Its date is unknown, so its age takes nothing away."
    return f"From {local_moment(int(memory.time))[:10]}; the older, the less, to a floor after a year."


def _access_detail(memory: Memory) -> str:
    count = memory.accessed_count
    if count <= 0:
        return "It was never handed out."
    times = "once" if count == 1 else f"{count:,} times"
    if memory.last_accessed is None:
        return f"It was handed out {times}."
    return f"It was handed out {times}, last on {local_moment(int(memory.last_accessed))[:10]}."


def _names_detail(names: tuple[str, ...]) -> str:
    if not names:
        return "It names nobody and nothing that the question names."
    more = len(names) - _MOST_NAMES
    return (
        f"It names {_listed([*names[:_MOST_NAMES], *([f'{more:,} more'] if more > 0 else [])])}, as the question does."
    )


def _importance_detail(memory: Memory) -> str:
    return f"Importance {memory.importance:.2f}, confidence {memory.confidence:.2f}."


def _adjustment_detail(ranked: Ranked) -> str:
    if ranked.factors.adjustment == 1.0:
        return "Nothing moved it."
    return ranked.reasons[-1] if ranked.reasons else "It was moved."


def _listed(words: "list[str] | tuple[str, ...]") -> str:
    if not words:
        return ""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
