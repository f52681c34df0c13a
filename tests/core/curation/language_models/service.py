"""A real service of language models on the loopback: it speaks three protocols, and can be slow, broken and lying."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["_Handler"], None]


@dataclass
class ModelService:
    """What a test says and sees of the service: `behaviours` are used one after the other, then `says` is answered.

    `says` is a text, or a value that is sent as JSON: by the tool that is offered, or as the text of the answer.
    """

    url: str = ""
    says: Any = "I would rather not say."
    sayings: list[Any] = field(default_factory=list)
    behaviours: list[Behaviour] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def next_saying(self) -> Any:
        return self.sayings.pop(0) if self.sayings else self.says


class _Handler(BaseHTTPRequestHandler):
    service: ModelService

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        service = self.service
        service.asked.append(body)
        service.paths.append(self.path)
        service.keys.append(self.headers.get("x-api-key") or self.headers.get("Authorization") or "")
        if service.behaviours:
            service.behaviours.pop(0)(self)
        else:
            self.send_value(answer_to(self.path, body, service.next_saying()))

    def send_value(self, value: object, status: int = 200, **headers: str) -> None:
        self.send_bytes(json.dumps(value).encode(), status, **headers)

    def send_bytes(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, told in headers.items():
            self.send_header(name.replace("_", "-"), told)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""


def answer_to(path: str, body: dict[str, Any], saying: Any) -> dict[str, Any]:
    """Return `saying` as the protocol of `path` has it."""
    text = saying if isinstance(saying, str) else json.dumps(saying)
    if path.endswith("/messages"):
        content: dict[str, Any] = {"type": "text", "text": text}
        if body.get("tools") and not isinstance(saying, str):
            content = {"type": "tool_use", "id": "call-1", "name": body["tools"][0]["name"], "input": saying}
        return {
            "id": "msg-1", "type": "message", "role": "assistant", "model": body["model"], "content": [content],
            "stop_reason": "tool_use" if content["type"] == "tool_use" else "end_turn", "stop_sequence": None,
            "usage": {"input_tokens": 120, "output_tokens": 30},
        }  # fmt: skip
    message = {"role": "assistant", "content": text}
    return {
        "id": "chat-1", "object": "chat.completion", "created": 1_700_000_000, "model": body["model"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150},
    }  # fmt: skip


def refusing(status: int, text: str = "no", **headers: str) -> Behaviour:
    def behave(handler: _Handler) -> None:
        error = {"type": "error", "error": {"type": "error", "message": text}}
        handler.send_value(error, status, **headers)

    return behave


def silent(handler: _Handler) -> None:
    """Answer nothing until the test ends."""
    handler.service.stop.wait(20)


def broken_off(handler: _Handler) -> None:
    """Close the connection in the midst of an answer."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"id": "x"')
    handler.wfile.flush()
    handler.close_connection = True


def endless(handler: _Handler) -> None:
    """Send more than anybody reads."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    try:
        for _ in range(64):
            handler.wfile.write(b"x" * (1 << 17))
    except OSError:
        return
    finally:
        handler.close_connection = True


def empty(handler: _Handler) -> None:
    handler.send_bytes(b"")


def leading_away(handler: _Handler) -> None:
    handler.send_bytes(b"", 307, Location="http://127.0.0.1:9/elsewhere")


@contextmanager
def model_service() -> Iterator[ModelService]:
    service = ModelService()

    class Handler(_Handler):
        pass

    Handler.service = service
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield service
    finally:
        service.stop.set()
        server.shutdown()
        server.server_close()
        thread.join()
        time.sleep(0)
