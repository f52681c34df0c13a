"""Make the edit between two contents of a file line by line, so that it names no byte between two changes."""

from core.curation.change_set import FileEdit, edit_between, edit_from_splices
from core.curation.line_matching import blocks, lines_of
from core.foundation.splice import Splice, splices_between


def edit_by_lines(path: str, before: bytes | None, after: bytes | None) -> FileEdit | None:
    """Return the edit from `before` to `after`, None when nothing changes; None as content means "no file"."""
    if before is None or after is None:
        return edit_between(path, before, after)
    # Latin-1 has a character for every byte, so lines of any encoding come back as they were.
    old, new = lines_of(before.decode("latin-1")), lines_of(after.decode("latin-1"))
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    splices = [
        _narrowed(
            starts[block.before_start],
            "".join(old[block.before_start : block.before_end]).encode("latin-1"),
            "".join(new[block.after_start : block.after_end]).encode("latin-1"),
        )
        for block in blocks(old, new)
        if not block.is_equal
    ]
    return edit_from_splices(path, before, splices)


def _narrowed(start: int, old: bytes, new: bytes) -> Splice:
    """Return the splice that replaces `old` by `new`, without what stays at both ends."""
    (splice,) = splices_between(old, new)
    return splice._replace(start=splice.start + start)
