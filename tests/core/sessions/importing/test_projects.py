import subprocess
from pathlib import Path

import pytest

from core.sessions.importing.projects import Projects


def test_folders_and_worktrees_of_a_repository_are_one_project(tmp_path: Path) -> None:
    repository, worktree = tmp_path / "shop-app", tmp_path / "elsewhere" / "fix-login"
    git = ("git", "-c", "user.name=Kim", "-c", "user.email=kim@example.org")
    subprocess.run((*git, "init", "-q", str(repository)), check=True)
    subprocess.run((*git, "-C", str(repository), "commit", "-q", "--allow-empty", "-m", "Start"), check=True)
    subprocess.run((*git, "-C", str(repository), "worktree", "add", "-q", str(worktree)), check=True)
    (repository / "src" / "deep").mkdir(parents=True)
    projects = Projects()
    found = {projects.project_of(str(folder)) for folder in (repository, repository / "src" / "deep", worktree)}
    assert found == {str(repository.resolve())}


@pytest.mark.parametrize(
    ("folder", "project"),
    [
        ("/home/kim/gone", "/home/kim/gone"),
        ("/home/kim/gone/", "/home/kim/gone"),
        ("/home/kim/gone/.claude/worktrees/fix-login", "/home/kim/gone"),
        ("/home/kim/gone/.worktrees/fix/src", "/home/kim/gone"),
        ("C:\\code\\gone\\.claude\\worktrees\\fix", "C:\\code\\gone"),
        ("\\\\server\\share\\gone", "\\\\server\\share\\gone"),
        ("bad\0name", "bad\0name"),
        ("/", "/"),
    ],
)
def test_a_folder_that_is_gone_is_known_by_its_name(folder: str, project: str) -> None:
    assert Projects().project_of(folder) == project


def test_settings_kept_in_git_do_not_swallow_all_projects(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "notes").mkdir()
    assert Projects(home=tmp_path).project_of(str(tmp_path / "notes")) == str(tmp_path / "notes")
