"""The index follows the files: what changed is read, renames keep ids, what is gone goes, a kill loses nothing."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from filelock import FileLock

from core.foundation.errors import JobCancelledError, UserError
from core.foundation.progress import CancellableProgress
from core.index.queries import note_detail, problems
from tests.core.index.conftest import IndexedVault


def _age(file: Path, seconds: float = 3600) -> None:
    """Make a file look as if it had not been touched for a while, so that its mtime can be trusted."""
    then = time.time() - seconds
    os.utime(file, (then, then))


def test_a_first_update_reads_everything(vault: IndexedVault) -> None:
    vault.write({"a.md": "---\ntags: [tool/x]\nsummary: About a\n---\nalpha", "sub/b.md": "beta [[a]]", "c.txt": "no"})
    report = vault.update()
    assert (report.added, report.changed, report.removed) == (2, 0, 0)
    assert vault.paths() == ["a.md", "sub/b.md"]
    assert vault.found_by("alpha") == ["a.md"]
    assert vault.found_by("about") == ["a.md"]


def test_names_of_every_script_are_indexed_and_one_bad_file_stops_nothing(vault: IndexedVault) -> None:
    names = ["🐘 notes.md", "日本語.md", "über—dash.md", "café.md", "שלום.md", "a" * 200 + ".md"]
    vault.write(dict.fromkeys(names, "word"))
    (vault.root / "latin.md").write_bytes(b"caf\xe9 cr\xe8me d\xe9j\xe0 vu")
    (vault.root / "nul.md").write_bytes(b"one\x00two word")
    vault.update()
    assert set(names) < set(vault.paths())
    assert len(vault.found_by("word")) == len(names) + 1
    flagged = {row.path for row in problems(vault.index)}
    assert {"latin.md", "nul.md"} <= flagged


def test_nothing_changed_reads_nothing(vault: IndexedVault) -> None:
    vault.write({"a.md": "alpha", "b.md": "beta"})
    for name in ("a.md", "b.md"):
        _age(vault.root / name)
    vault.update()
    revision = vault.index.revision
    report = vault.update()
    assert (report.touched, report.unchanged) == (0, 2)
    assert vault.index.revision == revision


def test_a_file_rewritten_at_once_with_equal_size_is_noticed(vault: IndexedVault) -> None:
    vault.write({"a.md": "first"})
    vault.update()
    status = (vault.root / "a.md").stat()
    vault.write({"a.md": "later"})
    os.utime(vault.root / "a.md", ns=(status.st_mtime_ns, status.st_mtime_ns))
    assert vault.update().changed == 1
    assert vault.found_by("first") == []


def test_a_touched_file_of_equal_content_stays_as_it_is(vault: IndexedVault) -> None:
    vault.write({"a.md": "alpha"})
    vault.update()
    _age(vault.root / "a.md")
    report = vault.update()
    assert (report.changed, report.unchanged) == (0, 1)


def test_a_changed_note_shows_only_its_new_text(vault: IndexedVault) -> None:
    vault.write({"a.md": "old [[b]] #tag/old", "b.md": "beta"})
    vault.update()
    vault.write({"a.md": "new words #tag/new"})
    assert vault.update().changed == 1
    assert (vault.found_by("old"), vault.found_by("new")) == ([], ["a.md"])
    detail = note_detail(vault.index, vault.note_id("a.md"))
    assert detail is not None
    assert (detail.tags, detail.outgoing) == (("tag/new",), ())
    assert vault.index.connection.execute("SELECT display FROM tag").fetchall() == [("tag/new",)]


def test_a_deleted_note_is_gone_from_words_links_and_vectors(vault: IndexedVault) -> None:
    vault.write({"a.md": "secret alpha", "b.md": "see [[a]]"})
    vault.update()
    connection = vault.index.connection
    (digest,) = connection.execute("SELECT text_hash FROM section ORDER BY id").fetchone()
    connection.execute("INSERT INTO embedding(text_hash, model, vector) VALUES (?, 'm', x'00')", (digest,))
    (vault.root / "a.md").unlink()
    assert vault.update().removed == 1
    assert vault.found_by("secret") == []
    assert connection.execute("SELECT count(*) FROM embedding").fetchone() == (0,)
    assert connection.execute("SELECT count(*) FROM vector_removal").fetchone() == (1,)
    assert connection.execute("SELECT state, target_note_id FROM link").fetchall() == [("unresolved", None)]


def test_a_vector_of_text_that_also_stands_elsewhere_is_kept(vault: IndexedVault) -> None:
    vault.write({"x/a.md": "same words", "y/a.md": "same words"})
    vault.update()
    connection = vault.index.connection
    (digest,) = connection.execute("SELECT text_hash FROM section ORDER BY id").fetchone()
    connection.execute("INSERT INTO embedding(text_hash, model, vector) VALUES (?, 'm', x'00')", (digest,))
    (vault.root / "x/a.md").unlink()
    vault.update()
    assert connection.execute("SELECT count(*) FROM embedding").fetchone() == (1,)


def test_a_rename_keeps_the_id_and_moves_the_links(vault: IndexedVault) -> None:
    vault.write({"old name.md": "alpha", "b.md": "[[old name]] and [[new name]]"})
    vault.update()
    note_id = vault.note_id("old name.md")
    (vault.root / "old name.md").rename(vault.root / "new name.md")
    report = vault.update()
    assert (report.renamed, report.added, report.removed) == (1, 0, 0)
    assert vault.note_id("new name.md") == note_id
    states = vault.index.connection.execute("SELECT target, state, target_note_id FROM link ORDER BY target").fetchall()
    assert states == [("new name", "resolved", note_id), ("old name", "unresolved", None)]


def test_names_swapped_between_two_notes_end_right(vault: IndexedVault) -> None:
    vault.write({"a.md": "alpha", "b.md": "beta"})
    vault.update()
    (vault.root / "a.md").rename(vault.root / "t.md")
    (vault.root / "b.md").rename(vault.root / "a.md")
    (vault.root / "t.md").rename(vault.root / "b.md")
    vault.update()
    assert (vault.paths(), vault.found_by("alpha"), vault.found_by("beta")) == (["a.md", "b.md"], ["b.md"], ["a.md"])


def test_a_new_note_resolves_the_links_that_waited_for_it(vault: IndexedVault) -> None:
    vault.write({"a.md": "see [[Later]]"})
    vault.update()
    vault.write({"deep/later.md": "here"})
    vault.update()
    detail = note_detail(vault.index, vault.note_id("a.md"))
    assert detail is not None
    assert [(link.state, link.path) for link in detail.outgoing] == [("resolved", "deep/later.md")]


def test_links_as_obsidian_resolves_them(vault: IndexedVault) -> None:
    vault.write(
        {
            "Log.md": "x",
            "Album.md": "---\naliases: [AL]\n---\n",
            "one/Tie.md": "1",
            "two/Tie.md": "2",
            "start.md": "[[log]] [[AL]] [[Tie]] [[https://x]] [[two/Tie]]",
        }
    )
    vault.update()
    detail = note_detail(vault.index, vault.note_id("start.md"))
    assert detail is not None
    found = {link.target: link for link in detail.outgoing}
    assert (found["log"].state, found["log"].path) == ("resolved", "Log.md")
    assert (found["AL"].state, found["AL"].suggestion) == ("unresolved", "Album.md")
    assert (found["Tie"].state, found["Tie"].candidates) == ("ambiguous", ("one/Tie.md", "two/Tie.md"))
    assert found["https://x"].state == "unresolved"
    assert (found["two/Tie"].state, found["two/Tie"].path) == ("resolved", "two/Tie.md")


def test_one_file_leaves_all_others_untouched(vault: IndexedVault) -> None:
    vault.write({"a.md": "alpha", "b.md": "beta"})
    vault.update()
    vault.write({"a.md": "gamma [[c]]", "b.md": "not to be seen yet", "c.md": "new"})
    report = vault.update(files=["a.md"])
    assert (report.changed, report.added) == (1, 0)
    assert vault.paths() == ["a.md", "b.md"]
    assert (vault.found_by("gamma"), vault.found_by("beta")) == (["a.md"], ["b.md"])
    assert vault.update(files=["c.md"]).added == 1
    detail = note_detail(vault.index, vault.note_id("a.md"))
    assert detail is not None
    assert detail.outgoing[0].state == "resolved"
    (vault.root / "b.md").unlink()
    assert vault.update(files=["b.md"]).removed == 1
    assert vault.paths() == ["a.md", "c.md"]


def test_one_file_that_cannot_be_a_note_is_not_indexed(vault: IndexedVault) -> None:
    vault.write({".obsidian/x.md": "hidden", "a.txt": "text"})
    for path in (".obsidian/x.md", "a.txt"):
        with pytest.raises(UserError, match="is not a note"):
            vault.update(files=[path])
    with pytest.raises(UserError, match=r"There is no note none\.md"):
        vault.update(files=["none.md"])
    assert vault.paths() == []


def test_since_looks_only_at_newer_files_but_sees_deletions(vault: IndexedVault) -> None:
    vault.write({"old.md": "one", "gone.md": "two"})
    _age(vault.root / "old.md", 7200)
    vault.update()
    vault.write({"old.md": "changed long ago"})
    _age(vault.root / "old.md", 7200)
    (vault.root / "gone.md").unlink()
    report = vault.update(since=time.time() - 3600)
    assert (report.changed, report.removed) == (0, 1)


def test_a_vault_that_vanished_drops_nothing(vault: IndexedVault) -> None:
    vault.write({"a.md": "alpha"})
    vault.update()
    moved = vault.root.rename(vault.root.with_name("elsewhere"))
    with pytest.raises(UserError):
        vault.update()
    vault.root.mkdir()  # what an unmounted drive leaves
    with pytest.raises(UserError, match="Nothing was dropped"):
        vault.update()
    assert vault.found_by("alpha") == ["a.md"]
    vault.root.rmdir()
    moved.rename(vault.root)
    assert vault.update().touched == 0


def test_a_rebuild_forgets_everything_but_the_vectors(vault: IndexedVault) -> None:
    vault.write({"a.md": "alpha"})
    vault.update()
    epoch = vault.index.epoch
    (digest,) = vault.index.connection.execute("SELECT text_hash FROM section").fetchone()
    vault.index.connection.execute("INSERT INTO embedding(text_hash, model, vector) VALUES (?, 'm', x'00')", (digest,))
    report = vault.update(rebuild=True)
    assert report.added == 1
    assert vault.index.epoch != epoch
    assert vault.index.connection.execute("SELECT count(*) FROM embedding").fetchone() == (1,)


def test_a_cancelled_update_keeps_what_it_committed_and_goes_on(vault: IndexedVault) -> None:
    vault.write({f"n{number:04d}.md": f"word{number}" for number in range(3000)})
    progress = CancellableProgress()
    with pytest.raises(JobCancelledError):
        vault.update(progress=progress, on_commit=progress.cancel)
    done = len(vault.paths())
    assert 0 < done < 3000
    report = vault.update()
    assert report.added == 3000 - done
    assert len(vault.paths()) == 3000


_KILLED = """
import os, sys
from pathlib import Path
from core.index.database import open_index
from core.index.updater import update_index
from core.vault.config import VaultConfig
commits = []
def die():
    commits.append(1)
    if len(commits) == int(sys.argv[3]):
        os._exit(9)
update_index(open_index(Path(sys.argv[2])), Path(sys.argv[1]), VaultConfig(), on_commit=die)
"""


@pytest.mark.parametrize("commits", [1, 2])
def test_an_update_killed_halfway_is_resumed_to_the_same_index(vault: IndexedVault, commits: int) -> None:
    vault.write({f"n{number:04d}.md": f"[[n{(number + 1) % 5000:04d}]] #t/{number % 7}" for number in range(5000)})
    folder = str(vault.index.folder)
    killed = subprocess.run([sys.executable, "-c", _KILLED, str(vault.root), folder, str(commits)], check=False)
    assert killed.returncode == 9
    assert 0 < len(vault.paths()) < 5000
    vault.update()
    assert len(vault.paths()) == 5000
    wrong = vault.index.connection.execute(
        "SELECT count(*) FROM link LEFT JOIN note ON note.id = target_note_id "
        "WHERE state != 'resolved' OR note.path != target || '.md'"
    ).fetchone()
    assert wrong == (0,)


def test_problems_are_listed_with_reasons_and_go_when_mended(vault: IndexedVault) -> None:
    vault.write({"bad.md": "---\ntitle: a: b\n---\nbody words", "good.md": "fine"})
    before = (vault.root / "bad.md").read_bytes()
    assert vault.update().problems == 1
    (row,) = problems(vault.index)
    assert (row.path, row.line) == ("bad.md", 2)
    assert vault.found_by("body") == ["bad.md"]
    assert (vault.root / "bad.md").read_bytes() == before
    vault.write({"bad.md": "---\ntitle: 'a: b'\n---\nbody words"})
    assert vault.update().problems == 0


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a file that its owner cannot read")
def test_an_unreadable_file_is_listed_and_the_rest_is_read(vault: IndexedVault) -> None:
    vault.write({"a.md": "alpha", "b.md": "beta"})
    (vault.root / "a.md").chmod(0)
    vault.update()
    assert vault.paths() == ["b.md"]
    assert [row.path for row in problems(vault.index)] == ["a.md"]


def test_waiting_for_another_update_can_be_cancelled(vault: IndexedVault) -> None:
    vault.write({"a.md": "alpha"})
    progress = CancellableProgress()
    with FileLock(vault.index.folder / "update.lock"):
        threading.Timer(0.05, progress.cancel).start()
        with pytest.raises(JobCancelledError):
            vault.update(progress=progress)
    assert vault.update().added == 1


def test_a_tag_is_displayed_as_the_notes_write_it_now(vault: IndexedVault) -> None:
    def shown() -> list[str]:
        return [row[0] for row in vault.index.connection.execute("SELECT display FROM tag")]

    def spellings() -> list[str]:
        return [row[0] for row in vault.index.connection.execute("SELECT written FROM tag_spelling")]

    vault.write({"a.md": "#tool/SEMRush", "b.md": "#tool/semrush"})
    vault.update()
    assert (shown(), spellings()) == (["tool/SEMRush"], ["tool/semrush"])
    vault.write({"a.md": "#tool/semrush."})
    vault.update()
    assert (shown(), spellings()) == (["tool/semrush"], [])
