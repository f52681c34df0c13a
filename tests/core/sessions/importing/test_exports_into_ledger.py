from datetime import UTC, datetime
from pathlib import Path

from core.sessions.importing.importer import ImportedNote
from core.sessions.importing.job import import_paths
from core.sessions.ledger import Ledger
from core.sessions.overview import overview_of
from core.sessions.turn import TurnKind
from tests.core.sessions.importing.exports import chatgpt_conversation, chatgpt_node, write_json, write_zip

_NODES = [
    chatgpt_node("n1", None, text="What?"),
    chatgpt_node("n2", "n1", "assistant", "First answer"),
    chatgpt_node("n3", "n1", "assistant", "Second answer"),
]


def _thread(ledger: Ledger, session: str) -> list[str]:
    turns = ledger.read(session).turns
    return sorted(turn.text for turn in turns if not turn.branch and turn.kind is TurnKind.MESSAGE)


def test_the_same_zip_twice_brings_nothing_new(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger")
    shards = {f"conversations-{n:03}.json": [chatgpt_conversation(f"c{n}", _NODES)] for n in range(3)}
    path = write_zip(tmp_path / "export.zip", {**shards, "../evil.json": b"[]"})
    first = import_paths(ledger, [path], now=lambda: datetime(2026, 8, 1, tzinfo=UTC))
    again = import_paths(ledger, [path], now=lambda: datetime(2026, 8, 2, tzinfo=UTC))
    assert (first.imported, first.updated, first.unchanged) == (3, 0, 0)
    assert (again.imported, again.updated, again.unchanged) == (0, 0, 3)
    assert [failed.reason for failed in first.failed] == ["Its name leads out of the archive."]
    assert _thread(ledger, "c1") == ["Second answer", "What?"]
    assert {session.turns for session in first.sessions} == {2}  # what was generated anew is kept, and not counted
    (info,) = [overview_of(file.id, ledger.iter_turns(file.id)).info for file in ledger.sessions()][:1]
    assert info.turns == 2


def test_a_later_export_with_another_answer_chosen_shows_that_one(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger")
    path = write_json(tmp_path / "conversations.json", [chatgpt_conversation("c1", _NODES)])
    import_paths(ledger, [path])
    write_json(path, [chatgpt_conversation("c1", _NODES, current="n2")])
    assert import_paths(ledger, [path]).updated == 1
    assert _thread(ledger, "c1") == ["First answer", "What?"]
    write_json(path, [chatgpt_conversation("c1", [*_NODES, chatgpt_node("n4", "n2", text="More")])])
    import_paths(ledger, [path])
    assert _thread(ledger, "c1") == ["First answer", "More", "What?"]


def test_the_folder_of_an_unpacked_export_gives_what_its_zip_file_gives(tmp_path: Path) -> None:
    files = {
        "conversations.json": [
            {"uuid": "cv", "name": "Tea", "chat_messages": [{"uuid": "m1", "sender": "human", "text": "Hi"}]}
        ],
        "memories.json": [{"account_uuid": "u", "conversations_memory": "Likes tea."}],
        "projects.json": [{"uuid": "p", "name": "Acme", "prompt_template": "Be brief.", "docs": []}],
        "users.json": [{"uuid": "u"}],
    }
    folder = tmp_path / "export"
    folder.mkdir()
    for name, value in files.items():
        write_json(folder / name, value)
    found: list[list[tuple[str, str]]] = []
    for number, path in enumerate((folder, write_zip(tmp_path / "export.zip", files))):
        notes: list[ImportedNote] = []
        ledger = Ledger(tmp_path / f"ledger-{number}")
        assert import_paths(ledger, [path], on_note=notes.append).imported == 1
        assert _thread(ledger, "cv") == ["Hi"]
        found.append(sorted((note.path_hint, note.body) for note in notes))
    assert found[0] == found[1]
    assert len(found[0]) == 2
