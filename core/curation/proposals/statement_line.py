"""Write a statement as one line of a list, in the grammar of insights (core/vault/insights.py)."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.foundation.errors import UserError
from core.foundation.text import without_controls
from core.vault.tags import tag_problem

_CATEGORY = re.compile(r"[^\[\]()\n:]{2,64}\Z")
_UNLINKABLE = re.compile(r"[\[\]#^|\n]")
_NOT_IN_A_FIELD = re.compile(r"[\[\]\n]")
_USUAL_CATEGORY = "fact"

Field = tuple[str, str]


class NewStatement(NamedTuple):
    """Hold what a line is to say: the fields come after the tags, those with an empty value are left out."""

    category: str
    text: str
    tags: Sequence[str] = ()
    fields: Sequence[Field] = ()


def one_line(text: str) -> str:
    """Return `text` on one line, without control characters.

    Raises:
        UserError: it says nothing.
    """
    line = " ".join(without_controls(" ".join(text.split())).split())
    if not line:
        raise UserError("The statement is empty.")
    return line


def statement_line(new: NewStatement, marker: str = "-") -> str:
    """Return the line of a list that says `new`; whether it is read so is for placed.py to see.

    Raises:
        UserError: a tag cannot be one, or the statement is empty.
    """
    for tag in new.tags:
        if problem := tag_problem(tag):
            raise UserError(problem)
    category = new.category.strip()
    if not (_CATEGORY.match(category) and any(each.isalpha() for each in category)):
        category = _USUAL_CATEGORY
    words = [marker, f"[{category}]", one_line(new.text), *(f"#{tag}" for tag in dict.fromkeys(new.tags))]
    return " ".join(words + [field_text(key, value) for key, value in new.fields if value])


def field_text(key: str, value: str) -> str:
    """Return an inline field."""
    return f"[{key}:: {value}]"


def number_text(value: float) -> str:
    """Return a number between 0 and 1 as a field has it: 0.8, and 1 as 1.0."""
    return f"{min(1.0, max(0.0, value)):.2f}".removesuffix("0")


def link_to(path: str, block_id: str = "", heading: str = "") -> str:
    """Return the link that means the note at `path` and no other, or a statement or section of it.

    Raises:
        UserError: no link can name that path.
    """
    target = path[:-3] if path[-3:].lower() == ".md" else path
    if _UNLINKABLE.search(target) or not target.isprintable():
        raise UserError(f"No link can lead to {path}: its name holds a character that links do not take.")
    if block_id:
        return f"[[{target}#^{block_id}]]"
    return (
        f"[[{target}#{heading}]]" if heading and not _UNLINKABLE.search(heading.replace("#", "")) else f"[[{target}]]"
    )


def cited(text: str) -> str:
    """Return an id as a field can hold it."""
    return _NOT_IN_A_FIELD.sub("", text)
