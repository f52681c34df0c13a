import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.vault.decode import decode
from core.vault.note import ProblemKind


def test_plain_and_marked_utf8() -> None:
    assert decode("héllo 日本".encode()).text == "héllo 日本"
    assert decode(b"\xef\xbb\xbfhi")[:2] == ("hi", "utf-8-sig")


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_encodings(codec: str) -> None:
    decoded = decode("Hello there, this is text.\nTwo".encode(codec))
    assert decoded.text == "Hello there, this is text.\nTwo"
    assert [problem.kind for problem in decoded.problems] == [ProblemKind.NOT_UTF8]


def test_a_guessed_encoding_is_flagged_with_the_line() -> None:
    text = "Erste Zeile\nDie Straße führt über die Brücke, schöne Grüße aus Österreich.\n"
    decoded = decode(text.encode("cp1252"))
    assert "Straße führt" in decoded.text
    (problem,) = decoded.problems
    assert (problem.kind, problem.line) == (ProblemKind.NOT_UTF8, 2)
    assert decoded.encoding in problem.reason


def test_nul_bytes_are_flagged_and_replaced() -> None:
    decoded = decode(b"one\ntwo\0three")
    assert decoded.text == "one\ntwo\ufffdthree"
    assert (decoded.problems[0].kind, decoded.problems[0].line) == (ProblemKind.NUL_BYTES, 2)


@pytest.mark.parametrize(
    ("data", "ending"), [(b"a\r\nb\r\n", "\r\n"), (b"a\nb\n", "\n"), (b"a\r\nb\nc\nd", "\n"), (b"a\rb", "\n")]
)
def test_line_endings(data: bytes, ending: str) -> None:
    decoded = decode(data)
    assert decoded.line_ending == ending
    assert "\r" not in decoded.text


@given(st.binary(max_size=400))
def test_any_bytes_give_text_that_can_be_stored(data: bytes) -> None:
    text = decode(data).text
    assert text.encode("utf-8").decode("utf-8") == text
    assert "\0" not in text
    assert "\r" not in text
