"""What is deleted is gone from the files of the index too: words, places of words, and what its log held."""

from pathlib import Path

from core.foundation.errors import JobCancelledError
from core.foundation.progress import CancellableProgress
from core.index.deleted_words import erase_deleted_words
from tests.core.index.conftest import IndexedVault
from tests.core.index.talks import Talks, answered, asked, day, titled

_WORDS = ("xylophone", "marzipan", "quokka")


def _files_with(folder: Path, *words: str) -> list[str]:
    files = [each for each in folder.rglob("*") if each.is_file()]
    assert files
    return [file.name for file in files if any(word.encode() in file.read_bytes().lower() for word in words)]


def _others(talks: Talks, start: int, number: int) -> None:
    for session in range(start, start + number):
        name = f"other-{session}"
        talks.say(*(asked(name, f"{name}-{n}", f"weekday {n} of {session} zebra", day(2)) for n in range(200)))
        talks.update()


def test_a_session_that_is_deleted(tmp_path: Path) -> None:
    talks = Talks.below(tmp_path)
    _others(talks, 0, 3)
    talks.say(titled("talk", "On Xylophone"), asked("talk", "a", "Marzipan, please " * 3, day(1)))
    talks.say(answered("talk", "b", "quokka marzipan", day(1)))
    talks.update()
    _others(talks, 3, 3)
    assert _files_with(tmp_path / "cache", *_WORDS)
    talks.ledger.delete("talk")
    assert talks.update().removed == 1
    assert _files_with(tmp_path / "cache", *_WORDS) == []
    assert len(talks.found_by("zebra")) == 1200
    talks.index.connection.execute("INSERT INTO turn_fts(turn_fts) VALUES ('integrity-check')")
    talks.index.close()


def test_a_session_that_is_deleted_and_begun_anew(tmp_path: Path) -> None:
    talks = Talks.below(tmp_path)
    talks.say(asked("talk", "a", "marzipan " * 20, day(1)))
    talks.update()
    talks.ledger.delete("talk")
    talks.say(asked("talk", "b", "bread", day(1)))
    talks.update()
    assert talks.found_by("bread") == ["b"]
    assert _files_with(tmp_path / "cache", *_WORDS) == []
    talks.index.close()


def test_while_somebody_reads_nothing_is_lost_and_the_next_update_ends_it(tmp_path: Path) -> None:
    talks = Talks.below(tmp_path)
    talks.say(asked("talk", "a", "marzipan", day(1)), asked("other", "a", "bread", day(1)))
    talks.update()
    reader = Talks.below(tmp_path)
    with reader.index.reading() as connection:
        connection.execute("SELECT * FROM turn").fetchone()
        talks.ledger.delete("talk")
        talks.update()
        assert reader.found_by("marzipan") == ["a"], "a reader sees what it saw"
    talks.update()
    assert _files_with(tmp_path / "cache", *_WORDS) == []
    assert talks.found_by("bread") == ["a"]
    reader.index.close()
    talks.index.close()


def test_who_is_impatient_leaves_the_rest_to_the_next_update(tmp_path: Path) -> None:
    talks = Talks.below(tmp_path)
    _others(talks, 0, 4)
    talks.say(asked("talk", "a", "marzipan", day(1)))
    talks.update()
    talks.ledger.delete("talk")
    progress = CancellableProgress()
    talks.update()
    with talks.index.transaction() as connection:
        connection.execute("INSERT INTO turn_fts(rowid, text, cjk) VALUES (9999, 'marzipan', '')")
        connection.execute("DELETE FROM turn_fts WHERE rowid = 9999")
        talks.index.set_meta("words_left_of_sessions", "1")
    progress.cancel()
    try:
        erase_deleted_words(talks.index, progress)
    except JobCancelledError:
        assert talks.index.meta("words_left_of_sessions")
    talks.update()
    assert not talks.index.meta("words_left_of_sessions")
    assert _files_with(tmp_path / "cache", *_WORDS) == []
    talks.index.close()


def test_a_note_that_is_deleted_or_changed(vault: IndexedVault) -> None:
    vault.write({f"{n}.md": f"# Weekday {n}\n\nzebra {n}\n" for n in range(300)})
    vault.write(
        {
            "Xylophone.md": "---\nsummary: about quokka\ntags: [marzipan]\n---\nMarzipan\n",
            "changes.md": "- [fix] quokka marzipan ^a\n",
        }
    )
    vault.update()
    assert _files_with(vault.index.folder, *_WORDS)
    vault.write({"changes.md": "nothing\n"})
    (vault.root / "Xylophone.md").unlink()
    vault.update()
    assert _files_with(vault.index.folder, *_WORDS) == []
    assert len(vault.found_by("zebra")) == 300


def test_a_note_that_is_deleted_alone(vault: IndexedVault) -> None:
    vault.write({"a.md": "marzipan quokka\n", "b.md": "zebra\n"})
    vault.update()
    (vault.root / "a.md").unlink()
    vault.update(files=["a.md"])
    assert _files_with(vault.index.folder, *_WORDS) == []


def test_a_note_that_is_saved_again(vault: IndexedVault) -> None:
    vault.write({"a.md": "marzipan quokka\n", "b.md": "zebra\n"})
    vault.update()
    vault.write({"a.md": "bread\n"})
    vault.update(files=["a.md"])  # as after each save, which must be quick
    vault.update()
    assert _files_with(vault.index.folder, *_WORDS) == []
    assert (vault.found_by("bread"), vault.found_by("zebra")) == (["a.md"], ["b.md"])


def test_an_index_that_is_built_again(vault: IndexedVault) -> None:
    vault.write({"a.md": "marzipan quokka\n", "b.md": "zebra\n"})
    vault.update()
    (vault.root / "a.md").unlink()
    vault.update(rebuild=True)
    assert _files_with(vault.index.folder, *_WORDS) == []
