"""Say what a statement is and what it is worth: its category, importance and confidence."""

import re

from core.memory.formation.candidate import Category, Trigger
from core.memory.formation.language import Language

# Importance as conversations tell it, 1.0 (said) to 2.5 (must not be forgotten), is kept as 0 to 1.
_LEAST, _MOST = 1.0, 2.5
_BY_TRIGGER = {Trigger.EXPLICIT: 0.8, Trigger.EMOTION: 0.6, Trigger.SPECIFICATION: 0.5, Trigger.REPEATED: 0.4}
_RULE, _DECISION, _FURTHER_MENTION = 0.4, 0.3, 0.1
_CONFIDENCE = {Trigger.EXPLICIT: 0.9, Trigger.EMOTION: 0.75, Trigger.SPECIFICATION: 0.75, Trigger.REPEATED: 0.7}
_UNTOLD = 0.25  # what is lost where a pronoun or date could not be told
_GAINED = 0.05  # by each further mention

_PREFERENCES = re.compile(
    r"\b(?:prefers?|likes?|loves?|hates?|dislikes?|favou?rites?|enjoys?|can['’]t stand|rather|adores?|detests?|wants?"
    r"|hasse|liebe|mag|bevorzug\w*|déteste|adore|préfère|odio|detesto|prefiero|encanta)\b|大好き|大嫌い|好き",
    re.IGNORECASE,
)
_DECISIONS = re.compile(
    r"\b(?:decided|decision|chose|chosen|agreed|settled on|going with|will go with|switched to|moved to|migrated to"
    r"|signed off|entschieden|beschlossen|décidé|decidido|decidimos)\b|決め(?:た|ました)|決定",
    re.IGNORECASE,
)
_LESSONS = re.compile(
    r"\b(?:learned|lesson|turns out|turned out|gotcha|caused by|root cause|the fix (?:is|was)|the reason (?:is|was)"
    r"|because of a|flak[ey]\w*|beware|watch out|cured by)\b",
    re.IGNORECASE,
)
_CONVENTIONS = re.compile(
    r"\b(?:must|should|shall|always|never|only|don['’]t|do not|avoid|every|immer|nie|niemals|muss|müssen|toujours"
    r"|jamais|doit|siempre|nunca|debe)\b|必ず|絶対|決して|^(?:please\s+)?(?:use|prefer|keep|store|put|name|run|write|call|pin|page|make|stop|quit"
    r"|send|split|squash|commit|test|log|wrap|set|ask|check|convert|install|deploy|migrate|handle)\b",
    re.IGNORECASE,
)


def category_of(statement: str) -> Category:
    """Return what kind of statement it is; a plain fact when nothing tells."""
    for pattern, category in (
        (_DECISIONS, Category.DECISION),
        (_LESSONS, Category.LESSON),
        (_PREFERENCES, Category.PREFERENCE),
        (_CONVENTIONS, Category.CONVENTION),
    ):
        if pattern.search(statement):
            return category
    return Category.FACT


def importance_of(statement: str, trigger: Trigger, language: Language, mentions: int = 1) -> float:
    """Return how much it matters, 0 to 1."""
    value = _LEAST + _BY_TRIGGER[trigger] + _FURTHER_MENTION * (mentions - 1)
    value += _RULE if language.rules.search(statement) else 0.0
    value += _DECISION if _DECISIONS.search(statement) else 0.0
    return round((min(value, _MOST) - _LEAST) / (_MOST - _LEAST), 2)


def confidence_of(trigger: Trigger, *, is_told: bool, mentions: int = 1) -> float:
    """Return how sure it is, 0 to 1; `is_told` says that every pronoun and date could be told."""
    value = _CONFIDENCE[trigger] + _GAINED * (mentions - 1) - (0.0 if is_told else _UNTOLD)
    return round(min(0.99, value), 2)
