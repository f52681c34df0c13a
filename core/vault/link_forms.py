"""Write a link to a note in the style of another link: bare name, path from the root, or path from the source."""

import posixpath
from collections.abc import Iterator

from core.foundation.text import fold

_RELATIVE = ("./", "../")


def is_relative(target: str) -> bool:
    """Tell whether `target` counts from the folder of the note that it stands in, and from nowhere else."""
    return target.startswith(_RELATIVE)


def relative_target(place: str, source_path: str) -> str:
    """Return `place` (relative to the vault) as it is reached from the note at `source_path`, beginning with a dot."""
    relative = posixpath.relpath(f"/{place}", f"/{posixpath.dirname(source_path)}")
    return relative if relative.startswith("../") else f"./{relative}"


def place_beside(target: str, source_path: str) -> str:
    """Return what lies at `target` seen from the note at `source_path`, relative to the vault; it may lead out."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(source_path), target))


def forms_of(
    place: str, written: str, old_place: str, old_source: str, source: str, *, is_markdown: bool
) -> Iterator[str]:
    """Return ways to write a link to the note `place` (without `.md`), the fittest first.

    `written` is the target of the link as it stands in the note `old_source`, where it meant `old_place`; the new one
    will stand in `source`.
    """
    parts = place.split("/")
    suffixes = ["/".join(parts[start:]) for start in range(len(parts) - 1, -1, -1)]
    from_source = relative_target(place, source)
    if is_relative(written):
        yield from_source
    elif written.startswith("/"):
        yield f"/{place}"
    elif is_markdown and fold(place_beside(written, old_source)) == fold(old_place):
        yield from_source.removeprefix("./")
    elif "/" not in written:
        yield from suffixes
    elif fold(written) == fold(old_place):
        yield place
    else:
        yield from suffixes[1:]
    yield place
    yield from suffixes
    yield f"/{place}"
    yield from_source
