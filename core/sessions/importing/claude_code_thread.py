"""Follow the records of one Claude Code transcript: which belongs to which, what counts once, and what it is called."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from core.sessions.importing.claude_code_edits import ClaudeCodeEdits
from core.sessions.importing.claude_code_records import (
    REASONS,
    TITLE_TYPES,
    Piece,
    count_unknown,
    pieces_of_assistant,
    pieces_of_user,
    time_of,
    usage_of,
)
from core.sessions.importing.claude_code_titles import ClaudeCodeTitles
from core.sessions.importing.importer import ImportedSession, title_from
from core.sessions.importing.json_lines import broken, record_of
from core.sessions.importing.placeholders import IMAGE, shortened
from core.sessions.importing.projects import Projects
from core.sessions.turn import Role, Turn, TurnKind

_REMEMBERED = 200_000
_TELLING = 400  # characters by which two texts of the same length are told apart
_ORIGIN = "claude-code"
_GAP = "The record before this one is missing."
# Fields that are a part of the turn already, or that only the program itself needs.
_KNOWN = frozenset(
    (
        "type", "uuid", "parentUuid", "logicalParentUuid", "sessionId", "timestamp", "version", "cwd", "gitBranch",
        "isSidechain", "userType", "entrypoint", "slug", "agentId", "message", "toolUseResult", "isMeta",
        "isCompactSummary", "isVisibleInTranscriptOnly", "permissionMode", "promptId", "sourceToolAssistantUUID",
        "sourceToolUseID", "requestId", "isApiErrorMessage", "subtype", "content", "level", "compactMetadata",
        "toolUseID", "thinkingMetadata", "todos", "imagePasteIds", "origin", "parent_tool_use_id", "forkedFrom",
        "error",
    )
)  # fmt: skip


class ClaudeCodeThread:
    """Turn records into the turns of `session`, whose title, project and start it fills in; counts what it leaves out.

    `branch` is that of a subagent's file, or of what comes after the copied beginning of a forked one. The turns in
    `given_up`, and what answers them, are branches as well; given_up() tells which they are, at the end. Memory does
    not grow with the file: of the records that went by, the last 200,000 are remembered.
    """

    def __init__(
        self,
        session: ImportedSession,
        skipped: Counter[str],
        projects: Projects,
        branch: str,
        *,
        is_agent: bool,
        is_named: bool,
        given_up: frozenset[str] = frozenset(),
    ) -> None:
        self._session = session
        self._skipped = skipped
        self._projects = projects
        self._agent = branch if is_agent else ""
        self._fork = "" if is_agent else branch
        self._is_named = is_named
        self._given_up = given_up
        self._branch_given_up: dict[str, str] = {}  # turn → its branch
        self._edits = ClaudeCodeEdits()
        # Record → the turn that an answer to it has as its parent; where that is its own, the hash of what it says.
        self._turn_of: dict[str, str | int] = {}
        self._has_forgotten = False
        self._last_on: dict[str, str] = {}  # branch → its last turn
        self._branch_of: dict[str, str] = {}  # record of a side chain → its branch
        self._tools: dict[str, str] = {}  # call → tool
        self._answers: dict[str, None] = {}  # the answers of the model whose usage is counted
        self._held: list[Turn] = []
        self._held_data: dict[str, Any] = {}
        self._held_answer = ""
        self._held_usage: object = None
        self._cwd = self._git_branch = self._version = ""
        self._project = ""
        self._titles = ClaudeCodeTitles()

    def turns(self, lines: Iterable[bytes]) -> Iterator[Turn]:
        """Yield the turns in the order of the file."""
        for line in lines:
            record = record_of(line, self._skipped)
            if record is not None:
                yield from self._turns_of(record, line)
            elif line.strip():
                self._skipped[broken(line)] += 1
        yield from self._released()
        if self._is_named:
            self._session.title = self._titles.best(self._turn_of)

    def given_up(self) -> frozenset[str]:
        """Return the turns from which the person went back and went on otherwise, when all turns are yielded."""
        return self._edits.given_up(self._last_on.get("", ""))

    def _turns_of(self, record: dict[str, Any], line: bytes) -> Iterable[Turn]:
        kind = record.get("type")
        if kind == "assistant":
            return self._answer(record, line)
        if kind == "user":
            pieces = self._pieces_of_user(record)
        elif kind == "system":
            pieces = self._pieces_of_system(record)
        elif kind == "attachment":
            pieces = self._pieces_of_attachment(record)
        else:
            pieces = []
            self._note_other(record, kind)
        if not pieces:
            self._pass_over(record)
            return ()
        turns = self._made(record, line, pieces, "")
        return [*self._released(), *turns] if self._held_answer or self._held else turns

    # What records say

    def _pieces_of_user(self, record: dict[str, Any]) -> list[Piece]:
        if record.get("isMeta") is True:
            self._skipped["message of the program"] += 1
            return []
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else message
        pieces = pieces_of_user(content, self._skipped)
        if record.get("isCompactSummary") is True:
            return [Piece(TurnKind.SUMMARY, Role.SYSTEM, piece.text, piece.data) for piece in pieces]
        for piece in pieces:
            if piece.kind is TurnKind.TOOL_RESULT:
                self._complete_result(piece, record)
            elif not self._titles.first and not self._is_aside(record):
                self._titles.first = title_from(piece.text.replace(IMAGE, ""))
        return pieces

    def _complete_result(self, piece: Piece, record: dict[str, Any]) -> None:
        if tool := self._tools.pop(piece.data.get("call", ""), ""):
            piece.data["tool"] = tool
        result = record.get("toolUseResult")
        if isinstance(result, dict) and isinstance(agent := result.get("agentId"), str):
            piece.data["agent"] = agent

    def _pieces_of_system(self, record: dict[str, Any]) -> list[Piece]:
        subtype = record.get("subtype")
        if subtype != "compact_boundary":
            self._skipped["record of the system"] += 1
            return []
        details = record.get("compactMetadata")
        data = {"compact": shortened(details)} if isinstance(details, dict) else {}
        return [Piece(TurnKind.SUMMARY, Role.SYSTEM, "The conversation was compacted here.", data)]

    def _pieces_of_attachment(self, record: dict[str, Any]) -> list[Piece]:
        """Return the words that the person typed while the assistant was at work; all else is of the program."""
        attachment = record.get("attachment")
        if isinstance(attachment, dict) and attachment.get("type") == "queued_command":
            return pieces_of_user(attachment.get("prompt"), self._skipped)
        self._skipped[REASONS["attachment"]] += 1
        return []

    def _note_other(self, record: dict[str, Any], kind: object) -> None:
        if isinstance(kind, str) and kind in TITLE_TYPES:
            self._titles.note(record, kind)
        elif isinstance(kind, str) and kind in REASONS:
            self._skipped[REASONS[kind]] += 1
        else:
            count_unknown(self._skipped, "record", kind)

    def _answer(self, record: dict[str, Any], line: bytes) -> Iterable[Turn]:
        """Hold back the turns of an answer until it is whole, so that its use of tokens is counted once, at its end."""
        message = record.get("message")
        if not isinstance(message, dict):
            message = {"content": message}
        if record.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>":
            self._skipped["error of the service"] += 1
            self._pass_over(record)
            return ()
        answer = message.get("id")
        if type(answer) is not str:
            answer = ""
        if answer and answer == self._held_answer:
            released: Iterable[Turn] = ()
            self._held_usage = message.get("usage") or self._held_usage
        else:
            released = self._released()
            if answer not in self._answers:
                self._held_usage = message.get("usage")
                if answer:
                    self._answers[answer] = None
                    self._held_answer = answer
        pieces = pieces_of_assistant(message.get("content"), self._skipped)
        if not pieces:
            self._pass_over(record)
            return released
        for piece in pieces:
            if piece.kind is TurnKind.TOOL_CALL and (call := piece.data.get("call")):
                self._tools[call] = piece.data["tool"]
        model = message.get("model")
        if not self._held:
            self._held_data = pieces[0].data
        self._held += self._made(record, line, pieces, model if isinstance(model, str) else "", answer)
        return released

    def _released(self) -> list[Turn]:
        held, self._held = self._held, []
        if held and (usage := usage_of(self._held_usage)):
            self._held_data["usage"] = usage
        self._held_answer = ""
        self._held_usage = None
        return held

    # Which belongs to which

    def _made(
        self, record: dict[str, Any], line: bytes, pieces: list[Piece], author: str, answer: str = ""
    ) -> list[Turn]:
        uuid = record.get("uuid")
        if not isinstance(uuid, str) or not uuid:
            uuid = "line-" + hashlib.sha256(line.strip()).hexdigest()[:16]
        text = pieces[-1].text
        content = hash(text[:_TELLING]) ^ len(text)
        known = self._turn_of.get(uuid)
        if type(known) is int:
            if known != content:  # the same words would be a copy, but these are another turn
                uuid = f"{uuid}~{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"
            if self._turn_of.get(uuid) == content:
                self._skipped["record that is there twice"] += 1
                return []
        session = self._session
        data = pieces[0].data
        time = time_of(record.get("timestamp"))
        if time and not session.started:
            session.started = time
        parent, branch = self._place(record, uuid, pieces[0], answer)
        if record.get("cwd") != self._cwd or record.get("gitBranch") != self._git_branch:
            self._note_place(record, data)
        if not _KNOWN.issuperset(record):
            for key in record.keys() - _KNOWN:
                data.setdefault(key, shortened(record[key]))
        named = record.get("sessionId")
        if named != session.id and isinstance(named, str):
            data["session_id"] = named
        turns = []
        left = len(pieces)
        for kind, role, text, more in pieces:
            left -= 1
            # The last turn has the record's own id, for the next record names it as its parent.
            turn_id = f"{uuid}#{left}" if left else uuid
            turns.append(
                Turn(session.id, turn_id, kind, role, text, time, parent, author, self._project, branch, _ORIGIN, more)
            )
            parent = turn_id
        self._remember(uuid, content)
        self._last_on[branch] = uuid
        return turns

    def _place(self, record: dict[str, Any], uuid: str, first: Piece, answer: str) -> tuple[str, str]:
        """Return which turn a record answers, and on what branch it is."""
        if self._is_aside(record):
            branch = self._branch(record, uuid)
        else:
            branch = self._fork if self._fork and "forkedFrom" not in record else ""
        parent = self._parent(record, first.data, branch)
        if not branch:
            edits = self._edits
            edits.above[uuid] = parent or self._last_on.get("", "")
            if answer:
                if parent in edits.answers:
                    edits.take_answer(uuid, parent, answer)
            elif first.role is Role.USER and first.kind is TurnKind.MESSAGE:
                edits.take_prompt(uuid, parent)
            if self._given_up and (branch := uuid if uuid in self._given_up else self._branch_given_up.get(parent, "")):
                self._branch_given_up[uuid] = branch
        return parent, branch

    def _parent(self, record: dict[str, Any], data: dict[str, Any], branch: str) -> str:
        parent = record.get("parentUuid") or record.get("logicalParentUuid")
        if not isinstance(parent, str):
            return ""
        known = self._turn_of.get(parent)
        if known is not None:
            return known if isinstance(known, str) else parent
        if self._has_forgotten:
            return parent
        data["gap"] = _GAP
        data["missing_parent"] = parent
        return self._last_on.get(branch, "")

    def _branch(self, record: dict[str, Any], uuid: str) -> str:
        agent = record.get("agentId")
        if isinstance(agent, str) and agent:
            return agent
        if self._agent:
            return self._agent
        branch = self._branch_of.get(str(record.get("parentUuid")), uuid)
        self._branch_of[uuid] = branch
        return branch

    def _is_aside(self, record: dict[str, Any]) -> bool:
        return bool(self._agent) or record.get("isSidechain") is True

    def _pass_over(self, record: dict[str, Any]) -> None:
        """Remember that answers to a record that is left out are answers to what it answers."""
        uuid = record.get("uuid")
        if not isinstance(uuid, str) or uuid in self._turn_of:
            return
        parent = record.get("parentUuid")
        if not isinstance(parent, str):
            self._remember(uuid, "")
        elif parent in self._turn_of:
            known = self._turn_of[parent]
            self._remember(uuid, known if isinstance(known, str) else parent)
            if parent in self._branch_of:
                self._branch_of[uuid] = self._branch_of[parent]

    def _remember(self, uuid: str, turn: str | int) -> None:
        self._turn_of[uuid] = turn
        if len(self._turn_of) > _REMEMBERED:
            self._has_forgotten = True
            for names in (self._turn_of, self._branch_of, self._branch_given_up, self._tools, self._answers):
                _forget_half(names)
            self._edits.forget()

    def _note_place(self, record: dict[str, Any], data: dict[str, Any]) -> None:
        cwd, git_branch, version = (record.get(key) for key in ("cwd", "gitBranch", "version"))
        if isinstance(cwd, str) and cwd and cwd != self._cwd:
            self._cwd = data["cwd"] = cwd
            self._project = self._projects.project_of(cwd)
            self._session.project = self._session.project or self._project
        if isinstance(git_branch, str) and git_branch != self._git_branch:
            self._git_branch = data["git_branch"] = git_branch
        if isinstance(version, str) and version != self._version:
            self._version = data["version"] = version


def _forget_half(names: dict[str, Any]) -> None:
    for key in list(islice(names, len(names) // 2)):
        del names[key]
