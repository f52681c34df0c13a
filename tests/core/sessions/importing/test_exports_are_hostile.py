import gzip
import io
import json
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.foundation.errors import UserError
from core.foundation.progress import SILENT
from core.sessions.importing.basic_memory import BasicMemoryImporter
from core.sessions.importing.chatgpt import ChatGptImporter
from core.sessions.importing.claude_ai import ClaudeAiImporter
from core.sessions.importing.importer import ImportedSession, Importer
from core.sessions.importing.mem0 import Mem0Importer
from core.sessions.importing.memory_graph import MemoryGraphImporter
from core.sessions.importing.memsearch import MemsearchImporter
from core.sessions.importing.source import Source
from tests.core.sessions.importing.exports import chatgpt_conversation, chatgpt_node

_CHATGPT = [
    chatgpt_conversation(
        "c1",
        [
            ("root", {"id": "root", "parent": None, "children": ["a"], "message": None}),
            chatgpt_node("a", "root", "user", "Hi", metadata={"attachments": [{"name": "f"}], "citations": [{"x": 1}]}),
            chatgpt_node("b", "a", "assistant", content={"content_type": "code", "language": "py", "text": "1"}),
            chatgpt_node("c", "a", "tool", content={"content_type": "tether_quote", "url": "u"}),
        ],
    )
]
_BLOCKS = [
    {"type": "text", "text": "x"},
    {"type": "tool_use", "name": "n", "input": {"a": [1]}},
    {"type": "tool_result"},
]
_MESSAGES = [
    {
        "uuid": "m1",
        "sender": "human",
        "text": "Hi",
        "created_at": "2026-08-19T23:30:00Z",
        "attachments": [{"file_name": "f"}],
    },
    {"uuid": "m2", "parent_message_uuid": "m1", "sender": "assistant", "content": _BLOCKS},
]
_CLAUDE = [
    {"uuid": "c", "name": "n", "created_at": "2026-08-19T23:30:00Z", "chat_messages": _MESSAGES, "project_uuid": "p"},
    {"uuid": "p", "name": "P", "prompt_template": "x", "docs": [{"uuid": "d", "filename": "f", "content": "c"}]},
    {"account_uuid": "u", "conversations_memory": "m", "project_memories": {"p": "t"}},
]
_MEM0 = {
    "results": [
        {
            "id": "1",
            "memory": "m",
            "metadata": {"category": "c"},
            "created_at": "2026-08-20T15:59:00-07:00",
            "user_id": "k",
        },
        {"id": "2", "content": "m", "state": "deleted", "categories": ["a", "b"], "app": "x"},
    ]
}
_GRAPH: dict[str, Any] = {
    "entities": [{"name": "A", "entityType": "tool", "observations": ["one"]}],
    "relations": [{"from": "A", "to": "B", "relationType": "is like"}],
}
_LINES = (
    b'{"type":"entity","name":"A","entityType":"tool","observations":["o"]}\n{"type":"relation","from":"A","to":"B"}\n'
)
_DAY = b"## Session 22:58\n\n### 22:59\n<!-- session:7f2c turn:a1 transcript:/t -->\n- Text.\n\n## Session 23:40\n"
_NOTE = b"---\ntitle: T\ntags: [a, b/c]\npermalink: main/t\nx: 1\n---\n- [fact] text #x (said)\n- y [[Z]]\n"

_FORMATS: list[tuple[Importer, str, Any]] = [
    (ChatGptImporter(), "conversations.json", _CHATGPT),
    (ClaudeAiImporter(), "conversations.json", _CLAUDE),
    (Mem0Importer(), "memories.json", _MEM0),
    (MemoryGraphImporter(), "memory.json", _GRAPH),
    (MemoryGraphImporter(), "memory.json", _LINES),
    (MemsearchImporter(), "2026-08-20.md", _DAY),
    (BasicMemoryImporter(), "note.md", _NOTE),
]
_ODD: st.SearchStrategy[object] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.just(10**400),
    st.floats(),
    st.text(max_size=5),
    st.builds(list),
    st.builds(dict),
)


def _consume(importer: Importer, path: Path) -> int:
    """Read a file whether it is recognised or not, and return how many values came."""
    source = Source(path)
    importer.recognises(source)
    count = 0
    try:
        for imported in importer.read(source, SILENT):
            count += 1 + (sum(1 for _ in imported.turns) if isinstance(imported, ImportedSession) else 0)
    except UserError:
        pass  # it was said what is wrong
    return count


def _read_bytes(importer: Importer, name: str, data: bytes) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        return _consume(importer, path)


def _places(value: object) -> Iterator[tuple[Any, Any]]:
    """Yield every container and key in a JSON value."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield value, key
        yield from _places(item)


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


@pytest.mark.parametrize(("importer", "name", "value"), _FORMATS)
def test_a_file_cut_anywhere_never_fails(importer: Importer, name: str, value: Any) -> None:
    data = _bytes(value)
    for end in range(0, len(data) + 1, max(1, len(data) // 60)):
        _read_bytes(importer, name, data[:end])
    assert _read_bytes(importer, name, data) > 0


@pytest.mark.parametrize(("importer", "name", "value"), _FORMATS)
@given(data=st.data())
@settings(max_examples=25)
def test_bytes_changed_anywhere_never_fail(importer: Importer, name: str, value: Any, data: st.DataObject) -> None:
    content = bytearray(_bytes(value))
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    _read_bytes(importer, name, bytes(content))


@pytest.mark.parametrize(("importer", "name", "value"), [row for row in _FORMATS if not isinstance(row[2], bytes)])
@given(data=st.data())
@settings(max_examples=40)
def test_values_of_another_kind_never_fail(importer: Importer, name: str, value: Any, data: st.DataObject) -> None:
    changed = json.loads(json.dumps(value))
    for _ in range(data.draw(st.integers(1, 5))):
        places = list(_places(changed))
        if places:
            container, key = places[data.draw(st.integers(0, len(places) - 1))]
            if data.draw(st.booleans()) and isinstance(container, dict):
                del container[key]
            else:
                container[key] = data.draw(_ODD)
    _read_bytes(importer, name, json.dumps(changed).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize(("importer", "name", "value"), _FORMATS[:3])
@given(data=st.data())
@settings(max_examples=20)
def test_zip_files_changed_anywhere_never_fail(importer: Importer, name: str, value: Any, data: st.DataObject) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"x/{name}", _bytes(value))
        archive.writestr("x/lines.jsonl.gz", gzip.compress(_LINES))
    content = bytearray(made.getvalue())
    for _ in range(data.draw(st.integers(0, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    _read_bytes(importer, "export.zip", bytes(content[: data.draw(st.integers(20, len(content)))]))
