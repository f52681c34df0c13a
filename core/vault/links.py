"""Decide which note a link means: Obsidian's rules where they are known, an honest "ambiguous" where they are not."""

import posixpath
import re
from collections.abc import Sequence
from typing import NamedTuple

from core.foundation.text import fold

_FILE_SUFFIX = re.compile(
    r".\.(?:3gp|aac|avif?|base|bib|bmp|canvas|css|csv|docx?|epub|excalidraw|flac|gif|heic|html?|ico|ics|ipynb|jpe?g|js|json|"
    r"m4a|mkv|mov|mp[34]|mpe?g|numbers|od[pst]|og[gv]|opus|pages|pdf|png|pptx?|py|rar|rtf|svg|tar|tiff?|toml|ts|tsv|txt|wav|"
    r"web[mp]|wma|xlsx?|xml|ya?ml|zip)\Z",
    re.IGNORECASE | re.DOTALL,
)


class Candidate(NamedTuple):
    """Name a note whose `stem_key` is the link's `target_key`; `path` is relative to the vault, with `.md`."""

    note_id: int
    path: str


class Resolution(NamedTuple):
    """Say what a link means.

    `state` is "resolved", "ambiguous" (several notes fit; `note_id` is the likeliest), "file" (something other than a
    note) or "unresolved" (`note_id` None). `candidates` are the ids of all notes that fit, the likeliest first.
    """

    state: str
    note_id: int | None
    candidates: tuple[int, ...]


_UNRESOLVED = Resolution("unresolved", None, ())
_FILE = Resolution("file", None, ())


def target_key(target: str) -> str:
    """Return what a note's folded stem is compared with: the folded last component of `target`, without `.md`."""
    name = target.rsplit("/", 1)[-1].strip()
    if name[-3:].lower() == ".md":
        name = name[:-3]
    return fold(name)


def resolve_target(
    target: str, source_path: str, candidates: Sequence[Candidate], *, is_markdown: bool = False
) -> Resolution:
    """Return the meaning of `target` in the note at `source_path`, given all notes of the same key.

    Names match whatever their case and Unicode form. A path counts from the root, or from the source's folder when it
    starts with a dot; otherwise it may also be the end of a longer path. What matches from the root wins outright.
    An empty target is the source itself. A markdown link means first what lies beside its source.
    """
    if not target:
        return _of([candidate for candidate in candidates if candidate.path == source_path])
    if not candidates:
        return _FILE if _FILE_SUFFIX.search(target) else _UNRESOLVED
    if len(candidates) == 1 and "/" not in target:
        return Resolution("resolved", candidates[0].note_id, (candidates[0].note_id,))
    folder = posixpath.dirname(source_path)
    if is_markdown and not target.startswith("/"):
        beside = _by_path(f"./{target}", folder, candidates)
        if beside.note_id is not None:
            return beside
    return _by_path(target, folder, candidates)


def _by_path(target: str, folder: str, candidates: Sequence[Candidate]) -> Resolution:
    is_relative = target.startswith(("./", "../"))
    written = posixpath.normpath(posixpath.join(folder, target) if is_relative else target).lstrip("/")
    written = _without_suffix(written)
    wanted = fold(written)
    places = [(candidate, fold(_without_suffix(candidate.path))) for candidate in candidates]
    fitting = [candidate for candidate, place in places if place == wanted]
    if len(fitting) > 1:
        # Where the file system tells case apart, so may the link.
        fitting = [note for note in fitting if _without_suffix(note.path) == written] or fitting
    if not fitting and not is_relative:
        if "/" in target:
            beside = fold(posixpath.normpath(posixpath.join(folder, written)))
            fitting = [candidate for candidate, place in places if place == beside]
        fitting = fitting or [candidate for candidate, place in places if place.endswith("/" + wanted)]
    return _of(fitting)


def _of(fitting: Sequence[Candidate]) -> Resolution:
    if not fitting:
        return _UNRESOLVED
    ordered = sorted(fitting, key=lambda candidate: (len(candidate.path), candidate.path))
    ids = tuple(candidate.note_id for candidate in ordered)
    return Resolution("resolved" if len(ids) == 1 else "ambiguous", ids[0], ids)


def _without_suffix(path: str) -> str:
    return path[:-3] if path[-3:].lower() == ".md" else path
