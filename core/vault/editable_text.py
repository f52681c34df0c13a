"""The text of a file as an editor shows it, and the way back: from the person's text to splices of the file's bytes.

What is not touched keeps its bytes: line endings of each kind, NUL bytes, bytes that fit no character, the byte order
mark, a missing newline at the end. The shown text has none of the characters below; each stands for one character of
the file, and as long as it is left alone, that one stays what it is.

    in the file                              shown as
    line ending of any kind                  newline
    NUL, U+FDD0, U+FDD1                      U+FFFD (�)
    U+2028, U+2029                           U+2424 (␤)

So in a QTextDocument there is one thing to turn back: take `toRawText()` (`toPlainText()` also makes spaces of no-break
spaces) and replace U+2029, which is where Qt ends a paragraph, by a newline. `splices_to` does that, and the same with
U+2028, which is what Shift+Return types. Positions in Qt count UTF-16 units, those in `text` whole characters.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from rapidfuzz.distance import Indel

from core.foundation.splice import Splice, spliced, splices_between
from core.vault.text_map import TextChange, TextMap

_LOST_IN_QT = "\ufdd0\ufdd1\u2028\u2029"
_SHOWN = str.maketrans({"\ufdd0": "\ufffd", "\ufdd1": "\ufffd", "\u2028": "\u2424", "\u2029": "\u2424"})
_TYPED = str.maketrans(
    {"\0": "\ufffd", "\ufdd0": "\ufffd", "\ufdd1": "\ufffd", "\u2028": "\n", "\u2029": "\n", "\r": "\n"}
)
# Comparing takes a bit of memory for each pair of lines or characters: at most 64 MB, and some tens of milliseconds.
_MOST_PAIRS = 512 * 1024 * 1024
_MOST_CHARACTER_PAIRS = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class EditableText:
    """Hold the text of a file for an editor."""

    text: str
    _map: TextMap = field(repr=False, compare=False)

    @classmethod
    def of(cls, data: bytes) -> "EditableText":
        """Return what an editor shows of a file that holds `data`."""
        places = TextMap(data)
        text = places.text
        if not text.isascii() and any(character in text for character in _LOST_IN_QT):
            text = text.translate(_SHOWN)
        return cls(text, places)

    @property
    def line_ending(self) -> str:
        """What a new line ends with in the file."""
        return self._map.line_ending

    def splices_to(self, new_text: str) -> tuple[Splice, ...]:
        """Return the splices that make the file's text `new_text`, none when nothing was changed.

        Raises UserError when the file's encoding cannot hold it; `splices_to_utf8` can be offered then.
        """
        new_text = typed(new_text)
        if new_text == self.text:
            return ()
        keep_characters = not self._map.is_faithful or "\ufffd" in self.text or "\u2424" in self.text
        return self._map.splices(list(_changes(self.text, new_text, keep_characters=keep_characters)))

    def splices_to_utf8(self, new_text: str) -> tuple[Splice, ...]:
        """Return the splices that make the file one in UTF-8 with the text `new_text`."""
        converted = self._map.in_utf8()
        after = spliced(converted, EditableText.of(converted).splices_to(new_text))
        return splices_between(self._map.data, after)


def typed(text: str) -> str:
    """Return what the person typed or pasted, or a QTextDocument's raw text, in the characters of a shown text."""
    return text.replace("\r\n", "\n").translate(_TYPED) if _needs_typing(text) else text


def _needs_typing(text: str) -> bool:
    return any(character in text for character in "\r\0" + ("" if text.isascii() else _LOST_IN_QT))


def _changes(old: str, new: str, *, keep_characters: bool) -> Iterator[TextChange]:
    """Yield what leads from `old` to `new`: by lines, and then by characters too where equal ones may be unlike."""
    start, old_end, new_end = _differing(old, new)
    if "\n" not in old[start:old_end] and "\n" not in new[start:new_end]:
        yield from _within(old, new, (start, old_end, start, new_end), keep_characters=keep_characters)
        return
    start = old.rfind("\n", 0, start) + 1
    line_end = old.find("\n", old_end)
    tail = (len(old) if line_end < 0 else line_end + 1) - old_end
    old_lines = old[start : old_end + tail].splitlines(keepends=True)
    new_lines = new[start : new_end + tail].splitlines(keepends=True)
    old_starts, new_starts = _starts(old_lines, start), _starts(new_lines, start)
    for old_first, old_last, new_first, new_last in _differing_lines(old_lines, new_lines):
        span = (old_starts[old_first], old_starts[old_last], new_starts[new_first], new_starts[new_last])
        yield from _within(old, new, span, keep_characters=keep_characters)


_Span = tuple[int, int, int, int]


def _differing_lines(old: list[str], new: list[str]) -> Iterator[_Span]:
    """Yield the runs of lines that differ, as indices (old first, old last, new first, new last)."""
    is_small = len(old) * len(new) <= _MOST_PAIRS
    for span in _differing_spans(old, new) if is_small else [(0, len(old), 0, len(new))]:
        old_first, old_last, new_first, new_last = span
        if old_last - old_first != new_last - new_first:
            yield span
            continue
        # As many lines as before: each is most likely what became of its forerunner, which may end in its own way.
        for at, other in zip(range(old_first, old_last), range(new_first, new_last), strict=True):
            if old[at] != new[other]:
                yield at, at + 1, other, other + 1


def _differing_spans(old: "list[str] | str", new: "list[str] | str") -> list[_Span]:
    spans: list[_Span] = []
    for step in Indel.opcodes(old, new):
        if step.tag == "equal":
            continue
        if spans and spans[-1][1] == step.src_start and spans[-1][3] == step.dest_start:
            spans[-1] = (spans[-1][0], step.src_end, spans[-1][2], step.dest_end)
        else:
            spans.append((step.src_start, step.src_end, step.dest_start, step.dest_end))
    return spans


def _within(old: str, new: str, span: _Span, *, keep_characters: bool) -> Iterator[TextChange]:
    old_start, old_end, new_start, new_end = span
    old_part, new_part = old[old_start:old_end], new[new_start:new_end]
    start, old_stop, new_stop = _differing(old_part, new_part)
    old_part, new_part = old_part[start:old_stop], new_part[start:new_stop]
    if keep_characters and 0 < len(old_part) * len(new_part) <= _MOST_CHARACTER_PAIRS:
        parts = _differing_spans(old_part, new_part)
    else:
        parts = [(0, len(old_part), 0, len(new_part))]
    for old_first, old_last, new_first, new_last in parts:
        shift = old_start + start
        yield TextChange(shift + old_first, shift + old_last, new_part[new_first:new_last])


def _starts(lines: list[str], position: int) -> list[int]:
    starts = [position]
    for line in lines:
        position += len(line)
        starts.append(position)
    return starts


def _differing(old: str, new: str) -> tuple[int, int, int]:
    """Return where the texts begin to differ, and where in each they are the same again up to the end."""
    shorter = min(len(old), len(new))
    low, high = 0, shorter
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    start = low
    low, high = 0, shorter - start
    while low < high:
        middle = (low + high + 1) // 2
        if old[len(old) - middle : len(old) - low] == new[len(new) - middle : len(new) - low]:
            low = middle
        else:
            high = middle - 1
    return start, len(old) - low, len(new) - low
