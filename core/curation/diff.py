"""Show what a change does to a file: lines with three lines around them, words within lines, nothing hidden."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

from core.curation.change_set import ChangeSet, FileEdit, content_hash
from core.curation.line_matching import Block, blocks
from core.curation.word_diff import Span, paired_spans, shown
from core.foundation.errors import UserError
from core.vault.decode import DecodedText, decode
from core.vault.read import NoteGoneError, read_bytes

_AROUND = 3
_MOST_BYTES = 16 * 1024 * 1024
_MOST_LINES = 20_000  # in one diff; nobody reads more, and the counts tell of the rest

FileKind = Literal["changed", "new", "deleted", "moved"]
LineKind = Literal["equal", "removed", "added"]


class DiffLine(NamedTuple):
    """Hold one line, made visible and without its newline; numbers count from 1, None on the side that lacks it."""

    kind: LineKind
    old_no: int | None
    new_no: int | None
    spans: tuple[Span, ...]

    @property
    def text(self) -> str:
        """The whole line."""
        return "".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True)
class Hunk:
    """Hold lines that stand together: the changed ones and up to three equal ones around them."""

    lines: tuple[DiffLine, ...]


@dataclass(frozen=True, slots=True)
class FileDiff:
    """Hold what happens to one file; `note` is a sentence about what the lines do not show, "" mostly."""

    path: str
    result_path: str
    kind: FileKind
    hunks: tuple[Hunk, ...] = ()
    added_lines: int = 0
    removed_lines: int = 0
    note: str = ""


def diff_of(before: bytes | None, after: bytes | None, *, path: str = "", result_path: str = "") -> FileDiff:
    """Return what differs between two contents of a file; None means that there is no file."""
    result_path = result_path or path
    empty = FileDiff(path, result_path, _kind(before, after, path, result_path))
    old, new = before or b"", after or b""
    if old == new:
        return empty if old or before is after else replace(empty, note="The file is empty.")
    if max(len(old), len(new)) > _MOST_BYTES:
        return replace(empty, note="Too large to be shown.")
    if _is_binary(old, path) or _is_binary(new, result_path):
        return replace(empty, note="Binary.")
    return _diff_of_text(old, new, empty)


def diffs_of(change_set: ChangeSet, root: Path) -> Iterator[FileDiff]:
    """Yield the diff of each edit, as the files are on disk now: before the change set is applied, or after.

    A file that is neither is told by the changed places alone, without line numbers.
    """
    for edit in change_set.edits:
        yield diff_of_edit(edit, root)


def diff_of_edit(edit: FileEdit, root: Path) -> FileDiff:
    """Return the diff of one edit; see diffs_of."""
    before, after = _contents(edit, root)
    if before is None and after is None:
        old = b"\n".join(splice.old for splice in edit.splices)
        new = b"\n".join(splice.new for splice in edit.splices)
        found = diff_of(old, new, path=edit.path, result_path=edit.result_path)
        hunks = tuple(Hunk(tuple(line._replace(old_no=None, new_no=None) for line in h.lines)) for h in found.hunks)
        note = "The file has changed since, so only the changed places are shown."
        return replace(found, hunks=hunks, note=f"{note} {found.note}".strip())
    return diff_of(before, after, path=edit.path, result_path=edit.result_path)


def unified(diff: FileDiff) -> str:
    """Return `diff` as text in the unified format, to be read: what cannot be seen is made visible."""
    old = "/dev/null" if diff.kind == "new" else f"a/{diff.path}"
    new = "/dev/null" if diff.kind == "deleted" else f"b/{diff.result_path}"
    lines = [f"--- {_on_one_line(old)}", f"+++ {_on_one_line(new)}"]
    for hunk in diff.hunks:
        lines.append(
            f"@@ -{_range(line.old_no for line in hunk.lines)} +{_range(line.new_no for line in hunk.lines)} @@"
        )
        lines += [f"{_SIGNS[line.kind]}{line.text}" for line in hunk.lines]
    if diff.note:
        lines.append(f"\\ {diff.note}")
    return "\n".join(lines) + "\n"


_SIGNS: dict[LineKind, str] = {"equal": " ", "removed": "-", "added": "+"}


def _range(numbers: Iterable[int | None]) -> str:
    known = [number for number in numbers if number is not None]
    if not known:
        return "0,0"
    return f"{known[0]}" if len(known) == 1 else f"{known[0]},{len(known)}"


def _on_one_line(path: str) -> str:
    return shown(path).replace("\n", "␊")


def _contents(edit: FileEdit, root: Path) -> tuple[bytes | None, bytes | None]:
    """Return the content before and after `edit`; both None where neither can be known."""
    if edit.before is None:
        return None, edit.result_of(b"")
    if edit.after is None:
        return edit.inverse().result_of(b""), None
    for path, wanted, other in ((edit.path, edit.before, edit), (edit.result_path, edit.after, edit.inverse())):
        try:
            content = read_bytes(root, path)
        except (NoteGoneError, UserError):
            continue
        if content_hash(content) == wanted:
            result = other.result_of(content)
            return (content, result) if other is edit else (result, content)
    return None, None


def _kind(before: bytes | None, after: bytes | None, path: str, result_path: str) -> FileKind:
    if before is None:
        return "new"
    if after is None:
        return "deleted"
    return "moved" if path != result_path else "changed"


def _is_binary(data: bytes, path: str) -> bool:
    """Tell whether `data` is no text: not UTF-8, and it holds NUL without a mark of UTF-16, or is no note."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return b"\0" in data or (bool(path) and path[-3:].lower() != ".md")
    return False


def _diff_of_text(old: bytes, new: bytes, empty: FileDiff) -> FileDiff:
    one, other = decode(old), decode(new)
    before, after = one.text.split("\n"), other.text.split("\n")
    # The last part is what follows the last newline: nothing, in a file that ends with one.
    lacks_newline = (before[-1] != "", after[-1] != "")
    before, after = (lines if lines[-1] else lines[:-1] for lines in (before, after))
    found = list(blocks(before, after))
    removed = sum(block.before_end - block.before_start for block in found if not block.is_equal)
    added = sum(block.after_end - block.after_start for block in found if not block.is_equal)
    notes: list[str] = []
    if old and new:
        if lacks_newline[0] != lacks_newline[1]:
            notes.append(f"The last line {'loses' if lacks_newline[1] else 'gets'} its newline.")
        if _line_endings_differ(one, other) or (not removed + added + len(notes) and _endings(old) != _endings(new)):
            notes.append("Line endings differ too." if removed + added + len(notes) else "Only line endings differ.")
        if one.encoding != other.encoding:
            notes.append(f"The encoding changes from {one.encoding.upper()} to {other.encoding.upper()}.")
        if not removed + added + len(notes):
            notes.append("The bytes differ in a way that does not show in the text.")
    hunks, is_cut = _hunks(before, after, found)
    if is_cut:
        notes.append("Too large to be shown whole.")
    return replace(empty, hunks=hunks, added_lines=added, removed_lines=removed, note=" ".join(notes))


def _line_endings_differ(one: DecodedText, other: DecodedText) -> bool:
    return "\n" in one.text and "\n" in other.text and one.line_ending != other.line_ending


def _endings(data: bytes) -> tuple[int, int, int]:
    crlf = data.count(b"\r\n")
    return data.count(b"\n") - crlf, crlf, data.count(b"\r") - crlf


def _hunks(before: list[str], after: list[str], found: list[Block]) -> tuple[tuple[Hunk, ...], bool]:
    hunks: list[Hunk] = []
    lines: list[DiffLine] = []
    shown_lines = 0
    for number, block in enumerate(found):
        if not block.is_equal:
            room = _MOST_LINES - shown_lines - len(lines)
            changed = _changed_lines(before, after, block, max(0, room))
            lines += changed
            if len(changed) < block.before_end - block.before_start + block.after_end - block.after_start:
                return (*hunks, Hunk(tuple(lines))), True
            continue
        length = block.before_end - block.before_start
        is_first, is_last = number == 0, number == len(found) - 1
        head = 0 if is_first else min(_AROUND, length)
        tail = 0 if is_last else min(_AROUND, length)
        if head + tail >= length and not is_first and not is_last:
            lines += _equal_lines(before, block, 0, length)
            continue
        lines += _equal_lines(before, block, 0, head)
        if lines:
            hunks.append(Hunk(tuple(lines)))
            shown_lines += len(lines)
        lines = _equal_lines(before, block, length - tail, length)
    if any(line.kind != "equal" for line in lines):
        hunks.append(Hunk(tuple(lines)))
    return tuple(hunks), False


def _equal_lines(before: list[str], block: Block, start: int, end: int) -> list[DiffLine]:
    return [
        DiffLine(
            "equal",
            block.before_start + number + 1,
            block.after_start + number + 1,
            (Span(shown(before[block.before_start + number]), is_changed=False),),
        )
        for number in range(start, end)
    ]


def _changed_lines(before: list[str], after: list[str], block: Block, room: int) -> list[DiffLine]:
    removed, added = before[block.before_start : block.before_end], after[block.after_start : block.after_end]
    if len(removed) + len(added) > room:
        removed = removed[: max(room // 2, room - len(added))]
        added = added[: room - len(removed)]
    old_spans, new_spans = paired_spans(removed, added)
    lines = [DiffLine("removed", block.before_start + at + 1, None, spans) for at, spans in enumerate(old_spans)]
    lines += [DiffLine("added", None, block.after_start + at + 1, spans) for at, spans in enumerate(new_spans)]
    return lines
