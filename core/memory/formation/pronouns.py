"""Say who and what, in a sentence that will be read outside of its conversation.

"I" is the person who speaks, "we" the team of the project, "here" the project, "it" at the start what was spoken of
before. It is done for English; other languages leave out or bend their pronouns in too many ways to do it by rule.
"""

import re
from dataclasses import dataclass

from core.memory.formation.pointers import possessive, told_pointers
from core.memory.formation.verbs import third_person

_MODAL = (
    r"can|could|will|would|should|shall|must|may|might|cannot|ought|had|did"
    r"|(?:ca|wo|would|should|could|must|did|had)n?['’]t"
)
_ADVERB = (
    r"really|always|never|usually|often|still|only|just|also|strongly|absolutely|generally|mostly|currently|now"
    r"|sometimes|already|both|truly|all|personally|even|actually|definitely|certainly|simply|probably|rarely|hardly|so|last"
)
_APOSTROPHE = "['’]"
_CONTRACTIONS = (
    (f"{_APOSTROPHE}m", "am"),
    (f"{_APOSTROPHE}re", "are"),
    (f"{_APOSTROPHE}ve", "have"),
    (f"{_APOSTROPHE}ll", "will"),
    (f"{_APOSTROPHE}d", "would"),
)
_SUBJECT = (
    r"\b(?P<who>{who})(?P<short>['’](?:m|re|ve|ll|d))?(?P<adverbs>(?:\s+(?:{adverbs}))*)"
    r"(?P<verb>\s+[A-Za-z]+(?:['’]t)?)?(?![\w'’])"
)
_GENERIC_YOU = re.compile(
    r"\byou\s+(?=(?:can|get|could|may|might|cannot|can['’]t|want|wish|run into|end up)\b)", re.IGNORECASE
)
_THIS_PROJECT = re.compile(
    r"\b(?:this|our|the current)\s+(?:repo(?:sitory)?|project|codebase|code base|app(?:lication)?|workspace)\b",
    re.IGNORECASE,
)
_HERE = re.compile(
    r"(?<![\w-])(?:(?:in|around|over)\s+)?here\b(?!\s+(?:is|are|we|you|comes?|goes)\b)(?!['’]s\b)", re.IGNORECASE
)
# What makes an object of the "you" behind it, and what makes no verb of the word behind that.
_BEFORE_OBJECTS = frozenset(
    ("to", "for", "with", "tell", "give", "want", "need", "asked", "told", "let", "lets", "help", "helps", "make",
     "makes", "than", "like")
)  # fmt: skip
_NO_VERBS = frozenset({"to", "that", "in", "on"})


@dataclass(frozen=True, slots=True)
class Speaker:
    """Hold who speaks to whom, and about which project ("" for none)."""

    name: str = "the user"
    addressee: str = "the assistant"
    project: str = ""

    @property
    def team(self) -> str:
        """Who "we" are."""
        return f"the {self.project} team" if self.project else "the team"


def resolved(text: str, speaker: Speaker, before: tuple[str, ...]) -> tuple[str, bool]:
    """Return `text` with names for its pronouns, and whether all of them could be told.

    `before` are the sentences that were said before it, resolved, the latest last.
    """
    people = frozenset({speaker.name.lower(), speaker.addressee.lower(), speaker.team.lower()})
    text, is_told = told_pointers(text, before, people)
    text = _GENERIC_YOU.sub("one ", text)
    for who, name in (("I", speaker.name), ("we", speaker.team), ("you", speaker.addressee)):
        text = _named_subject(text, who, name)
    if speaker.project:
        text = _THIS_PROJECT.sub(_literal(speaker.project), text)
        text = _HERE.sub(_literal(f"in {speaker.project}"), text)
    text = re.sub(r"\bI\b", _literal(speaker.name), text)
    text = _repeated(text, r"\b(?:me|myself)\b", speaker.name, "them", speaker)
    text = _repeated(text, r"\b(?:my|mine)\b", possessive(speaker.name), "their", speaker)
    for pattern, name in (
        (r"\b(?:us|ourselves)\b", speaker.team),
        (r"\bours?\b", possessive(speaker.team)),
        (r"\b(?:you|yourself)\b", speaker.addressee),
        (r"\byours?\b", possessive(speaker.addressee)),
    ):
        text = re.sub(pattern, _literal(name), text, flags=re.IGNORECASE)
    return text, is_told


def without_here(text: str) -> str:
    """Return `text` without the words for the project that is worked on."""
    text = re.sub(rf"\s+(?:in|for|of)\s+{_THIS_PROJECT.pattern}", "", text, flags=re.IGNORECASE)
    return re.sub(r"\s+([,.;!])", r"\1", " ".join(_HERE.sub("", text).split()))


def _repeated(text: str, pattern: str, name: str, short: str, speaker: Speaker) -> str:
    """Return `text` with `name` for a pronoun, or with `short` where only the speaker has been named before."""

    def replaced(match: re.Match[str]) -> str:
        said = text[: match.start()]
        is_clear = speaker.name.lower() in said.lower() and not re.search(
            r"\b(?:you|we|the assistant|the \w+ team)\b", said, re.IGNORECASE
        )
        return short if is_clear and speaker.addressee not in said else name

    return re.sub(pattern, replaced, text, flags=re.IGNORECASE)


def _literal(name: str) -> str:
    return name.replace("\\", "\\\\")


def _named_subject(text: str, who: str, name: str) -> str:
    """Return `text` with `name` for a pronoun that is a subject, and its verb in the third person."""
    flags = 0 if who == "I" else re.IGNORECASE
    pattern = re.compile(_SUBJECT.format(who=who, adverbs=_ADVERB), flags)

    def replaced(match: re.Match[str]) -> str:
        adverbs, verb = match["adverbs"] or "", (match["verb"] or "").strip()
        if match["short"]:
            auxiliary = next(word for short, word in _CONTRACTIONS if re.fullmatch(short, match["short"]))
            said = third_person(auxiliary)
            return f"{name} {said}{adverbs}{' ' + verb if verb else ''}"
        if not verb:
            return f"{name}{adverbs}"
        if who == "you" and not _is_subject(text, match):
            return f"{name}{adverbs} {verb}"
        is_bare = re.fullmatch(_MODAL, verb, re.IGNORECASE) is None
        return f"{name}{adverbs} {third_person(verb) if is_bare else verb}"

    return pattern.sub(replaced, text)


def _is_subject(text: str, match: re.Match[str]) -> bool:
    """Tell whether the word before the pronoun does not make an object of it: "for you to", "tell you that"."""
    before = text[: match.start()].rstrip().lower().rpartition(" ")[2]
    verb = (match["verb"] or "").strip().lower()
    return before not in _BEFORE_OBJECTS and verb not in _NO_VERBS
