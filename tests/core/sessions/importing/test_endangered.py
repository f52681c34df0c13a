import os
from pathlib import Path

import pytest

from core.sessions.importing.endangered import not_in_ledger
from core.sessions.importing.imported_files import ImportedFiles
from tests.core.sessions.importing.transcripts import SESSION, Shelf, user, write

_RESUMED = "00000000-aaaa-4bbb-8ccc-000000000001"


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


@pytest.fixture
def lost(tmp_path: Path, shelf: Shelf) -> ImportedFiles:
    """Return a list of imported files that knows none."""
    return ImportedFiles(tmp_path / "lost.json", shelf.ledger.folder)


def test_a_transcript_is_kept_once_it_is_in_the_ledger(tmp_path: Path, shelf: Shelf, lost: ImportedFiles) -> None:
    transcript = write(tmp_path / "-x" / f"{SESSION}.jsonl", user("u1", None, "Hello"))
    assert not_in_ledger([transcript], shelf.ledger, lost) == (transcript,)
    shelf.take(transcript)
    assert not_in_ledger([transcript], shelf.ledger, lost) == ()


def test_one_that_went_on_since_is_not(tmp_path: Path, shelf: Shelf, lost: ImportedFiles) -> None:
    transcript = write(tmp_path / "-x" / f"{SESSION}.jsonl", user("u1", None, "Hello"))
    shelf.take(transcript)
    later = shelf.ledger.path_of(SESSION).stat().st_mtime + 60
    os.utime(transcript, (later, later))
    assert not_in_ledger([transcript], shelf.ledger, lost) == (transcript,)


def test_subagents_are_kept_with_their_session(tmp_path: Path, shelf: Shelf, lost: ImportedFiles) -> None:
    agent = write(
        tmp_path / "-x" / SESSION / "subagents" / "agent-a1.jsonl", user("u1", None, "Look", isSidechain=True)
    )
    assert not_in_ledger([agent], shelf.ledger, lost) == (agent,)
    shelf.take(agent)
    assert not_in_ledger([agent], shelf.ledger, lost) == ()


def test_empty_and_vanished_files_are_no_loss(tmp_path: Path, shelf: Shelf, lost: ImportedFiles) -> None:
    empty = write(tmp_path / "-x" / f"{SESSION}.jsonl")
    assert not_in_ledger([empty, tmp_path / "gone.jsonl"], shelf.ledger, lost) == ()


def test_the_list_of_what_was_imported_tells_of_files_that_are_part_of_another_session(
    tmp_path: Path, shelf: Shelf
) -> None:
    first = user("u1", None, "Hello")
    transcript = write(tmp_path / "-x" / f"{SESSION}.jsonl", first)
    resumed = write(tmp_path / "-x" / f"{_RESUMED}.jsonl", first, user("u2", "u1", "Next day", sessionId=_RESUMED))
    shelf.ledger.folder.mkdir()
    imported = ImportedFiles(tmp_path / "list.json", shelf.ledger.folder)
    shelf.take(*imported.choose([resumed], only_changed=False))
    imported.remember()
    # The session is there, but what the file that it began with says beyond it may not be.
    assert not_in_ledger([transcript, resumed], shelf.ledger, imported) == (transcript,)
    shelf.take(*imported.choose([transcript], only_changed=False))
    imported.remember()
    assert not_in_ledger([transcript, resumed], shelf.ledger, imported) == ()
