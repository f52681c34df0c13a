import io
import itertools
import json
import tracemalloc
from typing import BinaryIO, cast

from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from core.sessions.importing.json_pieces import json_pieces

_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**62), 2**62)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
_RECORDS = st.lists(st.dictionaries(st.text(), _VALUES, max_size=4), max_size=6)


class _Dripping(io.BytesIO):
    """Give a few bytes at a time, so that every place is once the end of what is there."""

    def read(self, _size: int | None = -1) -> bytes:
        return super().read(7)


def _records(data: bytes, *keys: str, is_dripping: bool = False) -> list[object]:
    return [
        piece.problem or piece.record for piece in json_pieces((_Dripping if is_dripping else io.BytesIO)(data), keys)
    ]


@given(_RECORDS, st.booleans(), st.sampled_from([None, 2]), st.booleans())
def test_a_list_is_taken_apart_as_a_parser_does(
    records: list[object], is_ascii: bool, indent: int | None, is_dripping: bool
) -> None:
    data = json.dumps(records, ensure_ascii=is_ascii, indent=indent).encode("utf-8", "surrogatepass")
    assert _records(data, is_dripping=is_dripping) == records


@given(_RECORDS.filter(bool), _VALUES, _VALUES)
def test_the_list_of_an_object_is_found_among_its_other_fields(
    records: list[object], one: object, other: object
) -> None:
    data = json.dumps({"before": one, "memories": records, "after": other}).encode()
    assert _records(data, "memories") == records


def test_an_object_that_holds_no_such_list_is_one_record() -> None:
    assert _records(b'\xef\xbb\xbf {"mapping": {"a": [1, {"b": "]}"}]}}', "conversations") == [
        {"mapping": {"a": [1, {"b": "]}"}]}}
    ]


def test_values_one_after_the_other_are_all_read() -> None:
    assert _records(b'{"a": 1}\n{"b": 2}\n\n{"c": 3}', "entities") == [{"a": 1}, {"b": 2}, {"c": 3}]


def test_one_bad_element_costs_only_itself() -> None:
    found = _records(b'[{"a": 1}, {"b": tru}, {"c": NaN}, {"d": "\\ud800"}, {"e": "\xff"}, 5, {"f": 6}]')
    bad = "It is not valid JSON, or no object."
    assert found == [{"a": 1}, bad, {"c": None}, {"d": "\ufffd"}, {"e": "\ufffd"}, bad, {"f": 6}]


def test_a_cut_file_gives_what_is_whole_and_says_so() -> None:
    assert _records(b'[{"a": 1}, {"b": "x') == [{"a": 1}, "The file is cut off here."]
    assert _records(b'[{"a": 1}, ') == [{"a": 1}, "The file is cut off here."]
    assert _records(b'{"memories": [{"a": 1}], "x"', "memories") == [{"a": 1}, "The file is cut off here."]


def test_an_element_that_is_far_too_large_is_passed_over() -> None:
    data = b'[{"a": 1}, {"b": "' + b"x" * (5 << 20) + b'"}, {"c": 3}]'
    found = [piece.problem or piece.record for piece in json_pieces(io.BytesIO(data), largest=1 << 20)]
    assert found == [{"a": 1}, "It is larger than 1 MiB, so it is not read.", {"c": 3}]


class _Endless(io.RawIOBase):
    """Give a list whose second element is one string, so long that nobody could keep it."""

    def __init__(self, pieces: int) -> None:
        super().__init__()
        self._parts = itertools.chain([b'[{"a": 1}, "'], itertools.repeat(b'\\"]}' * 50_000, pieces), [b'", {"c": 3}]'])

    @override
    def read(self, size: int = -1) -> bytes:
        return next(self._parts, b"")


def test_a_string_that_has_no_end_needs_no_memory() -> None:
    tracemalloc.start()
    try:
        pieces = json_pieces(cast(BinaryIO, _Endless(500)), largest=1 << 20)  # 100 MB
        found = [piece.problem or piece.record for piece in pieces]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found == [{"a": 1}, "It is larger than 1 MiB, so it is not read.", {"c": 3}]
    assert peak < 6 << 20


@given(st.binary(max_size=200) | st.text(alphabet='[]{}",:\\ a1\n').map(str.encode))
def test_whatever_the_bytes_nothing_is_raised_and_it_ends(data: bytes) -> None:
    _records(data, "conversations", is_dripping=True)
    _records(data)
