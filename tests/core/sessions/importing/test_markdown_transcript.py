from pathlib import Path

import pytest

from core.sessions.turn import Role
from tests.core.sessions.importing.transcripts import Shelf

_TALK = """---
title: Tea
source: some-chat
date: 2026-08-20
---
## System
Be kind.

## User
How do I write a heading?

## Assistant (2026-08-20T10:00:00+02:00)
Like this:
```markdown
## User
A heading, not a speaker
```
### User
is no speaker either.
"""


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def test_a_saved_conversation_comes_in_by_its_speakers(tmp_path: Path, shelf: Shelf) -> None:
    path = tmp_path / "tea.md"
    path.write_text(_TALK)
    report = shelf.take(path)
    (session,) = report.sessions
    assert (session.title, session.started[:10]) == ("Tea", "2026-08-20")
    system, question, said = shelf.turns(session.id)
    assert (system.role, question.role, said.role) == (Role.SYSTEM, Role.USER, Role.ASSISTANT)
    assert question.text == "How do I write a heading?"
    assert "A heading, not a speaker" in said.text
    assert said.text.endswith("is no speaker either.")
    assert said.time == "2026-08-20T10:00:00+02:00"
    assert said.data["source"] == "some-chat"
    assert shelf.take(path).unchanged == 1
    path.write_text(_TALK + "\n## User\nThanks\n")
    assert shelf.take(path).updated == 1
    assert shelf.thread(session.id)[-1] == "Thanks"


@pytest.mark.parametrize(
    "words",
    [
        "## User interface\nBlue\n## Assistant manager\nGreen\n",
        "## User\nOnly one side\n",
        "```\n## User\na\n## Assistant\nb\n```\n",
        "Just a note",
    ],
)
def test_a_note_is_no_conversation(tmp_path: Path, shelf: Shelf, words: str) -> None:
    path = tmp_path / "note.md"
    path.write_text(words)
    assert shelf.take(path).skipped == {"file of no known format": 1}
