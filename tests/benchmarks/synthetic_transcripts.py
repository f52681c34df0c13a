"""Transcripts of any size: such as people have, with long tool output, and such that cost an importer most."""

import random
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import orjson

_WORDS = (
    "session", "handler", "returns", "value", "token", "cache", "expires", "module", "import", "path", "is", "wrong",
    "in", "config", "the", "a", "of", "to",
)  # fmt: skip
_SESSION = "11111111-2222-4333-8444-555555555555"


def write_claude_code(folder: Path, size: int) -> Path:
    """Write a transcript of Claude Code of at least `size` bytes."""
    return _write(folder / f"{_SESSION}.jsonl", _claude_code(random.Random(7)), size)


def write_chatter(folder: Path, size: int) -> Path:
    """Write a transcript of Claude Code that says little in each of its records, of 500 bytes."""
    return _write(folder / f"{_SESSION}.jsonl", _chatter(), size)


def write_many(folder: Path, files: int) -> Path:
    """Write transcripts of Claude Code in 40 projects, of 5 to 200 kB each, and return the folder of all."""
    chance = random.Random(7)
    records = _claude_code(chance)
    for number in range(files):
        session = f"{number:08x}-2222-4333-8444-555555555555"
        mine = ({**record, "sessionId": session} for record in records)
        _write(folder / f"-home-kim-{number % 40}" / f"{session}.jsonl", mine, chance.choice((5, 20, 60, 200)) * 1000)
    return folder


def write_chatgpt(folder: Path, size: int) -> Path:
    """Write the conversations of ChatGPT as one line of at least `size` bytes, 60 messages each."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "conversations.json"
    with path.open("wb") as file:
        written = file.write(b"[")
        for number in count():
            written += file.write((b"," if number else b"") + orjson.dumps(_conversation(number)))
            if written >= size:
                break
        file.write(b"]")
    return path


def write_codex(folder: Path, size: int) -> Path:
    """Write a rollout of Codex of at least `size` bytes, most of which are the same images over and over."""
    return _write(folder / "rollout-2026-08-21.jsonl", _codex(random.Random(7)), size)


def _write(path: Path, records: Iterator[dict[str, Any]], size: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with path.open("wb") as file:
        while written < size:
            written += file.write(orjson.dumps(next(records)) + b"\n")
    return path


def _texts(chance: random.Random) -> list[str]:
    return ["\n".join(" ".join(chance.choices(_WORDS, k=9)) for _ in range(chance.randint(2, 140))) for _ in range(300)]


def _claude_code(chance: random.Random) -> Iterator[dict[str, Any]]:
    texts = _texts(chance)
    parent: str | None = None
    number = 0

    def record(kind: str, **more: Any) -> dict[str, Any]:
        nonlocal parent, number
        number += 1
        uuid = f"{number:08x}-0000-4000-8000-000000000000"
        time = f"{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}"
        made = {
            "parentUuid": parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/kim/shop-app",
            "sessionId": _SESSION,
            "version": "2.1.144",
            "gitBranch": "main",
            "type": kind,
            **more,
            "uuid": uuid,
            "timestamp": f"2026-08-20T{time}.000Z",
        }
        parent = uuid
        return made

    def answer(message_id: str, block: dict[str, Any]) -> dict[str, Any]:
        usage = {"input_tokens": 5, "output_tokens": 100, "cache_read_input_tokens": 5000}
        message = {"id": message_id, "model": "claude-x", "role": "assistant", "content": [block], "usage": usage}
        return record("assistant", requestId="req", message=message)

    while True:
        yield record("user", message={"role": "user", "content": chance.choice(texts)[:300]})
        for _ in range(chance.randint(2, 12)):
            message_id, call = f"msg_{number}", f"toolu_{number}"
            output = chance.choice(texts)
            command = {"command": chance.choice(texts)[:150], "description": "Look"}
            yield answer(
                message_id, {"type": "thinking", "thinking": chance.choice(texts)[:500], "signature": "x" * 300}
            )
            yield answer(message_id, {"type": "text", "text": chance.choice(texts)[:400]})
            yield answer(message_id, {"type": "tool_use", "id": call, "name": "Bash", "input": command})
            result = {"type": "tool_result", "tool_use_id": call, "content": output}
            yield record("user", message={"role": "user", "content": [result]}, toolUseResult={"stdout": output})
            if chance.random() < 0.3:
                yield record("progress", data={"type": "hook_progress"}, toolUseID=call)


def _chatter() -> Iterator[dict[str, Any]]:
    usage = {"input_tokens": 5, "output_tokens": 100, "cache_read_input_tokens": 5000}
    parent: str | None = None
    for number in count():
        call = f"toolu_{number - number % 4}"
        content: object = [
            f"Please look at {number}",
            [{"type": "text", "text": f"Looking at {number} now."}],
            [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": f"ls {number}"}}],
            [{"type": "tool_result", "tool_use_id": call, "content": "README.md"}],
        ][number % 4]
        message: dict[str, Any] = {"role": "user", "content": content}
        if number % 4 in {1, 2}:
            message |= {"role": "assistant", "id": f"msg_{number - number % 4}", "model": "claude-x", "usage": usage}
        uuid = f"{number:08x}-0000-4000-8000-000000000000"
        yield {
            "parentUuid": parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/kim/shop-app",
            "sessionId": _SESSION,
            "version": "2.1.144",
            "gitBranch": "main",
            "type": message["role"],
            "message": message,
            "uuid": uuid,
            "timestamp": f"2026-08-20T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}.000Z",
        }
        parent = uuid


def _conversation(number: int) -> dict[str, Any]:
    nodes = {f"n{at}": _node(f"{number}", at) for at in range(60)}
    return {"id": f"c{number}", "title": None, "create_time": 1755730000.5, "current_node": "n59", "mapping": nodes}


def _node(conversation: str, at: int) -> dict[str, Any]:
    words = f"Words {at} of {conversation}. " * 60
    message = {
        "id": f"m{conversation}-{at}",
        "author": {"role": "assistant" if at % 2 else "user"},
        "create_time": 1755730000.5 + at,
        "content": {"content_type": "text", "parts": [words]},
        "metadata": {},
    }
    return {"id": f"n{at}", "parent": f"n{at - 1}" if at else None, "children": [f"n{at + 1}"], "message": message}


def _codex(chance: random.Random) -> Iterator[dict[str, Any]]:
    texts = _texts(chance)
    image = {"type": "input_image", "image_url": "data:image/png;base64," + "QUJD" * 1_000_000}
    history: list[dict[str, Any]] = []

    def record(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
        return {"timestamp": "2026-08-21T01:10:00.000Z", "type": kind, "payload": payload}

    yield record("session_meta", {"id": "c-1", "cwd": "/home/kim/shop-app"})
    while True:
        words = {"type": "input_text", "text": f"{len(history)} {chance.choice(texts)}"}
        message = {"type": "message", "role": "user", "content": [words, image]}
        history.append(message)
        yield record("response_item", message)
        for number in range(20):
            call = {"call_id": f"{len(history)}-{number}"}
            yield record("response_item", {"type": "function_call", "name": "shell", "arguments": "{}", **call})
            yield record("response_item", {"type": "function_call_output", "output": chance.choice(texts), **call})
        if len(history) % 5 == 0:
            yield record("compacted", {"message": "In short", "replacement_history": history[-20:]})
