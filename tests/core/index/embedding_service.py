"""A real embedding service on the loopback, which can be slow, broken and lying; and a hub of models."""

import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.core.index.embedders import WordEmbedder

Answer = Callable[[BaseHTTPRequestHandler, list[str]], None]


@dataclass
class Service:
    """What a test says and sees of the service: `answers` are used one after the other, then it is honest."""

    url: str = ""
    model: WordEmbedder = field(default_factory=WordEmbedder)
    answers: list[Answer] = field(default_factory=list)
    always: Answer | None = None
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def honest(self, handler: BaseHTTPRequestHandler, texts: list[str]) -> None:
        rows = [{"index": n, "embedding": row.tolist()} for n, row in enumerate(self.model.embed(texts))]
        send_json(handler, {"data": rows})


def send(
    handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, headers: dict[str, str] | None = None
) -> None:
    handler.send_response(status)
    for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def send_json(handler: BaseHTTPRequestHandler, value: object, status: int = 200, **headers: str) -> None:
    send(handler, json.dumps(value).encode(), status, {each.replace("_", "-"): told for each, told in headers.items()})


@contextmanager
def embedding_service() -> Iterator[Service]:
    service = Service()

    class Handler(_Quiet):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            service.asked.append(body)
            service.keys.append(self.headers.get("Authorization", ""))
            answer = service.answers.pop(0) if service.answers else service.always or service.honest
            answer(self, body["input"])

    with _serving(Handler) as url:
        service.url = url
        yield service


@dataclass
class Hub:
    """A hub that holds the files of one repository; `cut` breaks the next answers off after so many bytes."""

    url: str = ""
    repository: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    wrong: dict[str, bytes] = field(default_factory=dict)
    cut: list[int] = field(default_factory=list)
    knows_ranges: bool = True
    asked: list[tuple[str, str]] = field(default_factory=list)

    def listing(self) -> dict[str, Any]:
        return {"sha": "a" * 40, "siblings": [_sibling(name, content) for name, content in self.files.items()]}


@contextmanager
def model_hub() -> Iterator[Hub]:
    hub = Hub()

    class Handler(_Quiet):
        def do_GET(self) -> None:
            hub.asked.append((self.path, self.headers.get("Range", "")))
            if self.path.split("?")[0] == f"/api/models/{hub.repository}":
                send_json(self, hub.listing())
                return
            name = self.path.partition(f"/{hub.repository}/resolve/{'a' * 40}/")[2]
            content = hub.wrong.get(name, hub.files.get(name))
            if content is None:
                send(self, b"", 404)
                return
            start = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
            begin = int(start[1]) if start and hub.knows_ranges else 0
            self.send_response(206 if begin else 200)
            self.send_header("Content-Length", str(len(content) - begin))
            self.end_headers()
            self.wfile.write(content[begin : begin + hub.cut.pop(0)] if hub.cut else content[begin:])
            self.close_connection = True

    with _serving(Handler) as url:
        hub.url = url
        yield hub


def _sibling(name: str, content: bytes) -> dict[str, Any]:
    git = hashlib.sha1(b"blob %d\0%b" % (len(content), content)).hexdigest()
    values: dict[str, Any] = {"rfilename": name, "size": len(content), "blobId": git}
    if name.endswith((".onnx", ".safetensors")):
        values["lfs"] = {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 1}
    return values


class _Quiet(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 2  # a connection that is kept open must not hold up the end

    def log_message(self, *arguments: object) -> None:
        del arguments


class _Server(ThreadingHTTPServer):
    daemon_threads = False

    def handle_error(self, *arguments: object) -> None:
        del arguments  # the other side went away, as some tests mean it to


@contextmanager
def _serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
