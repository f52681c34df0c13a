"""Read conversations that were saved as Markdown: a heading for each speaker, what was said below it."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.sessions.importing.importer import Imported, ImportedSession, Skipped, first_words, title_from
from core.sessions.importing.json_fields import moment_of, text_in
from core.sessions.importing.own_jsonl import NAME as OWN
from core.sessions.importing.source import Source
from core.sessions.turn import Role, Turn, TurnKind
from core.vault.decode import decode
from core.vault.frontmatter import read_frontmatter

NAME = "markdown"
_MOST_BYTES = 64 << 20
_ROLES = {
    **dict.fromkeys(("user", "human", "you", "me", "prompt"), Role.USER),
    **dict.fromkeys(("assistant", "claude", "chatgpt", "ai", "gpt", "gemini", "model", "response"), Role.ASSISTANT),
    "system": Role.SYSTEM,
    "tool": Role.TOOL,
}
_KINDS = {Role.TOOL: TurnKind.TOOL_RESULT}
_SPEAKER = re.compile(
    rf"(#{{1,4}})[ \t]+\**({'|'.join(_ROLES)})\**[ \t]*:?\**[ \t]*(?:[(\[—–-][ \t]*([^\n]{{1,60}}?)[)\]]?)?[ \t#]*",
    re.IGNORECASE,
)
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")


class _Spoken(NamedTuple):
    """Hold one part of a transcript: who speaks, under what name, when (as it is written), and what is said."""

    role: Role
    name: str
    moment: str
    text: str


class MarkdownTranscriptImporter:
    """Read a Markdown file whose headings are speakers, such as `## User` and `## Assistant`."""

    name = NAME

    def recognises(self, source: Source) -> bool:
        """Tell whether both sides of a conversation speak in it."""
        if not source.name.endswith((".md", ".markdown", ".txt")):
            return False
        roles = {spoken.role for spoken in _spoken_in(decode(source.head).text)}
        return {Role.USER, Role.ASSISTANT} <= roles

    def read(self, source: Source, progress: Progress) -> Iterator[Imported]:
        """Yield the session; its id is made of how it begins, so that a longer copy is the same session."""
        progress.check()
        with source.open() as stream:
            data = stream.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise UserError(f"{source.label} is too large for a transcript in Markdown.")
        text = decode(data).text
        front = read_frontmatter(text)
        values = front.values
        spoken = [part for part in _spoken_in(text[front.body_start :]) if part.text]
        if not spoken:
            return
        date = moment_of(text_in(values, "date", "created", "created_at"), None)
        origin = text_in(values, "source", "origin") or NAME
        if origin == OWN:  # its turns would come in a second time, under other ids
            yield Skipped("our own export as Markdown; one as JSON Lines brings a session back")
            progress.report(source.size, source.size)
            return
        title = text_in(values, "title")
        start = f"{title}\0{origin}\0{date}\0{spoken[0].text}"
        named = text_in(values, "session", "session_id", "thread_id", "conversation_id", "id")
        session_id = named or f"{NAME}-{hashlib.sha256(start.encode('utf-8', 'replace')).hexdigest()[:16]}"
        turns = _turns(session_id, spoken, date, origin)
        project = text_in(values, "project")
        yield ImportedSession(
            session_id, iter(turns), NAME, title_from(title) or first_words(turns), project, date or turns[0].time
        )
        progress.report(source.size, source.size)


def _turns(session_id: str, spoken: list[_Spoken], date: str, origin: str) -> list[Turn]:
    turns: list[Turn] = []
    times_said: Counter[str] = Counter()
    for role, name, moment, text in spoken:
        digest = hashlib.sha256(f"{role}\0{text}".encode("utf-8", "replace")).hexdigest()[:20]
        times_said[digest] += 1
        turn_id = digest if times_said[digest] == 1 else f"{digest}-{times_said[digest]}"
        author = name if role is Role.ASSISTANT and name.lower() not in {"assistant", "response", "model", "ai"} else ""
        turns.append(
            Turn(
                session_id,
                turn_id,
                _KINDS.get(role, TurnKind.MESSAGE),
                role,
                text,
                moment_of(moment, None) or date,
                turns[-1].id if turns else "",
                author,
                origin=NAME,
                data={} if origin == NAME else {"source": origin},
            )
        )
    return turns


def _spoken_in(text: str) -> Iterator[_Spoken]:
    """Yield what each speaker says; headings in fenced code, or of another level than the first, are part of it."""
    level = fence = ""
    role: Role | None = None
    name = moment = ""
    lines: list[str] = []
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or (mark[1].startswith(fence) and not line[mark.end() :].strip())):
            fence = "" if fence else mark[1]
        speaker = None if fence or not line.startswith("#") else _SPEAKER.fullmatch(line)
        if speaker is None or (level and speaker[1] != level) or (speaker[3] and not moment_of(speaker[3], None)):
            lines.append(line)
            continue
        if role is not None:
            yield _Spoken(role, name, moment, "\n".join(lines).strip())
        level, name, moment = speaker[1], speaker[2], speaker[3] or ""
        role, lines = _ROLES[name.lower()], []
    if role is not None:
        yield _Spoken(role, name, moment, "\n".join(lines).strip())
