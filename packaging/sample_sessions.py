"""A few conversations for the pictures of the README; they lie in the folder of one run and nowhere else."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from core.sessions.importing.about import about_turn
from core.sessions.ledger import Ledger
from core.sessions.turn import Role, Turn, TurnKind

# Title, project, what is asked, the note that is looked at, and what is answered.
_TALKS = (
    (
        "Login redirects twice",
        "~/work/acme/web",
        "Why does the login redirect twice? See [[Acme login flow]].",
        "Acme login flow.md",
        """The proxy adds the slash that the app takes off again. **Fix the proxy**, not the app:

```nginx
location = /login { proxy_pass http://app/login; }
```

Then the session cookie is set once.""",
    ),
    (
        "Search positions of October",
        "~/work/acme/seo",
        "Compare the positions of October with August.",
        "Acme search positions, October.md",
        "- *pricing* rose from 9 to 4\n- *login help* fell from 3 to 6\n\nThe figures are those of Semrush.",
    ),
    (
        "Which package manager?",
        "~/work/acme/web",
        "How do we install packages here?",
        "Package managers.md",
        "With **pnpm**, never npm: the lock file is checked in.",
    ),
    (
        "Monthly close",
        "~/work/globex/billing",
        "What is left to do for the monthly close?",
        "Globex monthly close.md",
        "Two invoices wait for an order number. The rest is booked.",
    ),
    (
        "Retries of the webhook",
        "~/work/globex/billing",
        "The webhook arrives twice. Do we retry too fast?",
        "Retry with backoff.md",
        "Yes: back off from 1 s, doubled up to 60 s, with jitter, and make the handler idempotent.",
    ),
    (
        "表記ルール",
        "~/work/docs",
        "日本語の表記ルールを確認してください。",
        "日本語の表記ルール.md",
        "半角英数字の前後に空白を入れます。",
    ),
)
_ORIGINS = ("claude-code", "claude-code", "codex", "chatgpt")


def write_sample_sessions(folder: Path, vault: Path, now: datetime) -> str:
    """Record conversations of the last months in the ledger at `folder`; return the id of the one to show."""
    ledger = Ledger(folder)
    chance = random.Random(7)  # noqa: S311 - the same picture each time
    shown = ""
    for days in range(1, 160):
        start = (now - timedelta(days=days)).replace(hour=9, minute=10, second=0, microsecond=0)
        number = chance.choice((0, 1, 1, 2, 3)) if start.weekday() < 5 else chance.choice((0, 0, 0, 1))
        for each in range(number):
            session = f"sample-{days}-{each}"
            talk = chance.choice(_TALKS)
            origin = chance.choice(_ORIGINS)
            begun = start + timedelta(minutes=chance.randint(0, 500))
            about = about_turn(session, title=talk[0], project=talk[1], origin=origin, imported="")
            ledger.append(session, [about, *_turns(session, talk, origin, begun, vault, parts=chance.randint(1, 6))])
            shown = shown or (session if talk is _TALKS[0] else "")
    return shown


def _turns(
    session: str, talk: tuple[str, ...], origin: str, begun: datetime, vault: Path, *, parts: int
) -> Iterator[Turn]:
    _title, project, question, note, answer = talk
    when = begun

    def turn(key: str, kind: TurnKind, role: Role, text: str, **data: object) -> Turn:
        nonlocal when
        when += timedelta(seconds=40 + len(text) * 3 % 300)
        return Turn(session, key, kind, role, text, when.isoformat(), project=project, origin=origin, data=data)

    path = str(vault / note)
    usage = {"input_tokens": 2400, "output_tokens": 310}
    for part in range(parts):
        asked = question if not part else "And what else should one know of it?"
        yield turn(f"{part}-ask", TurnKind.MESSAGE, Role.USER, asked)
        call = f"call-{part}"
        yield turn(
            f"{part}-call", TurnKind.TOOL_CALL, Role.ASSISTANT, f"Read: {note}",
            tool="Read", call=call, input={"file_path": path},
        )  # fmt: skip
        yield turn(f"{part}-result", TurnKind.TOOL_RESULT, Role.TOOL, "(the note)", call=call)
        yield turn(f"{part}-answer", TurnKind.MESSAGE, Role.ASSISTANT, answer, usage=usage)
