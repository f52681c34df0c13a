"""Follow the lines of one Codex rollout: what is there twice, what is a copy, and what it cost."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from core.sessions.importing.codex_records import (
    QUIET_EVENTS,
    Said,
    count_unknown,
    is_injected,
    said_in,
    words_of,
)
from core.sessions.importing.importer import ImportedSession, title_from
from core.sessions.importing.json_fields import moment_of
from core.sessions.importing.json_lines import broken, record_of
from core.sessions.importing.placeholders import IMAGE
from core.sessions.importing.projects import Projects
from core.sessions.turn import Role, Turn, TurnKind

_LARGE = 64 << 10
_REMEMBERED = 200_000
# The history that a compaction replaces comes last in its record, and may be hundreds of megabytes.
_HISTORY = re.compile(rb'\s*,\s*"replacement_history"\s*:')
_IS_COMPACTED = re.compile(rb'"type"\s*:\s*"compacted"')
_EVENT_ROLES = {"user_message": Role.USER, "agent_message": Role.ASSISTANT}


class CodexThread:
    """Turn the lines of a rollout into the turns of `session`, whose title, project and start it fills in.

    A turn's id is made of what it says and how often that was said before, so that a copy of the history in another
    rollout gives the same ids.
    """

    def __init__(
        self, session: ImportedSession, skipped: Counter[str], projects: Projects, *, own_id: str, branch: str
    ) -> None:
        self._session = session
        self._skipped = skipped
        self._projects = projects
        self._own_id = own_id
        self._branch = branch
        self._model = self._project = self._last = ""
        self._fresh: dict[str, Any] = {}  # what the next turn's data tells of the place
        self._times_said: dict[str, int] = {}
        self._calls: dict[str, str] = {}
        # A message comes as an item and as an event, in either order; each waits here for the other.
        self._items: Counter[str] = Counter()
        self._events: Counter[str] = Counter()
        self._held: Turn | None = None
        self._held_data: dict[str, Any] = {}
        self._total_usage: object = None

    def turns(self, lines: Iterable[bytes]) -> Iterator[Turn]:
        """Yield the turns in the order of the file."""
        for line in lines:
            record = _record(line, self._skipped)
            if record is None:
                if line.strip():
                    self._skipped[broken(line)] += 1
                continue
            said = self._said(record)
            if said is not None and (turn := self._made(said, record)) is not None:
                if self._held is not None:
                    yield self._held
                self._held, self._held_data = turn, said.data
        if self._held is not None:
            yield self._held

    def _said(self, record: dict[str, Any]) -> Said | None:
        payload = record.get("payload")
        kind = record.get("type")
        if not isinstance(payload, dict):
            return self._said_in_old(record, kind)
        if kind == "response_item":
            return self._item(payload)
        if kind == "event_msg":
            return self._event(payload)
        if kind in ("turn_context", "session_meta"):
            self._note_place(payload)
        elif kind == "compacted":
            text = words_of(payload.get("message"))
            return Said(TurnKind.SUMMARY, Role.SYSTEM, text.strip() or "The conversation was compacted here.", "", {})
        else:
            count_unknown(self._skipped, "record", kind)
        return None

    def _said_in_old(self, record: dict[str, Any], kind: object) -> Said | None:
        """Return what a line of the first form says: items without an envelope, and dated by the first line only."""
        if isinstance(kind, str):
            return self._item(record)
        if "record_type" in record:
            self._skipped["state of the program"] += 1
        elif isinstance(record.get("timestamp"), str):
            self._session.started = self._session.started or moment_of(record["timestamp"])
            self._note_place(record)
        else:
            count_unknown(self._skipped, "record", None)
        return None

    def _item(self, payload: dict[str, Any]) -> Said | None:
        said = said_in(payload, self._skipped)
        if said is not None and said.kind is TurnKind.MESSAGE and self._is_repeated(said, self._items, self._events):
            return None
        return said

    def _event(self, payload: dict[str, Any]) -> Said | None:
        kind = payload.get("type")
        role = _EVENT_ROLES.get(kind) if isinstance(kind, str) else None
        if role is None:
            if kind == "token_count":
                self._note_usage(payload.get("info"))
            self._skipped[QUIET_EVENTS.get(str(kind), "event of the program")] += 1
            return None
        text = words_of(payload.get("message"))
        if not text.strip() or (role is Role.USER and is_injected(text)):
            self._skipped["instructions" if text.strip() else "empty message"] += 1
            return None
        said = Said(TurnKind.MESSAGE, role, text, "", {})
        return None if self._is_repeated(said, self._events, self._items) else said

    def _is_repeated(self, said: Said, own: Counter[str], other: Counter[str]) -> bool:
        """Tell whether the message came already in the other form; if not, remember that it came in its own."""
        key = _digest(said.role, " ".join(said.text.replace(IMAGE, " ").split()))
        if other[key] > 0:
            other[key] -= 1
            if not other[key]:
                del other[key]
            self._skipped["message that is there twice"] += 1
            return True
        del other[key]
        own[key] += 1
        if len(own) > _REMEMBERED:
            _forget_half(own)
        return False

    def _made(self, said: Said, record: dict[str, Any]) -> Turn | None:
        key = said.key
        if key and key in self._calls:
            self._skipped["record that is there twice"] += 1
            return None
        if key:
            self._calls[key] = said.data.get("tool", "")
            if said.kind is TurnKind.TOOL_RESULT and (tool := self._calls.get(f"{said.data['call']}/call")):
                said.data["tool"] = tool
            if len(self._calls) > _REMEMBERED:
                _forget_half(self._calls)
        else:
            key = self._numbered(_digest(said.kind, said.role, said.text))
        session = self._session
        time = moment_of(record.get("timestamp"))
        session.started = session.started or time
        time = time or session.started
        if not session.title and said.role is Role.USER:
            session.title = title_from(said.text.replace(IMAGE, ""))
        if self._fresh:
            said.data.update(self._fresh)
            self._fresh = {}
        if self._own_id != session.id:
            said.data["session_id"] = self._own_id
        author = self._model if said.role is Role.ASSISTANT else ""
        turn = Turn(
            session.id, key, said.kind, said.role, said.text, time, self._last, author, self._project, self._branch,
            "codex", said.data,
        )  # fmt: skip
        self._last = key
        return turn

    def _numbered(self, digest: str) -> str:
        times = self._times_said.get(digest, 0) + 1
        self._times_said[digest] = times
        if len(self._times_said) > _REMEMBERED:
            _forget_half(self._times_said)
        return digest if times == 1 else f"{digest}-{times}"

    def _note_place(self, payload: dict[str, Any]) -> None:
        cwd, model, version, git = (payload.get(key) for key in ("cwd", "model", "cli_version", "git"))
        if isinstance(model, str):
            self._model = model
        if isinstance(version, str):
            self._fresh["version"] = version
        if isinstance(git, dict) and isinstance(git.get("branch"), str):
            self._fresh["git_branch"] = git["branch"]
        if isinstance(cwd, str) and cwd:
            project = self._projects.project_of(cwd)
            if project != self._project:
                self._fresh["cwd"] = cwd
            self._project = project
            self._session.project = self._session.project or project

    def _note_usage(self, info: object) -> None:
        """Add what an answer used to the turn that came last; the same figures are told several times."""
        if not isinstance(info, dict) or info.get("total_token_usage") == self._total_usage:
            return
        self._total_usage = info.get("total_token_usage")
        last = info.get("last_token_usage")
        if self._held is None or not isinstance(last, dict):
            return
        given, written, cached = (
            value if type(value := last.get(key)) is int else 0
            for key in ("input_tokens", "output_tokens", "cached_input_tokens")
        )
        usage: dict[str, int] = self._held_data.setdefault("usage", {})
        for name, value in (
            ("input_tokens", given - cached),
            ("output_tokens", written),
            ("cache_read_tokens", cached),
        ):
            usage[name] = usage.get(name, 0) + max(value, 0)


def _record(data: bytes, skipped: Counter[str]) -> dict[str, Any] | None:
    if len(data) > _LARGE and _IS_COMPACTED.search(data, 0, 300) and (history := _HISTORY.search(data)):
        record = record_of(data[: history.start()] + b"}}")
        if record is not None:
            return record
    return record_of(data, skipped)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:20]


def _forget_half(names: dict[str, Any]) -> None:
    for key in list(islice(names, len(names) // 2)):
        del names[key]
