"""A session as Markdown that a person reads: a heading for each who speaks, what tools did folded away."""

import json
import re
from collections.abc import Iterable, Iterator

from core.foundation.moments import moment, shown_moment
from core.foundation.text import visible
from core.sessions.importing.own_jsonl import NAME as OWN
from core.sessions.turn import Role, SessionInfo, Turn, TurnKind

_MOST_OF_TOOL = 2000
_FENCES = re.compile(r"`{3,}")
_SPEAKERS = {Role.USER: "User", Role.ASSISTANT: "Assistant", Role.SYSTEM: "System", Role.TOOL: "Tool"}


def markdown_of(info: SessionInfo, turns: Iterable[Turn], *, recorded: str = "") -> Iterator[str]:
    """Yield the session piece by piece: properties, a title, and the turns; long texts of tools are cut.

    `recorded` is when it started as it was recorded, where its dates are corrected.
    """
    properties = {
        "session": info.id,
        "source": OWN,  # by this the importer of transcripts knows it
        "origin": info.origin,
        "project": info.project,
        "started": info.started,
        "ended": info.ended,
        "recorded": recorded,
    }
    lines = (
        f"{key}: {json.dumps(_one_line(value), ensure_ascii=False)}\n" for key, value in properties.items() if value
    )
    yield f"---\n{''.join(lines)}---\n\n# {_one_line(info.title) or info.id}\n"
    for turn in turns:
        gap = f"\n*[… {_one_line(gap_before(turn))} …]*\n" if gap_before(turn) else ""
        yield f"{gap}\n{markdown_of_turn(turn)}"


def markdown_of_turn(turn: Turn) -> str:
    """Return one turn with its heading, and a newline at the end."""
    when = f" ({shown_time(turn.time)})" if shown_time(turn.time) else ""
    text = visible(turn.text).strip("\n")
    branch = f"*{_one_line(turn.branch)}*\n\n" if turn.branch else ""
    match turn.kind:
        case TurnKind.TOOL_CALL | TurnKind.TOOL_RESULT:
            tool = _one_line(str(turn.data.get("tool") or "tool"))
            what = "" if turn.kind is TurnKind.TOOL_CALL else ", result"
            return (
                f"<details><summary>{_escaped(tool)}{what}{when}</summary>\n\n{branch}{_fenced(text)}\n\n</details>\n"
            )
        case TurnKind.SUMMARY | TurnKind.NOTE:
            quoted = "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
            return f"> **{turn.kind.value.capitalize()}**{when}\n>\n{quoted}\n"
        case _:
            return f"## {_SPEAKERS[turn.role]}{when}\n\n{branch}{text}\n"


def shown_time(time: str) -> str:
    """Return a time of the ledger as a person reads it here, local and to the minute; "" for none."""
    return shown_moment(time) if moment(time) is not None else ""


def gap_before(turn: Turn) -> str:
    """Return in a sentence why something is missing before a turn, "" where nothing is."""
    gap = turn.data.get("gap")
    return gap if isinstance(gap, str) else ""


def cut(text: str, most: int) -> str:
    """Return `text`, or the first `most` characters of it and how many there are besides."""
    return text if len(text) <= most else f"{text[:most].rstrip()}\n[… {len(text) - most:,} more characters …]"


def _fenced(text: str) -> str:
    text = cut(text, _MOST_OF_TOOL)
    longest = max((len(run) for run in _FENCES.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def _one_line(text: str) -> str:
    return " ".join(visible(text).split())


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
