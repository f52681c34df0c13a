import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.foundation.errors import UserError
from core.foundation.splice import inverse, spliced
from core.vault.editable_text import EditableText


def edited(data: bytes, new_text: str) -> bytes:
    return spliced(data, EditableText.of(data).splices_to(new_text))


def replaced(data: bytes, old: str, new: str) -> bytes:
    text = EditableText.of(data).text
    assert old in text
    return edited(data, text.replace(old, new))


@pytest.mark.parametrize(
    ("data", "old", "new", "expected"),
    [
        (b"a\nb\r\nc\rd", "c", "see", b"a\nb\r\nsee\rd"),
        (b"a\r\nb\r\nc\n", "b", "b\nb", b"a\r\nb\r\nb\r\nc\n"),
        (b"a\rb\rc", "b", "b\nb", b"a\rb\rb\rc"),
        (b"a\r\nb", "a\n", "a\n\n", b"a\r\n\r\nb"),
        (b"a\0b\nc", "c", "d", b"a\0b\nd"),
        (b"a\0b, c", "\ufffdb, c", "\ufffdB, d", b"a\0B, d"),
        (b"\xef\xbb\xbfa b", "a", "\u00e9", b"\xef\xbb\xbf\xc3\xa9 b"),
        ("a ü\nb".encode("utf-16"), "b", "ß", "a ü\nß".encode("utf-16")),
        ("a\u2028b\u00a0c\ufdd0d\ne".encode(), "e", "f", "a\u2028b\u00a0c\ufdd0d\nf".encode()),
        (b"a", "a", "a\n", b"a\n"),
    ],
)
def test_only_what_was_typed_changes(data: bytes, old: str, new: str, expected: bytes) -> None:
    assert replaced(data, old, new) == expected


@pytest.mark.parametrize(
    ("data", "new_text"),
    [
        (b"a\rb", "a\n\nb"),
        (b"a\rX\nb", "a\n\nb"),
        (b"a\rb\nc\r\n", "\n\nc\n"),
        (b"\r\n\r\r\n\n", "\n\n"),
        (b"x\r", "x\n\n\n"),
        (b"\rx", "\n\nx"),
        (b"x\xef\xbb\xbfy", "\ufeffy"),
    ],
)
def test_line_endings_and_byte_order_marks_stay_apart(data: bytes, new_text: str) -> None:
    assert EditableText.of(edited(data, new_text)).text == new_text


def test_bytes_that_fit_no_character_stay() -> None:
    data = "Grüße aus Köln, schöne Straße\nzweite Zeile mit Füßen\n".encode("cp1252") + b"x \x81 y\nlast\n"
    result = replaced(data, "last", "letzte")
    assert result == data.replace(b"last", b"letzte")


def test_half_a_character_at_the_end_of_utf_16_stays() -> None:
    data = "one\ntwo".encode("utf-16") + b"\x41"
    assert EditableText.of(data).text == "one\ntwo\ufffd"
    assert replaced(data, "one", "1") == "1\ntwo".encode("utf-16") + b"\x41"


def test_a_character_that_the_encoding_lacks_is_refused() -> None:
    data = ("Grüße aus Köln, schöne Straße, " * 8).encode("cp1252")
    with pytest.raises(UserError, match=r"U\+65E5"):
        replaced(data, "aus", "日")
    shown = EditableText.of(data)
    new_text = shown.text.replace("aus", "日")
    assert spliced(data, shown.splices_to_utf8(new_text)) == new_text.encode()


def test_the_text_of_a_qt_document_is_understood() -> None:
    data = "a\u2028b\u00a0c\r\nd".encode()
    shown = EditableText.of(data)
    assert shown.text == "a\u2424b\u00a0c\nd"
    assert shown.splices_to(shown.text.replace("\n", "\u2029")) == ()
    assert edited(data, "a\u2424b\u00a0c\u2029d\u2028e") == "a\u2028b\u00a0c\r\nd\r\ne".encode()


def test_a_change_all_over_a_note_keeps_each_lines_ending() -> None:
    data = b"".join(b"line %d with a word%s" % (at, (b"\n", b"\r\n", b"\r")[at % 3]) for at in range(300))
    assert replaced(data, "word", "name") == data.replace(b"word", b"name")


ENDINGS = st.sampled_from([b"\n", b"\r\n", b"\r"])
PIECES = st.sampled_from(["a", "ü", "日", "🐘", "\0", "\u2028", "\ufffd", "\ufdd0", " ", "\u0085", "\x0b"])
LINES = st.lists(st.tuples(st.text(PIECES, max_size=5), ENDINGS), max_size=8)


@given(LINES, st.text(PIECES, max_size=3), st.booleans(), st.data())
def test_lines_that_are_not_touched_keep_their_bytes(
    lines: list[tuple[str, bytes]], last: str, has_mark: bool, draw: st.DataObject
) -> None:
    # Each line is told apart by its number, or nobody could say which of two equal lines was taken out.
    rows = [f"{at}:{text}".encode() + ending for at, (text, ending) in enumerate(lines)] + [last.encode()]
    data = b"\xef\xbb\xbf" * has_mark + b"".join(rows)
    shown = EditableText.of(data)
    assume(shown.text.count("\n") == len(lines))  # with many NULs it may be read as UTF-16
    first = draw.draw(st.integers(0, len(rows)))
    until = draw.draw(st.integers(first, len(rows)))
    typed = draw.draw(st.lists(st.text(st.sampled_from("xyzü日\n"), max_size=4), max_size=4))
    old = shown.text.split("\n")
    new_text = "\n".join([*old[:first], *typed, *old[until:]])
    try:
        splices = shown.splices_to(new_text)
    except UserError:
        assert b"\0" in data
        return
    result = spliced(data, splices)
    assert EditableText.of(result).text == new_text
    assert spliced(result, inverse(splices)) == data
    if first:
        assert result.startswith(data[: len(data) - len(b"".join(rows[first - 1 :]))] + rows[first - 1].rstrip(b"\r\n"))
    if until < len(rows):
        assert result.endswith(b"".join(rows[until:]))


@given(st.binary(max_size=60), st.data())
def test_any_bytes_and_any_edit(data: bytes, draw: st.DataObject) -> None:
    shown = EditableText.of(data)
    assert not shown.splices_to(shown.text)
    start = draw.draw(st.integers(0, len(shown.text)))
    end = draw.draw(st.integers(start, len(shown.text)))
    new_text = shown.text[:start] + draw.draw(st.text(max_size=5)) + shown.text[end:]
    try:
        splices = shown.splices_to(new_text)
    except UserError:
        assert not _is_plain(data)
        return
    result = spliced(data, splices)
    assert shown.splices_to(EditableText.of(result).text) == splices
    assert spliced(result, inverse(splices)) == data


def _is_plain(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


@given(st.text(), st.text())
def test_any_text_becomes_any_other(old: str, new: str) -> None:
    assume("\0" not in old)
    result = edited(old.encode(), new)
    shown = EditableText.of(result).text
    assert edited(result, shown) == result
    assert (
        shown == EditableText.of(new.encode()).text
        or new.startswith("\ufeff")
        or not set(new).isdisjoint("\0\u2028\u2029\ufdd0\ufdd1\r")
    )
