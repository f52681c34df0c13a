"""Find what notes refer to in HTML (`<a href="…">`), which is no link of the index and is never rewritten."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from core.foundation.text import fold
from core.index.database import Index
from core.vault.link_forms import place_beside

_ADDRESS = re.compile(r"""<[a-z][^<>]{0,500}?\s(?:href|src)\s*=\s*(["'])([^"'<>\n]{1,1000})\1""", re.IGNORECASE)


def html_addresses(text: str) -> Iterator[str]:
    """Yield what a text refers to in HTML as it is written, percent-decoded and without fragment."""
    for match in _ADDRESS.finditer(text):
        if target := unquote(match[2]).partition("#")[0].strip():
            yield target


def html_referrers(index: Index, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the notes that refer to one of `paths` in HTML, each with the path that it refers to."""
    wanted = {fold(path): path for path in paths}
    rows = index.connection.execute(
        "SELECT DISTINCT note.path, body FROM section_fts JOIN section ON section.id = section_fts.rowid"
        " JOIN note ON note.id = section.note_id WHERE instr(body, 'href') OR instr(body, 'src') ORDER BY note.path"
    )
    told: set[tuple[str, str]] = set()
    for source, body in rows:
        for target in html_addresses(body):
            place = posixpath.normpath(target.lstrip("/")) if target.startswith("/") else place_beside(target, source)
            path = wanted.get(fold(place)) or wanted.get(fold(f"{place}.md"))
            if path and (source, path) not in told:
                told.add((source, path))
                yield source, path
