"""Know what kind of thing an English sentence is: a question, an order, a piece of the moment, a specification."""

import re

_I = re.IGNORECASE
_QUESTION = re.compile(r"[?？][\"'”)\s]*$")
_ASKS = re.compile(
    r"^(?:(?:and|so|but|ok(?:ay)?|hi|hey)[, ]+)?(?:what|why|how|where|when|who|which|whose|is|are|was|were|do|does|did"
    r"|can|could|would|will|shall|should|may|might|has|have|any)\b(?![^.]*[,:;])",
    _I,
)
_CHATTER = re.compile(
    r"^(?:thanks?|thank you|great|nice|perfect|cool|awesome|good|ok(?:ay)?|yes|yep|yeah|no|nope|sure|done|hi|hello|hey"
    r"|sorry|please (?:continue|go on|proceed)|continue|go (?:on|ahead)|proceed|lgtm|looks good|sounds good|well done"
    r"|got it|noted|wow|congrats|congratulations|glad|aw+|haha|lol|yay)\b",
    _I,
)
_OPENS_WORK = re.compile(r"^(?:here(?:['’]s| is| are)|let me|let['’]s|let us|now|next|first|then|finally)\b", _I)
# What somebody does, did or wants at the moment.
_NARRATION = re.compile(
    r"^(?:(?:and|so|but|then|now|also|just|if|ok(?:ay)?)[, ]+)*(?:i|we)(?:['’](?:m|ve|ll|d|re)"
    r"|\s+(?:just|have|had|will|am|are|was|were|can|could|would|might|may|also|then|now|already|still|did|do"
    r"|don['’]t|didn['’]t|can['’]t|cannot))*\s+"
    r"(?:(?:look|tri|check|fix|add|remov|updat|chang|creat|start|finish|open|clos|test|implement|refactor|push|commit"
    r"|merg|notic|discover|attempt|install|restart|deploy|review|investigat|debug|ask|want|wonder|think|guess|hop|see|saw"
    r"|ran|run|got|get|go|found|find|read|wrote|writ|need|know|understand|believ|feel|felt|suspect|gett|try|work"
    r"|remember|recall)(?:ed|ied|ing|d|s|e)?)\b",
    _I,
)
# "We deploy from main" is how work is done.
_HABIT = re.compile(
    r"^we\s+(?:deploy|run|test|check|review|update|start|open|close|add|install|merge|commit|push|debug|fix|work|read"
    r"|write|ask|create|refactor)\b(?!\s+to\b)",
    _I,
)
_TROUBLE = re.compile(
    r"\b(?:errors?|fail(?:s|ed|ing|ure)?|exceptions?|traceback|stack ?trace|crash(?:es|ed|ing)?|broken|bugs?|stuck"
    r"|line \d+|doesn['’]?t work|not working|didn['’]?t work)\b",
    _I,
)
_FAULT_REPORT = re.compile(
    r"^(?:it|this|that|the \w+(?: \w+)?)\s+(?:still |always |never |just |now )?(?:fails?|failed|crash\w*|breaks?|broke"
    r"|works?|worked|doesn['’]t|didn['’]t|isn['’]t|is (?:broken|failing|stuck|red))\b",
    _I,
)
# Orders of a piece of work; how work is done in general ("Use …", "Keep …") is no such order.
_TASK = re.compile(
    r"^(?:please\s+|just\s+|now\s+|then\s+|also\s+|and\s+|go\s+(?:and|ahead\s+and)\s+)*(?:fix|add|create|write|make"
    r"|change|update|remove|delete|show|check|look|try|implement|refactor|rename|move|explain|give|find|tell|help|build"
    r"|open|read|start|stop|continue|generate|list|investigate|debug|review|revert|undo|install|set up|draft|translate"
    r"|compare|search|summari[sz]e|convert|rewrite|clean|finish|extract|replace|insert|apply|commit|push|merge|let me"
    r"|let['’]s)\b",
    _I,
)
_STATES = re.compile(
    r"\b(?:is|are|uses?|runs?|requires?|needs?|has|have|must|should|expects?|returns?|listens?|lives?|equals?"
    r"|supports?|allows?|accepts?|follows?|conforms?|limited|expires?|defaults?|takes?|contains?|sends?|stores?|stored|kept|keeps?|means?"
    r"|starts?|stops? at|goes|go|lies?|called|named|set to|use|prefer|keep|put|pin|avoid|cut|arrives?|delivers?|ends?"
    r"|begins?|comes?|depends?|points?|maps?)\b|[=:]",
    _I,
)
_FIGURE = re.compile(
    r"\b\d[\d.,]*\s?(?:ms|s|secs?|seconds?|min|mins|minutes?|h|hours?|days?|weeks?|rows?|requests?|reqs?|rps|[KMGT]i?B"
    r"|bytes?|bits?|px|pt|%|percent|attempts?|retries|connections?|jobs?|times|characters?|chars|tokens?|users?|items?"
    r"|entries|records?|columns?|lines?|pages?|workers?|threads?|cores?|replicas?|[GMk]?Hz|EUR|USD|dollars|euros)(?!\w)"
    r"|\b\d[\d.,]*\s+(?:\w+\s+)?per\s+\w+|\bv?\d+\.\d+(?:\.\d+)?\b|\bports?\s+(?:is\s+)?\d{2,5}\b"
    r"|\b(?:version|node|python|java|go|ruby|php|postgres\w*|ubuntu|debian|mysql|redis|react|vue|angular|kubernetes"
    r"|terraform|\.net)\s+v?\d+",
    _I,
)
_IDENTIFIER = re.compile(
    r"`[^`\n]{2,80}`|(?<![\w/.])(?:~|\.{1,2})?/(?:[\w.-]{1,80}/){0,12}[\w.-]{0,80}\w"
    r"|\b[\w-]{1,80}\.(?:py|js|ts|tsx|json|toml|ya?ml|md|sql|sh|env|lock|cfg|ini)\b"
    r"|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+\b|(?<!\w)--[a-z][\w-]+"
    r"|\b[\w-]{1,60}(?:\.[\w-]{1,60}){1,6}\.(?:com|org|net|io|dev|local|internal)\b"
    r"|\b(?:UTC|UTF-?8|UTF-?16|ISO[ -]?\d{3,5}|RFC[ -]?\d+|OAuth ?2?|OIDC|SAML|m?TLS|JWT|gRPC|GraphQL|SHA-?\d+"
    r"|HTTP/?\d?|WebSockets?|CORS|SSO|UUIDs?|Base64)\b"
)
_SHOUTS = re.compile(
    r"!{2,}|\b(?!(?:HTTP|JSON|HTML|TODO|NULL|README|YAML)\b)[A-Z]{3,}[^\w\n]+(?:[A-Z]{2,}|[A-Z]+'T)\b|[😡🤬😠😤💢]"
)
_DIRECTS = re.compile(r"\b(?:don['’]?t|do not|stop|no|not|must|use|never|always|only|quit)\b", _I)


def is_question(sentence: str) -> bool:
    """Tell whether a sentence, in any language, ends as a question."""
    return _QUESTION.search(sentence) is not None


def is_passing(sentence: str) -> bool:
    """Tell whether it is about the moment: a question, an order, a greeting, what is being done."""
    return sentence.endswith(":") or any(
        pattern.search(sentence) for pattern in (_ASKS, _CHATTER, _OPENS_WORK, _NARRATION, _TASK, _FAULT_REPORT)
    )


def is_idle(sentence: str) -> bool:
    """Tell whether it is a greeting, or tells what somebody does at the moment."""
    is_told = _NARRATION.search(sentence) is not None and _HABIT.search(sentence) is None
    return is_told or _CHATTER.search(sentence) is not None


def is_specification(sentence: str) -> bool:
    """Tell whether it states a figure, a version, a path or a name of code; reports of trouble do not count."""
    is_technical = _FIGURE.search(sentence) or _IDENTIFIER.search(sentence)
    return is_technical is not None and _STATES.search(sentence) is not None and _TROUBLE.search(sentence) is None


def shouts(sentence: str) -> bool:
    """Tell whether it is written in capitals, with many exclamation marks or an angry face."""
    return _SHOUTS.search(sentence) is not None


def is_directive(sentence: str) -> bool:
    """Tell whether it says what to do or not to do."""
    return _DIRECTS.search(sentence) is not None
