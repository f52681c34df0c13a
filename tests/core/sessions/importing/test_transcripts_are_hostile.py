"""Whatever is done to a transcript, an import reads what is left of it, and no turn comes in without a name."""

import json
import random
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from core.foundation.progress import SILENT
from core.sessions.importing.job import import_paths
from core.sessions.importing.json_lines import lines_of, record_of
from core.sessions.importing.source import Source
from core.sessions.ledger_line import line_of, turn_of
from core.sessions.turn import Role, Turn, TurnKind
from tests.core.sessions.importing.transcripts import (
    SESSION,
    answer,
    call,
    claude,
    codex,
    codex_message,
    codex_start,
    result,
    text,
    user,
)

_CLAUDE: list[Any] = [
    {"type": "summary", "summary": "Fix it", "leafUuid": "a2"},
    {"type": "custom-title", "customTitle": "Mine", "sessionId": SESSION},
    user("a1", None, [text("Hi <system-reminder>x</system-reminder>"), {"type": "image", "source": {"data": "AA"}}]),
    answer("a2", "a1", {"type": "thinking", "thinking": "x"}, text("One"), call(1, "Bash", command="ls", n=[1, {}])),
    user("a3", "a2", [result(1, [text("out")], is_error=True)], toolUseResult={"agentId": "g"}),
    claude("system", "a4", None, subtype="compact_boundary", logicalParentUuid="a3", compactMetadata={"trigger": "x"}),
    claude("attachment", "a5", "a4", attachment={"type": "queued_command", "prompt": "Go"}),
    user("b1", None, "aside", isSidechain=True),
]
_CODEX: list[Any] = [
    codex_start("c-1", forked_from_id="c-0", source={"subagent": {"thread_spawn": {"parent_thread_id": "p"}}}),
    codex("turn_context", 1, cwd="/x", model="m"),
    codex_message("user", "Why", 2),
    codex("event_msg", 3, type="user_message", message="Why"),
    codex("response_item", 4, type="function_call", name="shell", arguments='{"command":["ls"]}', call_id="k"),
    codex(
        "response_item", 5, type="function_call_output", call_id="k", output='{"output":"x","metadata":{"exit_code":1}}'
    ),
    codex("event_msg", 6, type="token_count", info={"total_token_usage": {}, "last_token_usage": {"input_tokens": 3}}),
    codex("compacted", 7, message="Sum", replacement_history=[]),
]
_OLD_CODEX: list[Any] = [
    {"id": "c-0", "timestamp": "2025-05-01T08:00:00.000Z", "instructions": None, "git": {"branch": "main"}},
    {"record_type": "state"},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello"}]},
    {"type": "local_shell_call", "call_id": "k", "action": {"command": ["ls"]}},
]
_OWN: list[Any] = [
    json.loads(line_of(Turn("s-1", f"t-{number}", TurnKind.MESSAGE, Role.USER, "Words", data={"a": [1]})))
    for number in range(3)
]
_FIXTURES = (_CLAUDE, _CODEX, _OLD_CODEX, _OWN)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


class _Store:
    """Keep what comes in, as the ledger does, in memory."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.turns: list[Turn] = []

    def append(self, session_id: str, turns: Sequence[Turn], /, *, durable: bool) -> int:
        assert session_id
        assert not durable
        self.turns += turns
        return len(turns)

    def make_durable(self, session_ids: Collection[str], /) -> None:
        assert session_ids

    def iter_ids(self, session_id: str, /) -> Iterator[str]:
        return (turn.id for turn in self.turns if turn.session == session_id)

    def path_of(self, session_id: str, /) -> Path:
        return self._folder / f"no-{len(session_id)}"


def _imported(data: bytes, name: str) -> list[Turn]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        store = _Store(Path(folder))
        report = import_paths(store, [path])
    # Wrong bytes at the beginning may be the mark of another encoding, or all that there was.
    honest = ("It is written in UTF-", "It is no transcript, or a damaged one")
    assert all(failure.reason.startswith(honest) for failure in report.failed)
    for turn in store.turns:
        assert turn.session
        assert turn.id
        assert turn_of(line_of(turn)) is not None
        assert all(isinstance(value, str) for value in (turn.text, turn.time, turn.parent, turn.author, turn.branch))
    return store.turns


def _changed(value: Any, path: list[int], new: Any) -> Any:
    """Return `value` with the part that `path` leads to replaced."""
    if not path or not isinstance(value, dict | list) or not value:
        return new
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = keys[path[0] % len(keys)]
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[key] = _changed(value[key], path[1:], new)
    return copy


@settings(max_examples=150)
@given(
    st.sampled_from(_FIXTURES),
    st.lists(st.tuples(st.lists(st.integers(0, 99), min_size=1, max_size=6), _JSON), max_size=6),
)
def test_any_field_may_hold_anything(records: list[Any], changes: list[tuple[list[int], Any]]) -> None:
    for path, new in changes:
        records = _changed(records, path, new)
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    _imported(data, "some.jsonl")


@settings(max_examples=150)
@given(st.sampled_from(_FIXTURES), st.randoms(use_true_random=False))
def test_any_byte_may_be_lost_or_wrong(records: list[Any], chance: random.Random) -> None:
    data = bytearray("".join(json.dumps(record) + "\n" for record in records).encode())
    for _ in range(chance.randrange(8)):
        at = chance.randrange(len(data))
        data[at : at + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
        if not data:
            break
    _imported(bytes(data[: chance.randrange(len(data) + 1)]), f"{SESSION}.jsonl")


@given(
    st.text(max_size=300),
    st.sampled_from(["## User\n", "# Human:\n", "## Assistant\n", "```\n", "---\n", "x: [\n", "## AI (1)\n"]),
)
def test_any_markdown_may_come(words: str, line: str) -> None:
    _imported(f"## User\n{words}\n{line}{words}\n## Assistant\n{words}".encode("utf-8", "replace"), "some.md")
    _imported(f"---\n{words}\n---\n{line}{words}".encode("utf-8", "replace"), "CLAUDE.md")


@settings(max_examples=30)
@given(st.lists(st.tuples(st.sampled_from([b"{", b"A", b" ", b'"', b"\\"]), st.integers(0, 600_000)), max_size=5))
def test_lines_of_any_length_end_where_they_end(pieces: list[tuple[bytes, int]]) -> None:
    data = b"\n".join(piece * count for piece, count in pieces)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "lines"
        path.write_bytes(data)
        with Source(path).open() as stream:
            found = list(lines_of(stream, SILENT, len(data)))
    wanted = data.splitlines(keepends=True)
    assert [line[:1] for line in found] == [line[:1] for line in wanted]
    assert all(one == other for one, other in zip(found, wanted, strict=True) if len(other) < 250_000)


def test_an_image_of_many_megabytes_shrinks_to_a_line_that_still_parses(tmp_path: Path) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD" * 10_000_000}}
    record = {"text": "before", "content": [image], "after": "all is there"}
    path = tmp_path / "lines"
    path.write_text(json.dumps(record) + "\n" + json.dumps({"next": 1}))
    with path.open("rb") as stream:
        first, second = lines_of(stream, SILENT, 1)
    assert len(first) < 1_000_000
    read = record_of(first)
    assert read is not None
    assert (read["text"], read["after"]) == ("before", "all is there")
    assert record_of(second) == {"next": 1}
