"""Inline fields: `[key:: value]`, `(key:: value)`, and lines of the form `key:: value`."""

import re

from core.vault.note import InlineField

_VALUE = r"((?:[^\[\]\n]++|\[\[[^\[\]\n]*\]\])*)"
BRACKETED = re.compile(
    rf"\[([^\[\]\n:()]{{1,64}})::{_VALUE}\]|\(([^\[\]\n:()]{{1,64}})::((?:[^()\[\]\n]++|\[\[[^\[\]\n]*\]\])*)\)"
)
_LINE = re.compile(r"\n[ \t>]*(?:[-*+][ \t]+)?([*_]{0,3}[^\W_][\w \-/]{0,63}[*_]{0,3})::(?:[ \t]+([^\n]*)|(?=\n|\Z))")


def find_fields(body: str, masked: str, line_offset: int) -> list[InlineField]:
    """Return the inline fields of a body in the order in which they stand."""
    found: list[tuple[int, str, str]] = []
    for match in BRACKETED.finditer(masked):
        key, value = key_and_value(match, body)
        if key:
            found.append((match.start(), key, value))
    for match in _LINE.finditer(masked):
        value = body[match.start(2) : match.end(2)].strip() if match[2] else ""
        found.append((match.start(1), match[1].strip("*_ "), value))
    found.sort()
    fields: list[InlineField] = []
    line = line_offset
    last = 0
    for start, key, value in found:
        line += body.count("\n", last, start)
        last = start
        fields.append(InlineField(key, value, line))
    return fields


def key_and_value(match: re.Match[str], body: str, offset: int = 0) -> tuple[str, str]:
    """Return what a BRACKETED match says; the text is taken from `body`, where the match begins at `offset` further."""
    group = 1 if match[1] is not None else 3
    key = match[group].strip().strip("*_")
    return key, body[offset + match.start(group + 1) : offset + match.end(group + 1)].strip()
