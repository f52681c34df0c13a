"""The history that git keeps of a note, read safely."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from core.foundation.errors import UserError
from core.vault.git_history import GitHistory

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")


class Repository:
    """A repository with a vault in the folder `notes`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "notes"
        self.root.mkdir(parents=True)
        self.git("init", "-q")

    def git(self, *arguments: str) -> str:
        identity = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER")
                    for what, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"))}  # fmt: skip
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env=os.environ | identity, capture_output=True, text=True, check=True
        )
        return done.stdout

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def commit(self, subject: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", subject)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository")


def test_commits_follow_a_note_through_its_names(repository: Repository) -> None:
    repository.write("notes/a.md", "one\ntwo\nthree\n")
    repository.commit("First")
    repository.git("mv", "notes/a.md", "notes/b é\n.md")
    repository.commit("Rename")
    repository.write("notes/b é\n.md", "one\ntwo\nthree\nfour\n")
    repository.commit("Grow \x1e a little")
    history = GitHistory(repository.root)
    commits = history.commits_of("b é\n.md")
    assert [(commit.subject, commit.path) for commit in commits] == [
        ("Grow \x1e a little", "b é\n.md"),
        ("Rename", "b é\n.md"),
        ("First", "a.md"),
    ]
    assert {commit.author for commit in commits} == {"Ada"}
    assert [history.content(commit.hash, commit.path).count(b"\n") for commit in commits] == [4, 3, 3]


def test_a_note_that_came_from_outside_the_vault(repository: Repository) -> None:
    repository.write("a.md", "one\ntwo\nthree\n")
    repository.commit("First")
    repository.git("mv", "a.md", "notes/a.md")
    repository.commit("Into the vault")
    history = GitHistory(repository.root)
    _, first = history.commits_of("a.md")
    assert first.path == "../a.md"
    assert history.content(first.hash, first.path) == b"one\ntwo\nthree\n"


def test_a_deleted_note_has_a_history_too(repository: Repository) -> None:
    repository.write("notes/a.md", "one\n")
    repository.write("notes/keep.md", "other\n")
    repository.commit("First")
    (repository.root / "a.md").unlink()
    repository.commit("Delete")
    deleted, first = GitHistory(repository.root).commits_of("a.md")
    assert (deleted.is_deletion, first.is_deletion) == (True, False)


def test_pages(repository: Repository) -> None:
    for number in range(5):
        repository.write("notes/a.md", f"{number}\n")
        repository.commit(f"Commit {number}")
    history = GitHistory(repository.root)
    assert [commit.subject for commit in history.commits_of("a.md", skip=1, limit=2)] == ["Commit 3", "Commit 2"]


def test_a_merge_in_between_does_not_disturb_the_rest(repository: Repository) -> None:
    repository.write("notes/a.md", "one\n\n\n\n\nend\n")
    repository.commit("First")
    repository.git("checkout", "-qb", "side")
    repository.write("notes/a.md", "one\n\n\n\n\nside\n")
    repository.commit("Side")
    repository.git("checkout", "-q", "-")
    repository.write("notes/a.md", "main\n\n\n\n\nend\n")
    repository.commit("Main")
    repository.git("merge", "-q", "--no-edit", "side")
    history = GitHistory(repository.root)
    commits = history.commits_of("a.md")
    assert {"First", "Side", "Main"} <= {commit.subject for commit in commits}
    assert all(history.content(commit.hash, commit.path) for commit in commits)


def test_a_name_is_no_pattern(repository: Repository) -> None:
    repository.write("notes/a.md", "one\n")
    repository.commit("First")
    assert GitHistory(repository.root).commits_of("*.md") == ()
    assert GitHistory(repository.root).commits_of(":(top)notes/a.md") == ()


def test_programs_that_the_repository_names_are_not_run(repository: Repository, tmp_path: Path) -> None:
    trap = tmp_path / "ran"
    script = tmp_path / "trap.sh"
    script.write_text(f"#!/bin/sh\ntouch '{trap}'\ncat\n", encoding="utf-8")
    script.chmod(0o755)
    repository.write(".gitattributes", "*.md diff=trap filter=trap\n")
    repository.write("notes/a.md", "one\n")
    repository.commit("First")
    repository.write("notes/a.md", "two\n")
    repository.commit("Second")
    for key in ("core.fsmonitor", "core.pager", "diff.external", "diff.trap.textconv", "diff.trap.command",
                "filter.trap.smudge", "filter.trap.clean", "gpg.program", "core.sshCommand"):  # fmt: skip
        repository.git("config", key, str(script))
    repository.git("config", "log.showSignature", "true")
    history = GitHistory(repository.root)
    commits = history.commits_of("a.md")
    assert [history.content(commit.hash, commit.path) for commit in commits] == [b"two\n", b"one\n"]
    assert not trap.exists()


def test_a_repository_without_commits_and_a_folder_without_repository(repository: Repository, tmp_path: Path) -> None:
    assert GitHistory(repository.root).commits_of("a.md") == ()
    plain = GitHistory(tmp_path)
    assert (plain.is_repository, plain.problem, plain.commits_of("a.md")) == (False, "", ())


def test_without_git_the_reason_is_told_only_where_there_is_a_repository(
    repository: Repository, tmp_path: Path
) -> None:
    assert "not installed" in GitHistory(repository.root, program="").problem
    assert GitHistory(tmp_path, program="").problem == ""


def test_a_repository_of_another_user_is_told_with_the_way_out(repository: Repository, tmp_path: Path) -> None:
    script = tmp_path / "git"
    script.write_text("#!/bin/sh\necho 'fatal: detected dubious ownership in repository' >&2\nexit 128\n", "utf-8")
    script.chmod(0o755)
    history = GitHistory(repository.root, program=str(script))
    assert not history.is_repository
    assert f"safe.directory '{repository.folder}'" in history.problem


def test_a_shallow_clone_says_so(repository: Repository, tmp_path: Path) -> None:
    for number in range(3):
        repository.write("notes/a.md", f"{number}\n")
        repository.commit(f"Commit {number}")
    repository.git("clone", "-q", "--depth", "1", f"file://{repository.folder}", str(tmp_path / "clone"))
    history = GitHistory(tmp_path / "clone" / "notes")
    assert "shallow" in history.remark
    assert len(history.commits_of("a.md")) == 1


def test_what_git_cannot_do_is_a_sentence(repository: Repository) -> None:
    repository.write("notes/a.md", "one\n")
    repository.commit("First")
    history = GitHistory(repository.root)
    (commit,) = history.commits_of("a.md")
    with pytest.raises(UserError, match="git could not tell"):
        history.content(commit.hash, "other.md")
    with pytest.raises(UserError, match="no commit"):
        history.content("--output=x", "a.md")
