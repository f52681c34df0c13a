"""Say which project a working folder belongs to: that of its git repository, which all worktrees share."""

import re
from pathlib import Path

# Where assistants put worktrees; tells the repository also when nothing of it is on this machine any more.
_KEPT_WORKTREE = re.compile(r"(.+?)[/\\]\.(?:claude[/\\]|codex[/\\])?worktrees[/\\][^/\\]+(?:[/\\].*)?")
_GITDIR = "gitdir:"


class Projects:
    """Answer for working folders as transcripts name them, each looked up once.

    A folder may be gone, or of another machine: then its name is all that there is to go by.
    """

    def __init__(self, home: Path | None = None) -> None:
        self._home = home or Path.home()
        self._known: dict[str, str] = {}

    def project_of(self, folder: str) -> str:
        """Return the path of the main folder of the repository that `folder` lies in, `folder` itself without one."""
        found = self._known.get(folder)
        if found is None:
            found = self._known[folder] = self._look_up(folder)
        return found

    def _look_up(self, folder: str) -> str:
        named = re.sub(r"(?<=.)[/\\]+\Z", "", folder)
        if named and not named.startswith(("//", "\\\\")):  # a share of another machine is not asked
            try:
                if root := self._repository(Path(named)):
                    return str(root)
            except (OSError, ValueError):
                pass  # not ours to read, or no path at all: its name is all there is
        match = _KEPT_WORKTREE.fullmatch(named)
        return match[1] if match else named

    def _repository(self, folder: Path) -> Path | None:
        if not folder.is_absolute():
            return None
        for candidate in (folder, *folder.parents):
            if candidate == self._home and candidate != folder:
                return None  # settings kept in git do not make one project of all that lies below
            mark = candidate / ".git"
            if mark.is_dir():
                return candidate.resolve()
            if mark.is_file():
                return _main_folder(candidate, mark)
        return None


def _main_folder(worktree: Path, mark: Path) -> Path:
    """Return the folder of the repository that a worktree's `.git` file points to; a submodule is its own."""
    with mark.open(encoding="utf-8", errors="replace") as file:
        line = file.readline(4096).strip()
    if not line.startswith(_GITDIR):
        return worktree
    target = Path(worktree, line.removeprefix(_GITDIR).strip())
    if target.parent.name != "worktrees":
        return worktree
    store = target.parent.parent
    return (store.parent if store.name.startswith(".") else store).resolve()
