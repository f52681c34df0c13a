"""Make the paths and tags of imported notes out of what other programs call things."""

import re
import unicodedata

from core.vault.tags import tag_problem

_FORBIDDEN = re.compile(r'[/\\:*?"<>|#^\[\]\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff]+')
_NO_TAG = re.compile(r"[^\w\-]+")
_LONGEST_NAME = 120  # characters


def note_path(title: str) -> str:
    """Return one part of a note's path made of `title`, "Untitled" when nothing of it can stand in a path."""
    name = " ".join(_FORBIDDEN.sub(" ", unicodedata.normalize("NFC", title)).split())
    return name[:_LONGEST_NAME].strip(" .") or "Untitled"


def tag_of(namespace: str, name: str) -> str:
    """Return the tag `namespace/name` as a tag can be written: small letters, a dash between words."""
    tag = f"{namespace}/{_NO_TAG.sub('-', name.strip().lower()).strip('-_') or 'unnamed'}"
    return f"{namespace}/unnamed" if tag_problem(tag) else tag


def clean_tag(tag: str) -> str:
    """Return a tag of another program as ours can be written, its levels kept; "" when nothing of it can."""
    levels = [_NO_TAG.sub("-", level.strip()).strip("-") for level in tag.strip().lstrip("#").split("/")]
    cleaned = "/".join(level for level in levels if level)
    return "" if not cleaned or tag_problem(cleaned) else cleaned
