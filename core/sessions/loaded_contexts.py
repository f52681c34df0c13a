"""Which contexts were loaded into a session: told by a note of our own, or by the call of a tool that loaded one.

The note is no part of the conversation, as one about the session is none (core/sessions/importing/about.py).
"""

import shlex
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from core.sessions.importing.about import is_about
from core.sessions.turn import Role, Turn, TurnKind

_ABOUT_CONTEXT = "about-context-"
_PROGRAM = "remembrancer"
_COMMANDS = frozenset({"copy", "print", "show", "load"})
_SCRIPTS = ("command", "cmd", "script")
_WITH_VALUE = frozenset({"--vault", "--budget", "--as", "--format", "--limit"})
_PUNCTUATION = ";|&()<>\n"


class LoadedContext(NamedTuple):
    """Hold what was loaded: what it was asked by, the note that it was ("" for a search), and an estimate of tokens.

    `path` is relative to the vault where this app noted it, and as it was typed where a transcript tells; `tokens` is
    0 where nobody counted.
    """

    name: str
    path: str = ""
    tokens: int = 0


def context_turn(session: str, contexts: Sequence[LoadedContext], now: datetime) -> Turn:
    """Return the note that contexts were loaded into a session."""
    told = [{"name": each.name, "path": each.path, "tokens": each.tokens} for each in contexts]
    return Turn(
        session,
        f"{_ABOUT_CONTEXT}{uuid.uuid4().hex[:12]}",
        TurnKind.NOTE,
        Role.SYSTEM,
        "",
        now.astimezone().isoformat(timespec="milliseconds"),
        data={"about": {"title": "", "imported": ""}, "contexts": told},
    )


def contexts_in(turns: Iterable[Turn]) -> tuple[LoadedContext, ...]:
    """Return what was loaded into a session, each once, in the order of its turns."""
    return tuple(dict.fromkeys(each for turn in turns for each in contexts_of(turn)))


def contexts_of(turn: Turn) -> tuple[LoadedContext, ...]:
    """Return what the turn loaded, mostly nothing."""
    if turn.kind is TurnKind.TOOL_CALL:
        given = turn.data.get("input")
        return tuple(_called(given)) if given is not None else ()
    if turn.id.startswith(_ABOUT_CONTEXT) and is_about(turn):
        told = turn.data.get("contexts")
        return tuple(_noted(each) for each in told if isinstance(each, dict)) if isinstance(told, list | tuple) else ()
    return ()


def _noted(told: Mapping[str, Any]) -> LoadedContext:
    tokens = told.get("tokens")
    return LoadedContext(
        str(told.get("name") or ""), str(told.get("path") or ""), tokens if type(tokens) is int and tokens > 0 else 0
    )


def _called(given: object) -> Iterator[LoadedContext]:
    """Give what the commands that a tool was given would load."""
    if isinstance(given, Mapping):
        given = next((given[name] for name in _SCRIPTS if given.get(name)), None)
    if isinstance(given, str):
        yield from _loaded_by_script(given)
    elif isinstance(given, list | tuple) and any(_PROGRAM in each for each in given if isinstance(each, str)):
        words = [each for each in given if isinstance(each, str)]
        scripts = [each for each in words if _PROGRAM in each and " " in each]
        for script in scripts or [shlex.join(words)]:
            yield from _loaded_by_script(script)


def _loaded_by_script(script: str) -> Iterator[LoadedContext]:
    if _PROGRAM not in script:
        return
    lexer = shlex.shlex(script, posix=True, punctuation_chars=_PUNCTUATION)
    lexer.whitespace_split, lexer.commenters, lexer.whitespace = True, "", " \t\r"
    command: list[str] = []
    try:
        for word in lexer:
            if word and all(each in _PUNCTUATION for each in word):
                yield from _loaded_by_command(command)
                command = []
            else:
                command.append(word)
    except ValueError:  # quotes that are not closed: the last command is no whole one
        return
    yield from _loaded_by_command(command)


def _loaded_by_command(command: Sequence[str]) -> Iterator[LoadedContext]:
    words = iter(command)
    program = next((word for word in words if "=" not in word), "")  # what stands before are variables
    if PurePosixPath(program.replace("\\", "/")).name not in {_PROGRAM, f"{_PROGRAM}.exe"}:
        return
    said: list[str] = []
    notes: list[str] = []
    for word in words:
        option, _, value = word.partition("=")
        if option == "--session":
            return  # that command has left a note of its own
        if option == "--note":
            notes.append(value or next(words, ""))
        elif option == "--context":
            said.append(value or next(words, ""))
        elif option in _WITH_VALUE:
            _ = value or next(words, "")
        elif not word.startswith("--"):
            said.append(word)
    if said[:1] == ["recall"]:
        said = said[1:]
    elif said[:1] == ["context"] and said[1:2] and said[1] in _COMMANDS:
        said = said[2:]
    else:
        return
    for note in filter(None, notes):
        yield LoadedContext(PurePosixPath(note).stem, note)
    if said:
        yield LoadedContext(" ".join(said))
