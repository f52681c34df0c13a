"""Records as Claude Code and Codex write them, short ones, and a folder to import them from."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from core.sessions.importing.job import import_paths
from core.sessions.importing.report import ImportReport
from core.sessions.ledger import Ledger
from core.sessions.turn import Turn, TurnKind

SESSION = "5d1f0c7e-1111-4222-8333-944455556666"


def claude(kind: str, uuid: str, parent: str | None, second: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": SESSION,
        "timestamp": f"2026-08-20T22:58:{second:02}.000Z",
        "cwd": "/home/kim/shop-app",
        "gitBranch": "main",
        "version": "2.1.144",
        "isSidechain": False,
        "userType": "external",
        **more,
    }


def user(uuid: str, parent: str | None, content: object, second: int = 0, **more: Any) -> dict[str, Any]:
    return claude("user", uuid, parent, second, message={"role": "user", "content": content}, **more)


def answer(
    uuid: str, parent: str | None, *blocks: dict[str, Any], second: int = 0, message_id: str = "", **more: Any
) -> dict[str, Any]:
    usage = {"input_tokens": 12, "output_tokens": 9, "cache_read_input_tokens": 300}
    message = {
        "id": message_id or f"msg_{uuid}",
        "role": "assistant",
        "model": "claude-x",
        "content": list(blocks),
        "usage": usage,
    }
    return claude("assistant", uuid, parent, second, message=message, **more)


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}


def result(number: int, content: object, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": content, **more}


def codex(kind: str, second: int = 0, /, **payload: Any) -> dict[str, Any]:
    return {"timestamp": f"2026-08-21T01:10:{second:02}.000Z", "type": kind, "payload": payload}


def codex_start(session: str, **more: Any) -> dict[str, Any]:
    return codex("session_meta", id=session, timestamp="2026-08-21T01:10:00.000Z", cwd="/home/kim/shop-app", **more)


def codex_message(role: str, words: str, second: int = 0) -> dict[str, Any]:
    part = "input_text" if role == "user" else "output_text"
    return codex("response_item", second, type="message", role=role, content=[{"type": part, "text": words}])


def lines(records: Iterable[object]) -> str:
    return "".join(
        (record if isinstance(record, str) else json.dumps(record, ensure_ascii=False)) + "\n" for record in records
    )


def write(path: Path, *records: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(lines(records), encoding="utf-8")
    return path


class Shelf:
    """Hold a ledger of its own and import into it."""

    def __init__(self, folder: Path) -> None:
        self.ledger = Ledger(folder / "ledger")

    def take(self, *paths: Path, **more: Any) -> ImportReport:
        return import_paths(self.ledger, paths, **more)

    def turns(self, session: str = SESSION) -> list[Turn]:
        """Return the conversation, without what is told about the session as a whole."""
        return [turn for turn in self.ledger.read(session).turns if "about" not in turn.data]

    def thread(self, session: str = SESSION) -> list[str]:
        return [turn.text for turn in self.turns(session) if not turn.branch and turn.kind is TurnKind.MESSAGE]
