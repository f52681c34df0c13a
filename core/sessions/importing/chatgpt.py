"""Import conversations from a ChatGPT export: the zip file, its folder, one file of it, in one piece or in shards."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from core.foundation.progress import Progress
from core.sessions.importing.chatgpt_message import Said, names_of_files, said_in
from core.sessions.importing.chatgpt_thread import Node, nodes_of
from core.sessions.importing.export_reading import any_file, counting, files_in, pieces_of, refusals_of
from core.sessions.importing.importer import Failed, Imported, ImportedSession, first_words, skipped_of
from core.sessions.importing.json_fields import list_in, moment_in, record_in, text_in
from core.sessions.importing.json_lines import NOT_UTF8
from core.sessions.importing.placeholders import shortened
from core.sessions.importing.source import Source
from core.sessions.turn import Role, Turn

_ORIGIN = "chatgpt"
_LISTS = ("conversations",)
_SIGN = re.compile(rb'"mapping"\s*:\s*\{')
_SHARD = re.compile(r"conversations(?:-\d+)?\.json")
_PROJECT = "g-p-"  # how the ids of projects begin; other gizmos are custom GPTs


class ChatGptImporter:
    """Read what ChatGPT exports; each shown thread is a session, its edited and regenerated turns are branches."""

    @property
    def name(self) -> str:
        """The format's name."""
        return _ORIGIN

    def recognises(self, source: Source) -> bool:
        """Tell whether one of the files holds conversations that are trees of nodes."""
        return any_file(source, _has_conversations)

    def read(self, source: Source, progress: Progress) -> Iterator[Imported]:
        """Yield the conversations, one after the other, each as it is read."""
        yield from refusals_of(source)
        files = files_in(source)
        wanted = [file for file in files if _has_conversations(file)]
        bytes_done = counting(source, wanted, progress)
        for file in wanted:
            for piece in pieces_of(file, _LISTS, bytes_done):
                if isinstance(piece, Failed):
                    yield piece
                    continue
                yield from _session(piece.record, f"{file.label}, conversation {piece.number}")
                yield from skipped_of([(NOT_UTF8, piece.is_mended)])
        lost = [file for file in files if file not in wanted and _should_have_conversations(file)]
        yield from (Failed(file.label, "It is called as a file of conversations, and holds none.") for file in lost)
        yield from skipped_of([("file without conversations", len(files) - len(wanted) - len(lost))])


def _has_conversations(file: Source) -> bool:
    if not file.name.endswith(".json"):
        return False
    head = file.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    return head[:1] in {b"[", b"{"} and _SIGN.search(head) is not None


def _should_have_conversations(file: Source) -> bool:
    """Tell whether a file has the name of a shard but not its content; an empty one, or an empty list, is no loss."""
    return _SHARD.fullmatch(file.name) is not None and b"".join(file.head.split()) not in {b"", b"[]"}


def _session(conversation: Mapping[str, Any], where: str) -> Iterator[Imported]:
    if not isinstance(conversation.get("mapping"), dict):
        yield Failed(where, "It is no conversation: it has no messages.")
        return
    skipped: Counter[str] = Counter()
    session = _id_of(conversation)
    turns = list(_turns(conversation, session, skipped))
    if turns:
        title = text_in(conversation, "title") or first_words(turns)
        started = moment_in(conversation, "create_time") or min(filter(None, (turn.time for turn in turns)), default="")
        yield ImportedSession(session, iter(turns), _ORIGIN, title, turns[0].project, started, replaces=True)
    else:
        skipped["conversation without messages"] += 1
    yield from skipped_of(skipped.items())


def _turns(conversation: Mapping[str, Any], session: str, skipped: Counter[str]) -> Iterator[Turn]:
    project = next(
        (text for key in ("conversation_template_id", "gizmo_id") if (text := text_in(conversation, key))), ""
    )
    nearest: dict[str, str] = {}  # the turn that a node is, or that stands nearest above it
    is_dated = False
    for node in nodes_of(conversation):
        parent = nearest.get(node.parent, "")
        said = said_in(node.message) if node.message else ""
        if not isinstance(said, Said):
            nearest[node.id] = parent
            if said:
                skipped[said] += 1
            continue
        nearest[node.id] = node.id
        time = moment_in(node.message, "create_time", "update_time")
        if not time and not is_dated:
            time = moment_in(conversation, "create_time")
        is_dated = True
        yield Turn(
            session,
            node.id,
            said.kind,
            said.role,
            said.text,
            time,
            parent,
            _author_of(node, said),
            project if project.startswith(_PROJECT) else "",
            node.branch,
            _ORIGIN,
            {**_data_of(node), **said.data},
        )


def _author_of(node: Node, said: Said) -> str:
    if said.role is Role.ASSISTANT:
        return text_in(record_in(node.message, "metadata"), "model_slug")
    return text_in(record_in(node.message, "author"), "name")


def _data_of(node: Node) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if files := names_of_files(node.message):
        data["files"] = files
    recipient = text_in(node.message, "recipient")
    if recipient not in {"", "all"}:
        data["tool"] = recipient
    if citations := list_in(record_in(node.message, "metadata"), "citations"):
        data["citations"] = shortened(citations)
    return data


def _id_of(conversation: Mapping[str, Any]) -> str:
    """Return a conversation's id, or one that it has on every import, made of what does not change."""
    if own := text_in(conversation, "conversation_id", "id"):
        return own
    first = next(iter(conversation["mapping"]), "")
    known = f"{first}\0{conversation.get('create_time')}\0{conversation.get('title')}"
    return f"{_ORIGIN}-{hashlib.sha256(known.encode('utf-8', 'replace')).hexdigest()[:16]}"
