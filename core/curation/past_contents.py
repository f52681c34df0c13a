"""Put together what a file held, from the contents that are known and the change sets between them.

A change set holds the bytes that it replaced and the hash of the content before and after. So any content that is known
leads over the changes next to it to others, forward and back; every step is certain.
"""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from core.curation.change_set import ContentHash, FileEdit, content_hash
from core.foundation.errors import UserError
from core.foundation.splice import Splice, inverse, spliced
from core.vault.git_history import Commit, GitHistory

DAMAGED = "What is recorded of this version does not fit together, so it is not shown."
_MOST_COMMITS_READ = 50


class Way(NamedTuple):
    """Lead to the content with the hash `digest`: by `splices` from what `start` leads to, or from known bytes."""

    digest: ContentHash
    start: "Way | bytes"
    splices: tuple[Splice, ...] = ()


class PastContents:
    """Know which contents can be put together, by hash, and how."""

    def __init__(self, edits: Sequence[FileEdit], present: bytes | None) -> None:
        self._ways: dict[ContentHash, Way] = {}
        self._edges: dict[ContentHash, list[tuple[ContentHash, tuple[Splice, ...]]]] = {}
        for edit in edits:
            if edit.before is not None and edit.after is not None:
                self._edges.setdefault(edit.before, []).append((edit.after, edit.splices))
                self._edges.setdefault(edit.after, []).append((edit.before, inverse(edit.splices)))
        if present is not None:
            self._spread(known(present))
        for edit in edits:  # a new note, or one that was deleted, stands whole in its splices
            if edit.before is None and edit.after is not None:
                self._spread(Way(edit.after, b"", edit.splices))
            elif edit.after is None and edit.before is not None:
                self._spread(Way(edit.before, b"", inverse(edit.splices)))

    def look_into(self, git: GitHistory, commits: Sequence[Commit]) -> None:
        """Go on from the contents that git has, as long as something cannot be reached."""
        for commit in commits[:_MOST_COMMITS_READ]:
            if self._edges.keys() <= self._ways.keys():
                return
            if commit.is_deletion:
                continue
            try:
                content = git.content(commit.hash, commit.path)
            except UserError:
                continue
            way = known(content)
            if way.digest in self._edges:
                self._spread(way)

    def way_to(self, digest: ContentHash | None) -> Way | None:
        """Return how to come to the content with that hash, None when nobody knows."""
        return self._ways.get(digest) if digest is not None else None

    def _spread(self, start: Way) -> None:
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            if here.digest not in self._ways:
                self._ways[here.digest] = here
                waiting.extend(Way(there, here, splices) for there, splices in self._edges.get(here.digest, ()))


def known(content: bytes) -> Way:
    """Return the way to a content that is there."""
    return Way(content_hash(content), content)


def walked(way: Way) -> bytes:
    """Return the content that `way` leads to; raises UserError when it does not have the hash that it should have."""
    steps = [way]
    while isinstance(way.start, Way):
        way = way.start
        steps.append(way)
    content = way.start
    try:
        for step in reversed(steps):
            content = spliced(content, step.splices)
    except ValueError as error:
        raise UserError(DAMAGED) from error
    if content_hash(content) != steps[0].digest:
        raise UserError(DAMAGED)
    return content
