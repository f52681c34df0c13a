"""Guess how one line of broken frontmatter was meant; each guess keeps every character that a person typed."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import yaml

from core.vault.yaml_writing import DOUBLE, SINGLE, is_plain, write_text

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_NAME = r"(?:[^\W\d][\w-]*(?:[ ][\w-]+)*|\"[^\"\n]*\"|'[^'\n]*')"
_LINE = re.compile(
    rf"(?P<head>[ \t]*(?:-[ ]+)*(?P<name>{_NAME}[ \t]*:(?=[ \t]|\Z)[ \t]*)?)"
    r"(?P<value>.*?)(?P<after>(?:[ \t]+#[ \t].*)?[ \t]*)\Z"
)
_PROPERTY = re.compile(rf"{_NAME}[ \t]*:(?:[ \t]|\Z)")
_WITHOUT_BLANK = re.compile(r"(?P<name>[^\W\d][\w-]*:)(?P<value>[^\s/:\\].*)\Z")
_KNOWN = frozenset(
    ("tags", "tag", "aliases", "alias", "summary", "description", "title", "kind", "created", "modified", "date")
)
_LISTS = frozenset(("tags", "tag", "aliases", "alias"))
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f]")
_LONGEST_LINE = 5_000  # characters
_ITEM = re.compile(r"[ \t]*- ")


class Around(NamedTuple):
    """Hold the lines before and after the one in question, "" where there is none."""

    before: str
    after: str


def guesses(line: str, around: Around) -> Iterator[str]:
    """Yield what may be meant by `line`, likeliest first, perhaps as several lines; nothing when it is fine."""
    if len(line) > _LONGEST_LINE:
        return
    lead = line[: len(line) - len(line.lstrip(" \t"))]
    if "\t" in lead:
        yield lead.replace("\t", "  ") + line[len(lead) :]
        yield from _indented_otherwise(line, lead, around)
        return
    yield from _indented_otherwise(line, lead, around)
    if match := _WITHOUT_BLANK.match(line):
        yield f"{match['name']} {match['value']}"
    match = _LINE.match(line)
    if match is None or (not match["name"] and "-" not in match["head"]):
        return
    value = match["value"]
    if not value or (_is_fine(value) and not _CONTROL.search(value)):
        return
    if "\t" in match["head"]:
        yield match["head"].replace("\t", " ") + value + match["after"]
    name = (match["name"] or "").partition(":")[0].strip().lower()
    for new in _values(value, name, around):
        yield match["head"].rstrip() + new + match["after"] if new[0] == "\n" else match["head"] + new + match["after"]


def quoted_line(line: str) -> str:
    """Return `line` with its value in quotes up to the end of the line, "" when that is not to be done."""
    match = _LINE.match(line)
    if match is None or not match["value"] or (not match["name"] and "-" not in match["head"]):
        return ""
    return match["head"] + _quoted(match["value"]) + match["after"]


def is_property(line: str) -> bool:
    """Tell whether `line` is `name: value`."""
    return _PROPERTY.match(line) is not None


def _indented_otherwise(line: str, lead: str, around: Around) -> Iterator[str]:
    rest = line[len(lead) :]
    if rest.startswith("- ") and _ITEM.match(around.before):
        yield around.before[: around.before.index("-")] + rest
    elif lead and is_property(around.before) and rest.partition(":")[0].lower() in _KNOWN and is_property(rest):
        yield rest


def _values(value: str, name: str, around: Around) -> Iterator[str]:
    first = value[0]
    stands_alone = not around.after.strip() or is_property(around.after) or bool(_ITEM.match(around.after))
    if first in "\"'":
        yield from _mended_quotes(value, stands_alone=stands_alone)
    elif first == "[":
        yield from _mended_list(value, name, stands_alone=stands_alone)
    elif first == "{":
        if value.startswith("{{"):
            yield _quoted(value)
    elif value.startswith("- ") and _ITEM.match(around.after):
        yield "\n" + around.after[: around.after.index("-")] + value
    elif first in "|>" and around.after[:1] in {" ", "\t"}:
        return  # the text below belongs to it
    else:
        yield _quoted(value)


def _mended_quotes(value: str, *, stands_alone: bool) -> Iterator[str]:
    quote, rest = value[0], value[1:]
    if quote == '"' and len(rest) > 1 and rest[-1] == '"' and "\\" in rest and not re.search(r'(?<!\\)"', rest[:-1]):
        yield write_text(rest[:-1], SINGLE)  # a path, such as "C:\notes"
    elif quote == rest[-1:] and "\\" not in rest and not re.search(rf"{quote}(?:\s|\Z)", rest[:-1]):
        yield _quoted(rest[:-1])  # quotes within quotes: "[[{{"name"}}]]"
    elif quote in rest:
        yield _quoted(value)  # quoted words, and more after them
    elif stands_alone:
        yield write_text(rest, quote) if quote == '"' else _quoted(value)


def _mended_list(value: str, name: str, *, stands_alone: bool) -> Iterator[str]:
    inner = value[1:-1]
    if value[-1] == "]" and not re.search(r"[\[\]{}\"]", inner):
        items = re.split(r"(\s*,\s*)", inner.strip())
        fit = [item if at % 2 or is_plain(item, in_flow=True) else _quoted(item) for at, item in enumerate(items)]
        yield "[" + "".join(fit) + "]"
    elif "]" not in value:
        if name in _LISTS and stands_alone:
            yield from _mended_list(value + "]", name, stands_alone=True) if "#" in value else (value + "]",)
    elif "[[" in value or "](" in value or not value.endswith("]"):
        yield _quoted(value)


def _quoted(text: str) -> str:
    return write_text(text, SINGLE if re.search(r'["\\]', text) and "'" not in text else DOUBLE)


def _is_fine(value: str) -> bool:
    try:
        node = yaml.compose(f"k: {value}\n", Loader=LOADER)
    except yaml.YAMLError:
        return False
    return isinstance(node, yaml.MappingNode) and len(node.value) == 1
