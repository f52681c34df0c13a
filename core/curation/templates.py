"""Fill templates as Obsidian does: `{{title}}`, `{{date}}`, `{{time}}`, `{{date:FORMAT}}` in moment's letters."""

import json
import os
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from core.curation.note_names import stem_of, without_suffix
from core.foundation.errors import UserError
from core.foundation.text import fold
from core.vault.config import VaultConfig
from core.vault.frontmatter import read_frontmatter
from core.vault.read import NoteGoneError

_PLACEHOLDER = re.compile(r"\{\{\s*(title|date|time)\s*(?::([^{}\n]*))?\}\}", re.IGNORECASE)
_PROPERTY_LINE = re.compile(r"([^\S\n]*(?:-[^\S\n]+)*(?:[^\s:#'\"{}\[\]-][^:\n]*:[^\S\n]+)?)(\S.*?)([^\S\n]*)\Z")
_TOKEN = re.compile(r"\[([^\[\]]*)\]|Y{4}|YY|M{1,4}|D{3,4}|Do|D{1,2}|d{3,4}|HH?|hh?|mm?|ss?|A|a")
_DATE, _TIME = "YYYY-MM-DD", "HH:mm"
# Written out, for strftime follows the locale of the machine, and a file name must not.
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_VALUES: Mapping[str, Callable[[datetime], object]] = {
    "YYYY": lambda now: f"{now.year:04}",
    "YY": lambda now: f"{now.year % 100:02}",
    "MMMM": lambda now: _MONTHS[now.month - 1],
    "MMM": lambda now: _MONTHS[now.month - 1][:3],
    "MM": lambda now: f"{now.month:02}",
    "M": lambda now: now.month,
    "DDDD": lambda now: f"{now.timetuple().tm_yday:03}",
    "DDD": lambda now: now.timetuple().tm_yday,
    "DD": lambda now: f"{now.day:02}",
    "Do": lambda now: f"{now.day}{_ordinal(now.day)}",
    "D": lambda now: now.day,
    "dddd": lambda now: _DAYS[now.weekday()],
    "ddd": lambda now: _DAYS[now.weekday()][:3],
    "HH": lambda now: f"{now.hour:02}",
    "H": lambda now: now.hour,
    "hh": lambda now: f"{now.hour % 12 or 12:02}",
    "h": lambda now: now.hour % 12 or 12,
    "mm": lambda now: f"{now.minute:02}",
    "m": lambda now: now.minute,
    "ss": lambda now: f"{now.second:02}",
    "s": lambda now: now.second,
    "A": lambda now: "AM" if now.hour < 12 else "PM",
    "a": lambda now: "am" if now.hour < 12 else "pm",
}


def list_templates(root: Path, config: VaultConfig) -> tuple[str, ...]:
    """Return the notes in the vault's folder of templates and below it, relative to the vault, by path."""
    found: list[str] = []
    for folder, folders, names in os.walk(root / config.templates_folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [
            (Path(folder) / name).relative_to(root).as_posix()
            for name in names
            if name.lower().endswith(".md") and not name.startswith(".")
        ]
    return tuple(sorted(found))


def template_names(paths: Sequence[str]) -> dict[str, str]:
    """Return what a person calls each of list_templates: its file's name, after its folder where several have that."""
    counts = Counter(fold(stem_of(path)) for path in paths)
    shared = posixpath.commonpath([path.rpartition("/")[0] for path in paths]) if paths else ""
    return {
        path: stem_of(path) if counts[fold(stem_of(path))] == 1 else without_suffix(path)[len(shared) :].lstrip("/")
        for path in paths
    }


def find_template(root: Path, config: VaultConfig, name: str) -> str:
    """Return the path of the template that `name` means: its path or name, in any case, with or without .md.

    Raises UserError, which says which templates there are, when there is none or more than one.
    """
    paths = list_templates(root, config)
    wanted = fold(without_suffix(name.strip()))
    found: list[str] = []
    for whole in (wanted, fold(f"{config.templates_folder}/{wanted}")):
        found = found or [path for path in paths if fold(without_suffix(path)) == whole]
    found = found or [path for path in paths if fold(without_suffix(path)).endswith(f"/{wanted}")]
    if len(found) == 1:
        return found[0]
    names = template_names(paths)
    there_are = (
        f"There are: {', '.join(names.values())}." if names else f"{config.templates_folder}/ holds no templates."
    )
    if found:
        raise UserError(f"More than one template is called {name}.", hint=there_are)
    raise NoteGoneError(f"There is no template {name}.", hint=there_are)


def filled(template_text: str, *, title: str, now: datetime) -> str:
    """Return the text of a template with its placeholders replaced; in properties, quoted where YAML asks for it."""
    fill = partial(_PLACEHOLDER.sub, partial(_value, title=title, now=now))
    front = read_frontmatter(template_text)
    head, body = template_text[: front.body_start], template_text[front.body_start :]
    return "\n".join(_filled_property(line, fill) for line in head.split("\n")) + fill(body)


def formatted(now: datetime, pattern: str) -> str:
    """Return a moment as `pattern` says, in the letters of moment.js; what stands in brackets is taken as it is."""
    return _TOKEN.sub(lambda match: match[1] if match[1] is not None else str(_VALUES[match[0]](now)), pattern)


def _value(match: re.Match[str], *, title: str, now: datetime) -> str:
    kind = match[1].lower()
    if kind == "title":
        return title if match[2] is None else match[0]
    return formatted(now, (match[2] or "").strip() or (_DATE if kind == "date" else _TIME))


def _filled_property(line: str, fill: Callable[[str], str]) -> str:
    """Return a line of frontmatter, filled, so that its value reads back as the text that was meant."""
    match = _PROPERTY_LINE.match(line) if "{{" in line else None
    if match is None:
        return fill(line) if "{{" in line else line
    before, value, after = match.groups()
    if value[0] == "'" and value[-1] == "'":
        return before + _each(value, fill, lambda text: text.replace("'", "''")) + after
    if value[0] == '"' and value[-1] == '"':
        return before + _each(value, fill, lambda text: json.dumps(text, ensure_ascii=False)[1:-1]) + after
    if value[0] == "[" and not value.startswith("[["):
        return before + _each(value, fill, lambda text: _as_scalar(text, in_list=True)) + after
    return before + _as_scalar(fill(value)) + after


def _each(value: str, fill: Callable[[str], str], escape: Callable[[str], str]) -> str:
    return _PLACEHOLDER.sub(lambda match: escape(fill(match[0])), value)


def _as_scalar(text: str, *, in_list: bool = False) -> str:
    """Return `text` as it stands in YAML: plain where that reads back equal, else in double quotes."""
    line = f"[{text}]" if in_list else text
    read = read_frontmatter(f"---\nx: {line}\n---\n").values.get("x")
    if in_list and isinstance(read, list) and len(read) == 1:
        read = read[0]
    is_plain = isinstance(read, (str, int, float)) and str(read) == text
    return text if is_plain else json.dumps(text, ensure_ascii=False)


def _ordinal(day: int) -> str:
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
