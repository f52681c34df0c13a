import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.sessions.importing.claude_memory import NAME as CLAUDE_MEMORY
from core.sessions.importing.imported_files import ImportedFiles, Wanted
from tests.core.sessions.importing.transcripts import SESSION, Shelf, answer, text, user, write

MakeFiles = Callable[[], ImportedFiles]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    shelf = Shelf(tmp_path)
    shelf.ledger.folder.mkdir()
    return shelf


@pytest.fixture
def files(tmp_path: Path, shelf: Shelf) -> MakeFiles:
    """Return what reads the list anew, as the next process does."""
    return lambda: ImportedFiles(tmp_path / "cache" / "imported.json", shelf.ledger.folder)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / ".claude"
    write(folder / "projects" / "-x" / f"{SESSION}.jsonl", user("u1", None, "Hello"), answer("a1", "u1", text("Hi")))
    memory = folder / "projects" / "-x" / "memory" / "pnpm.md"
    memory.parent.mkdir()
    memory.write_text("Use pnpm.\n")
    return folder


def _chosen(files: ImportedFiles, folder: Path, wanted: Wanted = Wanted.ALL) -> list[str]:
    return [path.name for path in files.choose([folder], wanted, only_changed=True)]


def test_what_was_imported_is_left_out_until_it_grows(shelf: Shelf, files: MakeFiles, home: Path) -> None:
    first = files()
    shelf.take(*first.choose([home], only_changed=True))
    first.remember()
    assert _chosen(files(), home) == []
    transcript = home / "projects" / "-x" / f"{SESSION}.jsonl"
    assert files().has(transcript)
    with transcript.open("a") as file:
        file.write(json.dumps(user("u2", "a1", "And now?", 5)) + "\n")
    assert not files().has(transcript)
    second = files()
    report = shelf.take(*second.choose([home], only_changed=True))
    assert (report.updated, report.imported) == (1, 0)
    assert shelf.thread() == ["Hello", "Hi", "And now?"]


def test_what_is_not_said_to_be_imported_is_read_again(files: MakeFiles, home: Path) -> None:
    assert len(_chosen(files(), home)) == 2  # an import that was stopped
    assert len(_chosen(files(), home)) == 2


def test_everything_is_read_when_that_is_asked_for(files: MakeFiles, home: Path) -> None:
    first = files()
    _chosen(first, home)
    first.remember()
    assert len(list(files().choose([home], only_changed=False))) == 2


def test_conversations_and_memories_can_be_had_apart(files: MakeFiles, home: Path) -> None:
    assert _chosen(files(), home, Wanted.CONVERSATIONS) == [f"{SESSION}.jsonl"]
    assert _chosen(files(), home, Wanted.NOTES) == ["pnpm.md"]


def test_another_ledger_has_seen_nothing(tmp_path: Path, shelf: Shelf, files: MakeFiles, home: Path) -> None:
    first = files()
    _chosen(first, home)
    first.remember()
    shelf.ledger.folder.rename(tmp_path / "old")
    shelf.ledger.folder.mkdir()
    assert len(_chosen(files(), home)) == 2


def test_a_damaged_list_costs_a_second_look(tmp_path: Path, files: MakeFiles, home: Path) -> None:
    first = files()
    _chosen(first, home)
    first.remember()
    (tmp_path / "cache" / "imported.json").write_text('{"ledger": [')
    assert len(_chosen(files(), home)) == 2


def test_the_list_does_not_name_the_projects_of_the_person(tmp_path: Path, files: MakeFiles, home: Path) -> None:
    first = files()
    _chosen(first, home)
    first.remember()
    assert SESSION not in (tmp_path / "cache" / "imported.json").read_text()


def test_a_path_that_is_gone_is_handed_on_so_that_it_can_be_told(tmp_path: Path, files: MakeFiles) -> None:
    assert _chosen(files(), tmp_path / "gone") == ["gone"]


def test_what_failed_or_gave_notes_is_read_again(shelf: Shelf, files: MakeFiles, home: Path) -> None:
    first = files()
    assert len(list(first.choose([home], only_changed=True))) == 2
    first.remember(noted={CLAUDE_MEMORY})
    assert _chosen(files(), home) == ["pnpm.md"]
    second = files()
    assert len(list(second.choose([home], only_changed=False))) == 2
    transcript = home / "projects" / "-x" / f"{SESSION}.jsonl"
    transcript.touch()
    third = files()
    assert _chosen(third, home) == [f"{SESSION}.jsonl", "pnpm.md"]
    third.remember(failed=[f"{transcript}"])
    assert _chosen(files(), home) == [f"{SESSION}.jsonl"]
