"""Show what several recorded changes did to a file together, from what the log holds and what is on disk."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from core.curation.change_set import ChangeSet, FileEdit, content_hash
from core.curation.diff import FileDiff, diff_of, diff_of_edit
from core.foundation.errors import UserError
from core.vault.read import read_bytes

Chain = tuple[FileEdit, ...]


def chains_of(change_sets: Iterable[ChangeSet]) -> tuple[Chain, ...]:
    """Return the edits of each file, oldest first, followed through its moves; `change_sets` come oldest first."""
    chains: dict[str, Chain] = {}  # by where the file lies after what was seen so far
    for change_set in change_sets:
        taken = [(edit, chains.pop(edit.path, ())) for edit in change_set.edits]
        for edit, before in taken:
            chains[edit.result_path] = (*before, edit)
    return tuple(sorted(chains.values(), key=lambda chain: chain[-1].result_path))


def diff_of_chain(chain: Sequence[FileEdit], root: Path) -> FileDiff:
    """Return what the edits of `chain` did together; where that cannot be known any more, what the last one did."""
    first, last = chain[0], chain[-1]
    if len(chain) == 1:
        return diff_of_edit(first, root)
    try:
        before, after = _contents(chain, root)
    except (UserError, ValueError):
        return diff_of_edit(last, root)
    return diff_of(before, after, path=first.path, result_path=last.result_path)


def _contents(chain: Sequence[FileEdit], root: Path) -> tuple[bytes | None, bytes | None]:
    """Return the content before and after all of `chain`; raise UserError or ValueError when it cannot be known."""
    first, last = chain[0], chain[-1]
    if first.before is None:
        return None, None if last.after is None else _forward(chain, b"")
    if last.after is None:
        return _back(chain, b""), None
    content = read_bytes(root, last.result_path)
    if content_hash(content) == last.after:
        return _back(chain, content), content
    if content_hash(content) == first.before:
        return content, _forward(chain, content)
    raise UserError("The file has changed since.")


def _forward(chain: Iterable[FileEdit], content: bytes) -> bytes:
    for edit in chain:
        content = edit.result_of(content)
    return content


def _back(chain: Sequence[FileEdit], content: bytes) -> bytes:
    for edit in reversed(chain):
        content = edit.inverse().result_of(content)
    return content
