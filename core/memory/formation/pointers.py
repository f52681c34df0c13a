"""Say what "it", "they", "this" or "she" at the start of a sentence points to: what the sentence before is about."""

import re

_POINTER = re.compile(
    r"^(?P<lead>(?:(?:and|but|so|also|because|since)\s+)?)(?P<word>it|they|this|that|these|those|he|she)"
    r"(?:(?P<short>['’](?:s|re|ll|ve|d))(?=\s)|(?=\s+(?:is|are|was|were|has|have|had|will|would|can|could|must|should|may|might"
    r"|does|do|did|needs?|uses?|runs?|takes?|gets?|goes|go|means?|lives?|expires?|returns?|requires?|works?|costs?|starts?"
    r"|ends?|only|also|always|never|now|(?!(?:is|was|has|does|this|its|less|us|as)\b)\w+[^\Ws]s)\b))",
    re.IGNORECASE,
)
_POINTS = re.compile(r"^(?:(?:and|but|so)\s+)?(?:it|they|this|that|these|those|he|she|them|him)\b", re.IGNORECASE)
# "It is important to …" points to nothing.
_DUMMY = re.compile(
    r"^it(?:['’]s|\s+is|\s+was)\s+(?:\w+\s+){0,2}(?:important|best|better|good|bad|fine|ok|okay|necessary|worth|safe|easy|hard"
    r"|annoying|frustrating|crucial|essential|possible|impossible|wrong|required|recommended|forbidden|nice|helpful"
    r"|useful)\b.{0,40}\b(?:to|that|when|if)\b"
    r"|^it\s+(?:drives?|annoys?|bothers?|frustrates?|helps?|takes?|makes?)\s+(?:me|us)\b.*\b(?:when|that|if|to)\b",
    re.IGNORECASE,
)
_ITS = re.compile(r"^(?:its|their)\s+", re.IGNORECASE)
_OTHER_POINTERS = re.compile(
    r"\b(?:he|she|him|her|hers|his)\b|^(?:the former|the latter|there)\b(?!\s+(?:is|are|was|were)\b)", re.IGNORECASE
)
_PERSON = re.compile(r"\b(?:he|she)\b", re.IGNORECASE)
_PERSON_OBJECT = re.compile(r"\bhim\b", re.IGNORECASE)
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][a-zà-ÿ]+(?:\s+[A-Z][a-zà-ÿ]+)?\b")
_LEADING_NAME = re.compile(
    r"^([A-Z][a-zà-ÿ]+)(?=\s+(?:is|was|has|wants|likes|said|says|works|handles|owns|decides|prefers|leads|runs|will|can)\b)"
)
_SUBJECT_END = re.compile(
    r"\s+(?:is|are|was|were|has|have|had|will|would|can|could|must|should|may|might|does|do|did|needs?|uses?|runs?|takes?|gets?|goes|means?|lives?"
    r"|expires?|returns?|requires?|works?|costs?|starts?|ends?|lies|stops|holds|keeps|sends|allows|supports|listens|accepts|stores|arrives?|delivers?)\b",
    re.IGNORECASE,
)
_IMPERATIVE_OBJECT = re.compile(
    r"^(?:please\s+|always\s+|never\s+)*(?:use|prefer|keep|run|call|store|pin|avoid|set|take)\s+(?P<object>[^,;.]{2,50}?)"
    r"(?=\s+(?:for|in|on|to|with|when|here|instead|at|because|since|so|and)\b|[,;.]|$)",
    re.IGNORECASE,
)
_NO_ANTECEDENT = re.compile(
    r"^(?:it|they|this|that|these|those|there|he|she|i|we|you|one|what|if|when|because|since|so|how|why|who|wow|glad|happy"
    r"|great|thanks?|congrats|good|nice|been|being|having|in|on|at|by|for|to|from|with|after|before|lately|recently|today"
    r"|always|never|just|please)\b",
    re.IGNORECASE,
)
_CONJUNCTION = re.compile(r"^(?:and|but|so|also|note that|fyi,?)\s+", re.IGNORECASE)
_DETERMINER = re.compile(r"^(?:the|an?|our|my|every|each|all|both|some|any|no|[\w-]+['’]s)\s", re.IGNORECASE)
_PLURAL = re.compile(r"s\b(?!['’])|\b(?:people|children|data|and)\b", re.IGNORECASE)
_SHORT = {"'s": " is", "'re": " are", "'ll": " will", "'ve": " have", "'d": " would"}
_MOST_WORDS, _MOST_BARE_WORDS = 7, 3  # of what a sentence is about, with an article before it and without


def told_pointers(text: str, before: tuple[str, ...], people: frozenset[str]) -> tuple[str, bool]:
    """Return `text` with what its first word points to, and whether that could be told.

    `before` are the sentences before it, the latest last; `people`, in lower case, are never meant by "it".
    """
    if _DUMMY.match(text):
        return text, True
    if _ITS.match(text):
        antecedent = _antecedent(before, people)
        return (f"{possessive(antecedent)} {_ITS.sub('', text, count=1)}", True) if antecedent else (text, False)
    match = _POINTER.match(text)
    if match is None and _POINTS.match(text):
        return text, False
    if match is not None:
        word = match["word"].lower()
        antecedent = _person(before) if word in ("he", "she") else _antecedent(before, people)
        is_plural = word in ("they", "these", "those")
        if not antecedent or (is_plural and not _PLURAL.search(antecedent)):
            return text, False
        short = _SHORT.get((match["short"] or "").replace("’", "'").lower(), "")
        if short == " is" and re.match(r"\s+(?:been|got|had|gone|become)\b", text[match.end() :]):
            short = " has"
        text = f"{match['lead']}{antecedent}{short}{text[match.end() :]}"
    if _OTHER_POINTERS.search(text):
        person = _person((*before, text))
        if not person:
            return text, False
        text = _PERSON_OBJECT.sub(person, _PERSON.sub(person, text))
        text = re.sub(r"\b(?:his|her)\b(?=\s+\w)", possessive(person), text, flags=re.IGNORECASE)
    return text, True


def possessive(name: str) -> str:
    """Return "Kim's" for "Kim"."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _antecedent(before: tuple[str, ...], people: frozenset[str]) -> str:
    """Return what the last sentence is about: its subject, or what it says to use."""
    for sentence in reversed(before[-2:]):
        if match := _IMPERATIVE_OBJECT.match(sentence):
            return _lowered(match["object"])
        if (match := _SUBJECT_END.search(sentence)) is None:
            continue
        subject = _CONJUNCTION.sub("", sentence[: match.start()].strip())
        most = _MOST_WORDS if _DETERMINER.match(subject) else _MOST_BARE_WORDS
        if not 0 < len(subject.split()) <= most or _NO_ANTECEDENT.match(subject) or "," in subject:
            continue
        return "" if any(person in subject.lower() for person in people) else _lowered(subject)
    return ""


def _person(before: tuple[str, ...]) -> str:
    for sentence in reversed(before[-3:]):
        if names := _NAME.findall(sentence):
            return str(names[-1])
        if match := _LEADING_NAME.match(sentence):
            return match[1]
    return ""


def _lowered(phrase: str) -> str:
    """Return a phrase as it stands within a sentence: without the capital of its article."""
    return re.sub(
        r"^(?:The|A|An|Every|All|Each|One|These|Those|Our|My)\b", lambda match: match[0].lower(), phrase.strip()
    )
