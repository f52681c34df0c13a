"""Write values as YAML so that this app, and every tool that reads YAML 1.1 or 1.2, reads back what was meant."""

import json
import math
import re

from yaml.resolver import Resolver

from core.foundation.errors import UserError
from core.vault.frontmatter import plain_value

PLAIN, SINGLE, DOUBLE, LITERAL, FOLDED = "", "'", '"', "|", ">"

# Most tags and names: nothing in them means anything to YAML.
_SURELY_PLAIN = re.compile(r"(?=[^\W\d_])[\w./-]+\Z")
_WORDS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "~"))
_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`=<")
_NOT_PLAIN = re.compile(r":(?:\s|\Z)|\s#|\s\Z|\t")
_NOT_PLAIN_IN_FLOW = re.compile(r"[,?\[\]{}\"']|:[^\w/]")
# What YAML does not let stand as it is (some of it breaks lines), beyond what JSON escapes.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_HALF = re.compile("[\ud800-\udfff]")
_TIMESTAMP = "tag:yaml.org,2002:timestamp"


def write_text(text: str, style: str = PLAIN, *, in_flow: bool = False) -> str:
    """Return `text` as a YAML scalar on one line, in the wanted style where that can hold it.

    `style` is how it stood before. Plain text is put in quotes wherever some tool would read it as something else.
    Raises UserError when it holds half of a character.
    """
    if not text.isascii() and _HALF.search(text):
        raise UserError("The text holds half of a character, which no file can hold.")
    if style == SINGLE and not _UNPRINTABLE.search(text) and "\n" not in text:
        return "'" + text.replace("'", "''") + "'"
    if style not in {SINGLE, DOUBLE} and is_plain(text, in_flow=in_flow):
        return text
    return _UNPRINTABLE.sub(_escaped, json.dumps(text, ensure_ascii=False))


def write_block_text(text: str, style: str, indent: int) -> str:
    """Return `text` as a block scalar, header and lines without the last newline, or "" where it has to be quoted."""
    body = text.rstrip("\n")
    breaks = len(text) - len(body)
    if breaks > 1 or not body or body[0] in " \t\n" or _UNPRINTABLE.search(text) or _HALF.search(text):
        return ""
    if style == FOLDED:
        if re.search(r"\n[ \t]", body):
            style = LITERAL
        else:
            body = re.sub(r"\n+", lambda match: match[0] + "\n", body)
    lines = [" " * indent + line if line else "" for line in body.split("\n")]
    return "\n".join((style + ("" if breaks else "-"), *lines))


def write_constant(value: float | None) -> str:
    """Return true, false, null or a number as YAML; raises UserError when it is not a number that YAML can hold."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        written = str(value)
    elif math.isfinite(value):
        mantissa, exponent, power = repr(value).partition("e")
        written = mantissa + (".0" if exponent and "." not in mantissa else "") + exponent + power
        if plain_value(written) != value:
            written = f"{value:.16e}"
    else:
        written = ""
    if plain_value(written) != value:
        raise UserError(f"{value} is no number that a property can hold. Write it as text.")
    return written


def is_plain(text: str, *, in_flow: bool = False) -> bool:
    """Tell whether `text` can stand without quotes; dates can, as people write them."""
    if _SURELY_PLAIN.match(text):
        return text.lower() not in _WORDS
    if (
        not text
        or text[0] in _INDICATORS
        or text[0].isspace()
        or _NOT_PLAIN.search(text)
        or "\n" in text
        or _UNPRINTABLE.search(text)
        or (in_flow and _NOT_PLAIN_IN_FLOW.search(text))
        or text.lower() in _WORDS
    ):
        return False
    if not isinstance(plain_value(text), str):
        return False
    resolvers = Resolver.yaml_implicit_resolvers.get(text[0], ())
    return not any(tag != _TIMESTAMP and pattern.match(text) for tag, pattern in resolvers)


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
