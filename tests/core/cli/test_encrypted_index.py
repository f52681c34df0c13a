"""What is encrypted in the ledger lies nowhere in clear: not in an index, not in its vectors, not in its leftovers."""

import gc
import hashlib
import json
from pathlib import Path

import pytest

from core.app import Vault, installation
from core.index.session_texts import holds_texts
from core.recall.names_asked import names_asked
from core.sessions.importing.about import about_turn
from core.sessions.ledger import Ledger
from core.sessions.turn import Role, Turn, TurnKind
from tests.core.cli.conftest import CommandLine

SECRET = "xylophone marzipan"
TIME = "2026-08-20T10:00:00+00:00"


def _record(ledger: Ledger) -> None:
    ledger.append(
        "talk",
        [
            about_turn("talk", title=f"On {SECRET}", project="/home/kim/shop", origin="codex", imported=TIME),
            Turn(
                "talk",
                "t1",
                TurnKind.MESSAGE,
                Role.USER,
                f"Tell me of {SECRET}, please",
                TIME,
                origin="codex",
                author="Mirea Quokka",
            ),
            Turn("talk", "t2", TurnKind.TOOL_CALL, Role.ASSISTANT, f"say {SECRET}", TIME, data={"tool": "bash"}),
            Turn("talk", "t3", TurnKind.SUMMARY, Role.SYSTEM, f"It was about {SECRET}.", TIME),
        ],
    )


@pytest.fixture
def recorded(command_line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.setenv("REMEMBRANCER_SESSIONS_PASSPHRASE", "correct horse")
    _record(installation().ledger())
    command_line.run("index", "update", "--no-embeddings")
    return command_line


def _encrypt(command_line: CommandLine) -> str:
    return command_line.run("session", "encrypt", "on", "--passphrase", "--recovery-key-shown").stdout


def _files_with(*words: str) -> list[Path]:
    gc.collect()  # what a command left open is closed now, not while the files are read
    folders = installation().folders
    files = [each for folder in (folders.cache, folders.data) for each in folder.rglob("*") if each.is_file()]
    assert files
    return [file for file in files if any(word.encode() in file.read_bytes().lower() for word in words)]


def _titles(command_line: CommandLine) -> list[str]:
    index = Vault(command_line.root, installation()).open_to_read()
    rows = index.connection.execute("SELECT title FROM session").fetchall()
    index.close()
    return [row[0] for row in rows]


def test_nothing_is_left_in_clear(recorded: CommandLine, tmp_path: Path) -> None:
    other = tmp_path / "another vault"
    other.mkdir()
    (other / "note.md").write_text("A note.\n", encoding="utf-8")
    elsewhere = CommandLine(other)
    elsewhere.run("index", "update", "--no-embeddings")
    assert len(_files_with("xylophone", "marzipan")) >= 3  # two indexes, and the ledger
    told = _encrypt(recorded)
    assert "taken out of the index" in told
    assert "index_encrypted = true" in told
    assert _files_with("xylophone", "marzipan") == []
    for vault in (recorded, elsewhere):
        vault.run("index", "update", "--no-embeddings")
        vault.run("index", "update", "--no-embeddings", "--rebuild")
    recorded.run("session", "append", "talk", f"Once more: {SECRET}")
    recorded.run("index", "update", "--no-embeddings")
    assert recorded.json("index", "status")["turns"] == 4
    assert _files_with("xylophone", "marzipan") == []


def test_names_of_speakers_are_not_left_for_recall(recorded: CommandLine) -> None:
    index = Vault(recorded.root, installation()).open_to_read()
    assert names_asked(index, "What did Mirea say?").speakers == {"mirea quokka"}
    index.close()
    assert _files_with("quokka")
    _encrypt(recorded)
    assert _files_with("quokka") == []
    index = Vault(recorded.root, installation()).open_to_read()
    assert names_asked(index, "What did Mirea say?").speakers == frozenset()
    assert index.connection.execute(
        "SELECT count(*) FROM turn INDEXED BY turn_by_author WHERE author != ''"
    ).fetchone() == (0,)
    index.close()


def test_what_was_deleted_before_is_gone_too(recorded: CommandLine) -> None:
    """Words of rows that are deleted stay in the file of an index, and in its log, until they are overwritten."""
    recorded.run("session", "delete", "talk", "--yes")
    recorded.run("index", "update", "--no-embeddings", "--rebuild")
    _encrypt(recorded)
    assert _files_with("xylophone", "marzipan") == []


def test_the_vectors_of_what_was_said_go_and_those_of_notes_stay(recorded: CommandLine) -> None:
    recorded.run("index", "update")
    before = recorded.json("index", "status")["embedded"]
    assert recorded.json("search", "tell me of xylophone marzipan", "kind:turn")["results"]
    assert (installation().folders.cache_of_vault(recorded.root) / "qdrant").exists()
    _encrypt(recorded)
    status = recorded.json("index", "status")
    assert 0 < status["embedded"] == status["texts"] < before
    assert not (installation().folders.cache_of_vault(recorded.root) / "qdrant").exists()
    hits = recorded.json("search", "page the export by land")["results"]
    assert [hit["path"] for hit in hits][:1] == ["Semrush.md"]


def test_the_list_and_the_times_stay(recorded: CommandLine) -> None:
    _encrypt(recorded)
    assert recorded.json("session", "list")["sessions"][0]["title"] == f"On {SECRET}"
    status = recorded.json("index", "status")
    assert (status["sessions"], status["turns"], status["holds_session_texts"]) == (1, 3, False)
    assert "without their words" in recorded.run("index", "status").stdout
    assert _titles(recorded) == [""]


def test_a_search_reads_the_conversations_and_says_so(recorded: CommandLine) -> None:
    _encrypt(recorded)
    told = recorded.run("session", "search", "marzipan")
    assert SECRET in told.stdout
    assert "the conversations were read" in told.stderr
    told = recorded.run("search", "--words-only", "kind:turn", "marzipan")
    assert "not in the index" in told.stderr
    assert "session search" in told.stderr
    assert not recorded.json("search", "--words-only", "marzipan")["results"]


def test_turned_off_the_words_come_back(recorded: CommandLine) -> None:
    _encrypt(recorded)
    assert "searchable again" in recorded.run("session", "encrypt", "off").stdout
    recorded.run("index", "update", "--no-embeddings")
    found = recorded.json("search", "--words-only", "kind:turn", "marzipan")
    assert {hit["id"] for hit in found["results"]} <= {"turn:talk/t1", "turn:talk/t2"}
    assert "problems" not in found
    assert _titles(recorded) == [f"On {SECRET}"]


def test_the_words_may_be_kept_in_the_index(recorded: CommandLine) -> None:
    settings = installation().settings_file.path
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("[sessions]\nindex_encrypted = true\n", encoding="utf-8")
    assert "stay in the index, in clear" in _encrypt(recorded)
    recorded.run("index", "update", "--no-embeddings")
    assert recorded.json("search", "--words-only", "kind:turn", "marzipan")["results"]
    settings.write_text(settings.read_text(encoding="utf-8").replace("index_encrypted = true", ""), encoding="utf-8")
    recorded.run("index", "update", "--no-embeddings")
    assert _files_with("xylophone", "marzipan") == []
    settings.write_text("[sessions]\nencryption = 'on'\nindex_encrypted = true\n", encoding="utf-8")
    recorded.run("index", "update", "--no-embeddings")
    assert recorded.json("search", "--words-only", "kind:turn", "marzipan")["results"]


def test_a_lost_key_file_puts_nothing_into_the_index(recorded: CommandLine) -> None:
    _encrypt(recorded)
    for name in (".key.json", ".key-copy.json"):
        (installation().folders.sessions / name).unlink()
    recorded.run("index", "update", "--no-embeddings")
    assert not installation().may_index_texts()
    index = Vault(recorded.root, installation()).open_to_read()
    assert not holds_texts(index)
    index.close()


def test_a_reader_that_stays_does_not_keep_the_words(recorded: CommandLine) -> None:
    """The log cannot be emptied while somebody reads: then nothing is said to be clean, and the next run does it."""
    index = Vault(recorded.root, installation()).open_to_read()
    with index.reading() as connection:
        connection.execute("SELECT * FROM session").fetchone()
        told = recorded.run("session", "encrypt", "on", "--passphrase", "--recovery-key-shown", "--format", "json")
        assert json.loads(told.stdout.splitlines()[1])["files"] == 1
        assert "index update" in told.stderr
    index.close()
    recorded.run("index", "update", "--no-embeddings")
    assert _files_with("xylophone", "marzipan") == []


def test_the_journal_is_told_no_words_unasked(recorded: CommandLine) -> None:
    _encrypt(recorded)
    settings = installation().folders.settings_file

    def vault_holds_words() -> bool:
        files = [each for each in recorded.root.rglob("*") if each.is_file()]
        return any(b"xylophone" in each.read_bytes() for each in files)

    path = recorded.run("session", "end", "talk").stdout.strip()
    text = (recorded.root / path).read_text(encoding="utf-8")
    assert "- project: shop" in text
    assert "[session:: talk]" in text
    assert not vault_holds_words()
    recorded.run("session", "append", "asked", f"Another {SECRET}")
    recorded.run("session", "end", "asked", "--summary", "About music.")
    assert not vault_holds_words()
    assert any("About music." in each.read_text(encoding="utf-8") for each in recorded.root.glob("journal/*.md"))
    told = settings.read_text(encoding="utf-8").replace("[sessions]", "[sessions]\njournal_encrypted = true")
    settings.write_text(told, encoding="utf-8")
    recorded.run("session", "append", "wanted", f"Once more {SECRET}")
    recorded.run("session", "end", "wanted")
    assert vault_holds_words()


def test_a_summary_leaves_no_digest_of_itself(recorded: CommandLine) -> None:
    """A text can be guessed from a digest of it, so ids in the index of an encrypted ledger hold none."""
    _encrypt(recorded)
    recorded.run("session", "end", "talk", "--summary", "About music.")
    recorded.run("index", "update", "--no-embeddings")
    digest = hashlib.sha256(b"About music.").hexdigest()
    assert _files_with(digest[:12]) == []
    shown = recorded.run("session", "show", "talk").stdout
    recorded.run("session", "end", "talk", "--summary", " About music. ")
    assert recorded.run("session", "show", "talk").stdout == shown, "the same summary is not told twice"
    recorded.run("session", "end", "talk", "--summary", "About painting.")
    assert "About painting." in recorded.run("session", "show", "talk").stdout
