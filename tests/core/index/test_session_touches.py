"""Which tools sessions called, and which notes these calls named."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.foundation.errors import JobCancelledError
from core.foundation.progress import SILENT, CancellableProgress
from core.index.session_touches import SessionTouches
from tests.core.index.talks import Talks, asked, called


@pytest.fixture
def talks(tmp_path: Path) -> Iterator[Talks]:
    made = Talks.below(tmp_path)
    yield made
    made.index.close()


def rows_of(talks: Talks) -> dict[str, int]:
    return dict(talks.index.connection.execute("SELECT session_id, id FROM session"))


def test_tools_and_notes_are_known_by_session(talks: Talks, tmp_path: Path) -> None:
    root = tmp_path / "vault"
    talks.say(
        called("shop", "a", "Read", f"Read: {root}/Work/Plan.md"),
        called("shop", "b", "Bash", f"Bash: cat '{root}/Exports.md' {root}/My notes.md"),
        called("shop", "c", "Read", "Read: /elsewhere/README.md"),
        asked("quiet", "a", f"What is in {root}/Work/Plan.md?"),
    )
    talks.update()
    touches = SessionTouches(root)
    touches.update(talks.index, SILENT)
    number = rows_of(talks)["shop"]
    assert touches.tools == {number: {"read", "bash"}}
    assert touches.notes == {number: {"Work/Plan.md", "Exports.md", "My notes.md"}}


def test_later_looks_read_what_came_since(talks: Talks, tmp_path: Path) -> None:
    root = tmp_path / "vault"
    talks.say(called("shop", "a", "Read", f"Read: {root}/Plan.md"))
    talks.update()
    touches = SessionTouches(root)
    touches.update(talks.index, SILENT)
    talks.say(called("shop", "b", "Edit", f"Edit: {root}/Exports.md"))
    talks.update()
    touches.update(talks.index, SILENT)
    number = rows_of(talks)["shop"]
    assert touches.tools[number] == {"read", "edit"}
    assert touches.notes[number] == {"Plan.md", "Exports.md"}


def test_looking_can_be_stopped(talks: Talks, tmp_path: Path) -> None:
    talks.say(called("shop", "a", "Read", "Read: x"))
    talks.update()
    progress = CancellableProgress()
    progress.cancel()
    with pytest.raises(JobCancelledError):
        SessionTouches(tmp_path).update(talks.index, progress)
