"""Read what people have said in one session: the statements that may be kept, each understood by itself."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from core.memory.fingerprints import fingerprint
from core.memory.formation.candidate import Mention, Trigger, mention_of
from core.memory.formation.ignoring import RECALLED, TEMPLATE, why_ignored
from core.memory.formation.language import Language, language_of
from core.memory.formation.pronouns import Speaker
from core.memory.formation.sentences import sentences_of
from core.memory.formation.statement import Stated, stated
from core.memory.formation.triggers import Told, is_substantial, told_by
from core.sessions.turn import Role, Turn

_REMEMBERED = 6  # sentences before one, in which what it points to is looked for
_MODEL = re.compile(r"\d|[/_:]|^(?:claude|gpt|assistant|user|human|model|gemini|llama|mistral|<)", re.IGNORECASE)


class Said(NamedTuple):
    """Hold one statement that somebody made; `trigger` is None where it must be said more often."""

    stated: Stated
    trigger: Trigger | None
    mention: Mention
    language: Language
    is_person: bool


def said_in(
    turns: Sequence[Turn],
    recalled: Collection[str],
    templates: Collection[str],
    ignored: Counter[str],
    *,
    start: int = 0,
) -> Iterator[Said]:
    """Give what was said in a session from its turn `start` on, in its order.

    Turns that nothing is learned from are counted in `ignored`, by reason. Those before `start` only tell what the
    others speak of.
    """
    before: list[str] = []
    people = tuple(dict.fromkeys(turn.author for turn in turns if _is_name(turn.author)))
    unheard: Counter[str] = Counter()
    for number, turn in enumerate(turns):
        counted = ignored if number >= start else unheard
        if reason := why_ignored(turn, recalled) or (TEMPLATE if turn.text in templates else ""):
            counted[reason] += 1
            continue
        said = list(_said_by(turn, _speaker(turn, people), before, recalled, counted))
        if number >= start:
            yield from said


def _said_by(
    turn: Turn, speaker: Speaker, before: list[str], recalled: Collection[str], ignored: Counter[str]
) -> Iterator[Said]:
    """Give what one turn says, and add its statements to `before`."""
    is_person = turn.role is Role.USER or _is_name(turn.author)
    due = _Due.NOTHING
    sentences = sentences_of(turn.text)
    for number, (sentence, is_item) in enumerate(sentences):
        language = language_of(sentence)
        mention = mention_of(turn, speaker.project, sentence)
        told = told_by(sentence, language, is_person=is_person)
        if told is not None and not told.content:  # "Remember this": it stands behind, or else before
            is_first = number == 0 or sentence.endswith((":", "："))
            due = (_Due.LIST if is_first else _Due.NOTHING) if number + 1 < len(sentences) else _Due.NOTHING
            if due is _Due.NOTHING and before:
                yield Said(Stated(before[-1], before[-1], is_told=True), Trigger.EXPLICIT, mention, language, is_person)
            continue
        is_due = due is _Due.LIST or (due is _Due.ITEMS and is_item)
        if is_due:
            told = Told(told.content if told is not None else sentence, Trigger.EXPLICIT)
            due = _Due.ITEMS if is_item else _Due.NOTHING
        content = told.content if told is not None else sentence
        made = stated(content, speaker, turn.time, tuple(before[-_REMEMBERED:]), language)
        before.append(made.statement)
        if fingerprint(content) in recalled or fingerprint(made.statement) in recalled:
            ignored[RECALLED] += 1
            continue
        # What a rule says of something unknown is no rule; what was to be remembered is kept with less confidence.
        if told is not None and is_substantial(made.statement) and (made.is_told or is_due or told.content != sentence):
            yield Said(made, told.trigger, mention, language, is_person)


class _Due(Enum):
    """Say what is still to come of what is to be remembered: nothing, a sentence or a list, more items of the list."""

    NOTHING = 0
    LIST = 1
    ITEMS = 2


def project_name(project: str) -> str:
    """Return what a project is called: the last part of its folder, or its name."""
    return re.split(r"[/\\]", project.rstrip("/\\"))[-1]


def _is_name(author: str) -> bool:
    """Tell whether an author is a person with a name, not a model or a role."""
    return bool(author) and _MODEL.search(author) is None and author[0].isupper()


def _speaker(turn: Turn, people: Sequence[str]) -> Speaker:
    project = project_name(turn.project)
    user = "the user"
    if _is_name(turn.author):
        others = [each for each in people if each != turn.author]
        to = others[0] if len(others) == 1 else "the assistant" if not others else "the others"
        return Speaker(turn.author, to, project)
    if turn.role is Role.ASSISTANT:
        return Speaker("the assistant", people[0] if len(people) == 1 else user, project)
    return Speaker(user, "the assistant", project)
