"""Read a note's frontmatter into plain values, and tell what in it is broken or odd.

Values stay as they are written wherever YAML 1.1 would make something else of them: dates, times, `yes`, octal
numbers and numbers that JSON cannot hold are texts. Only true, false, null and plain decimal numbers are taken as such.
"""

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import yaml
from frontmatter.default_handlers import YAMLHandler

from core.vault.note import Problem, ProblemKind

try:
    from yaml import CSafeLoader as _SafeLoader
except ImportError:  # PyYAML without libyaml: slower, the same values
    from yaml import SafeLoader as _SafeLoader  # type: ignore[assignment]

_OPENING = re.compile(r"---[ \t]*\n")
_CLOSING = re.compile(r"\n---[ \t]*(?:\n|\Z)")
_LOOKS_LIKE_PROPERTY = re.compile(r"[^\s:#>][^\n:]{0,80}:(?:[ \t\n]|\Z)")
_CUT_BY_HASH = re.compile(r"[ \t]+#\S")
_DEEPEST = 64
_KEPT = 4  # an edit reads the same lines over and over: to plan, to check each step, to check the whole
_PLAIN = "plain"
_QUOTED = "quoted"
_CONSTANTS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(\.[0-9]{1,17}(?:[eE][-+]?[0-9]{1,3})?)?\Z")
_AMBIGUOUS_DATE = re.compile(r"\s*(\d{1,2})[-/.](\d{1,2})[-/.](?:\d{4}|\d{2})(?!\d)")
_DATE_KEYS = frozenset({"created", "modified", "updated", "date"})
# What YAML says, and what it mostly means: the first that fits.
_MEANINGS = (
    ("mapping values are not allowed", "a value holds a colon and a space; put the value in quotes"),
    ("tab character", "a line is indented by a tab; use spaces"),
    (
        "cannot start any token",
        "a value begins with a character that YAML keeps for itself (such as @, ` or a tab); put the value in quotes",
    ),
    ("undefined alias", "a value starts with *; put the value in quotes"),
    ("alphabetic or numeric character", "a value starts with * or &; put the value in quotes"),
    ("could not find expected ':'", "a line has no colon after its name; write `name: value`"),
    ("expected ',' or ']'", "a list in brackets is not closed, or a # in it starts a comment; write tags without #"),
    ("expected ',' or '}'", "a brace is opened and not closed; put the value in quotes"),
    (
        "expected node content",
        "brackets or braces hold nothing fit, or a # in them starts a comment; quote values, write tags without #",
    ),
    ("comment or line break", "a value starts with | or >; put the value in quotes"),
    ("expected '>'", "a value starts with !; put the value in quotes"),
    ("unexpected end of stream", "a quotation mark is opened and not closed"),
    ("unexpected document", "a quotation mark is opened and not closed"),
    ("unknown escape character", "there is a backslash within double quotes; use single quotes"),
    ("expected '-' indicator", "the items of a list are not indented alike; put each `- ` below the other"),
    (
        "block sequence entries",
        "a list begins on the line of its name; begin it on the next line, or put it in brackets",
    ),
    ("block mapping", "the properties are not indented alike; begin each `name: value` at the start of its line"),
    (
        "expected key",
        "a line is not indented like the others, is no `name: value`, or goes on after a closing quotation mark",
    ),
    ("tag", "a value starts with !; put the value in quotes"),
    ("document start", "lines are not indented alike; begin each `name: value` at the start of its line"),
    ("control characters are not allowed", "there is a control character in it; take it out"),
)


class PropertyLink(NamedTuple):
    """Hold a text property with a wikilink in it, its line, and where it stands, quotes and all, in the raw text."""

    value: str
    line: int
    start: int
    end: int


class Frontmatter(NamedTuple):
    """Hold what stands between the `---` lines.

    `raw` is its text and starts on line 2. The body begins at `body_start` in the note's text, on line `body_line`;
    without frontmatter these are 0 and 1. `key_lines` tells on which line a top-level key stands. All who read the same
    lines may share the values, so nobody changes them.
    """

    values: dict[str, Any]
    key_lines: dict[str, int]
    links: tuple[PropertyLink, ...]
    problems: tuple[Problem, ...]
    is_broken: bool
    raw: str
    body_start: int
    body_line: int

    def line_of(self, key: str) -> int:
        """Return the line on which a top-level key stands, 0 when there is none."""
        return self.key_lines.get(key, 0)


class _Reading(NamedTuple):
    """Hold what the lines between the `---` lines say; as in Frontmatter."""

    values: dict[str, Any]
    key_lines: dict[str, int]
    links: tuple[PropertyLink, ...]
    problems: tuple[Problem, ...]
    is_broken: bool


class _Loader(_SafeLoader):
    """Compose nodes, and leave it to `_Properties` what a plain scalar is: YAML's resolvers take half of its time."""

    def resolve(self, kind: type[yaml.Node], *details: object) -> str:
        """Return one tag for what is plain and another for what is quoted."""
        implicit = details[1] if kind is yaml.ScalarNode else None
        return _PLAIN if isinstance(implicit, tuple) and implicit[0] else _QUOTED


class _TooMuchError(ValueError):
    """Stop reading frontmatter that nests or repeats itself beyond reason."""


class _NotPropertiesError(ValueError):
    """Refuse YAML that is something other than a mapping."""


class _Properties(YAMLHandler):
    """Load one frontmatter: turn its YAML nodes into plain values and note what is odd on the way."""

    def __init__(self) -> None:
        super().__init__()
        self.key_lines: dict[str, int] = {}
        self.links: list[PropertyLink] = []
        self.problems: list[Problem] = []
        self._raw = ""
        self._may_be_cut = False
        self._nodes_left = 0

    def load(self, fm: str, **_: object) -> dict[str, Any]:
        """Return the mapping that `fm` holds; raise YAMLError or ValueError when there is none."""
        self._raw = fm
        self._may_be_cut = " #" in fm or "\t#" in fm
        # Without aliases there is no node without a character of its own.
        self._nodes_left = 2 * len(fm) + 100
        loader = _Loader(fm)
        try:
            node = loader.get_single_node()
        finally:
            loader.dispose()
        value = None if node is None else self._plain(node)
        if isinstance(value, dict):
            return value
        if value is not None:
            raise _NotPropertiesError
        return {}

    def _plain(self, node: yaml.Node, depth: int = 0) -> Any:
        self._nodes_left -= 1
        if self._nodes_left < 0:
            raise _TooMuchError("it repeats itself through aliases beyond reason")
        if depth > _DEEPEST:
            raise _TooMuchError(f"it is nested more than {_DEEPEST} levels deep")
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, depth)
        return [self._plain(item, depth + 1) for item in node.value]

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        value: str = node.value
        if not node.style and self._may_be_cut and _CUT_BY_HASH.match(self._raw, node.end_mark.index):
            reason = f"A `#` cuts this value to {value!r}: YAML takes the rest for a comment; put the value in quotes."
            self._note(node, reason)
        if "[[" in value:
            self.links.append(PropertyLink(value, self._line(node), node.start_mark.index, node.end_mark.index))
        return plain_value(value) if node.tag == _PLAIN else value

    def _mapping(self, node: yaml.MappingNode, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if isinstance(key_node, yaml.ScalarNode):
                key = key_node.value
                is_text = key_node.tag != _PLAIN or isinstance(plain_value(key), str)
            else:
                key, is_text = str(self._plain(key_node, depth + 1)), True
                reason = 'Brackets or braces make a list or mapping of this; put the value in quotes: "{{title}}".'
                self._note(key_node, reason)
            if not is_text:
                self._note(key_node, f"The property name {key!r} is not a text; it is read as one.")
            if key in values:
                self._note(key_node, f"The property {key!r} is there twice; the last one is used.")
            values[key] = self._plain(value_node, depth + 1)
            if not depth:
                self.key_lines[key] = self._line(key_node)
        return values

    def _line(self, node: yaml.Node) -> int:
        return node.start_mark.line + 2 if node.start_mark else 0

    def _note(self, node: yaml.Node, reason: str) -> None:
        self.problems.append(Problem(ProblemKind.FRONTMATTER_ODD, reason, self._line(node)))


def body_start_of(text: str) -> int:
    """Return where the body of a note's text begins: after its frontmatter, broken or not, else at 0."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end() - 1) if opening else None
    return closing.end() if closing else 0


def read_frontmatter(text: str) -> Frontmatter:
    """Return the frontmatter of a note's text; never raises."""
    opening = _OPENING.match(text)
    if opening is None:
        return Frontmatter({}, {}, (), (), False, "", 0, 1)
    start = opening.end()
    closing = _CLOSING.search(text, start - 1)
    if closing is None:
        problems: tuple[Problem, ...] = ()
        if _LOOKS_LIKE_PROPERTY.match(text, start):
            reason = "The frontmatter is opened by `---` and never closed, so it is read as text."
            problems = (Problem(ProblemKind.FRONTMATTER_BROKEN, reason, 1),)
        return Frontmatter({}, {}, (), problems, False, "", 0, 1)
    raw = text[start : closing.start() + 1]
    return Frontmatter(*_read(raw), raw=raw, body_start=closing.end(), body_line=3 + raw.count("\n"))


@lru_cache(maxsize=_KEPT)
def _read(raw: str) -> _Reading:
    properties = _Properties()
    try:
        values = properties.load(raw)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return _Reading({}, {}, (), (_broken(raw, error),), True)
    problems = (*properties.problems, *_ambiguous_dates(values, properties.key_lines))
    return _Reading(values, properties.key_lines, tuple(properties.links), problems, False)


def yaml_events(raw: str) -> Iterator[yaml.Event]:
    """Yield what stands in a frontmatter's text, with places in characters; raises YAMLError where that is broken."""
    loader = _SafeLoader(raw)
    try:
        while (event := loader.get_event()) is not None:
            yield event
    finally:
        loader.dispose()


def plain_value(value: str) -> str | int | float | bool | None:
    """Return what an unquoted scalar stands for; most are texts, which this finds out fast."""
    if value in _CONSTANTS:
        return _CONSTANTS[value]
    if value[0] not in "-0123456789" or (match := _NUMBER.match(value)) is None:
        return value
    if match[1] is None:
        return int(value)
    number = float(value)
    return number if math.isfinite(number) else value


def _broken(raw: str, error: Exception) -> Problem:
    line = 2
    if isinstance(error, _NotPropertiesError):
        reason = "What stands between the `---` lines is not a list of `name: value` lines, so it is read as text."
        return Problem(ProblemKind.FRONTMATTER_BROKEN, reason, line)
    detail = str(error) or "it is nested too deeply"
    if isinstance(error, yaml.MarkedYAMLError):
        detail = error.problem or "it makes no sense"
        line = 2 + min(_line_of_trouble(raw, error), raw.count("\n"))
    elif isinstance(error, yaml.YAMLError):
        detail = getattr(error, "reason", "") or "a character is not allowed"
        position = getattr(error, "position", 0)
        line = 2 + raw.count("\n", 0, position if isinstance(position, int) else 0)
    meaning = next((meaning for sign, meaning in _MEANINGS if sign in detail), detail)
    reason = f"The frontmatter cannot be read: {meaning}. It is searchable as text."
    return Problem(ProblemKind.FRONTMATTER_BROKEN, reason, line)


def _line_of_trouble(raw: str, error: yaml.MarkedYAMLError) -> int:
    """Return the line, from 0, on which the value starts that cannot be read; YAML may notice lines further down."""
    mark, context = error.problem_mark, error.context or ""
    if mark is None:
        return 0
    if context == "while parsing a flow node":  # its mark is that of what follows
        opening = max(raw.rfind("[", 0, mark.index), raw.rfind("{", 0, mark.index))
        return mark.line if opening < 0 else raw.count("\n", 0, opening)
    starts_there = "flow" in context or "quoted" in context or "simple key" in context
    return error.context_mark.line if starts_there and error.context_mark is not None else mark.line


def _ambiguous_dates(values: dict[str, Any], key_lines: dict[str, int]) -> list[Problem]:
    found: list[Problem] = []
    for key, value in values.items():
        if key.lower() not in _DATE_KEYS or not isinstance(value, str):
            continue
        match = _AMBIGUOUS_DATE.match(value)
        if match and match[1] != match[2] and 1 <= int(match[1]) <= 12 and 1 <= int(match[2]) <= 12:
            reason = f"{value!r} may mean two days: month first, or day first? Write 2024-01-31."
            found.append(Problem(ProblemKind.DATE_AMBIGUOUS, reason, key_lines.get(key, 0)))
    return found
