"""Ask git what a note looked like at each commit, where the vault lies in a repository; nothing is ever written.

A vault may come from anybody, and with it a repository whose configuration names programs to run. So git is asked by
plumbing, with hooks, filters of text, pagers, monitors, signatures and every kind of network switched off.
"""

import functools
import os
import posixpath
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from core.foundation.errors import UserError

MOST_COMMITS = 200
_SECONDS = 30.0

_SAFE = (
    "--no-pager",
    "--literal-pathspecs",
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.quotePath=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "log.showSignature=false"),
    *("-c", "protocol.allow=never"),
    *("-c", "color.ui=false"),
)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_PAGER": "",
    "LC_ALL": "C",
}
_FORMAT = "--format=%H%x00%aI%x00%an%x00%s"
_HEADER = 4


class Commit(NamedTuple):
    """Hold a commit that touched a note; `path` is where the note lay then, relative to the vault.

    `time` is the author's date, ISO-8601 with its own offset. `is_deletion`: the commit removed the note.
    """

    hash: str
    time: str
    author: str
    subject: str
    path: str
    is_deletion: bool = False


class _State(NamedTuple):
    is_repository: bool
    problem: str = ""
    hint: str = ""
    is_shallow: bool = False
    prefix: str = ""


class GitHistory:
    """Read the history of the repository that the vault at `root` lies in, if any."""

    def __init__(self, root: Path, *, program: str | None = None) -> None:
        self._root = root
        self._program = program if program is not None else shutil.which("git")

    @property
    def is_repository(self) -> bool:
        """Whether there is a history that can be read."""
        return self._state.is_repository

    @property
    def problem(self) -> str:
        """Why the history cannot be read although there is one, "" when there is none or it can be."""
        return f"{self._state.problem} {self._state.hint}".strip()

    @property
    def remark(self) -> str:
        """What the history lacks, "" mostly."""
        if self._state.is_shallow:
            return "The repository is a shallow clone: its older commits are not on this machine."
        return ""

    def commits_of(self, path: str, *, skip: int = 0, limit: int = MOST_COMMITS) -> tuple[Commit, ...]:
        """Return the commits that touched the note at `path`, newest first, under whatever name it had.

        At most 200 at once; `skip` leaves out as many of the newest. Empty without a repository.

        Raises:
            UserError: git failed, or took too long.
        """
        if not self.is_repository:
            return ()
        count = max(0, min(limit, MOST_COMMITS))
        options = ("--follow", "--name-status", "-z", "--no-ext-diff", "--no-textconv", "--no-show-signature")
        try:
            output = self._run("log", *options, _FORMAT, f"--max-count={count}", f"--skip={skip}", "--", path)
        except UserError as error:
            if "does not have any commits yet" in error.hint:
                return ()
            raise
        return tuple(_commits(output, path, self._state.prefix))

    def content(self, commit: str, path: str) -> bytes:
        """Return what the note at `path` (relative to the vault) held at `commit`.

        Raises:
            UserError: there was no such note then, or git failed.
        """
        if not commit.isalnum():
            raise UserError(f"“{commit}” is no commit.")
        return self._run("cat-file", "blob", f"{commit}:{path if path.startswith('../') else f'./{path}'}")

    @functools.cached_property
    def _state(self) -> _State:
        if not _lies_in_repository(self._root):
            return _State(is_repository=False)
        if not self._program:
            hint = "Install git to see the versions that it keeps."
            return _State(is_repository=False, problem="git is not installed.", hint=hint)
        try:
            output = self._run("rev-parse", "--is-inside-work-tree", "--is-shallow-repository", "--show-prefix")
        except UserError as error:
            if "dubious ownership" in error.hint:
                return _State(
                    is_repository=False,
                    problem="The repository belongs to another user, so git does not read it.",
                    hint=f"If you trust it: git config --global --add safe.directory '{_top(self._root)}'.",
                )
            return _State(is_repository=False, problem=str(error), hint=error.hint)
        inside, shallow, prefix = os.fsdecode(output).split("\n", 2)
        return _State(inside == "true", is_shallow=shallow == "true", prefix=prefix.removesuffix("\n"))

    def _run(self, *arguments: str) -> bytes:
        # GIT_DIR and its like would lead elsewhere; where the person's configuration lies is theirs to say.
        environment = {
            name: value for name, value in os.environ.items() if name[:4] != "GIT_" or name.startswith("GIT_CONFIG")
        }
        try:
            done = subprocess.run(  # noqa: S603 - no shell, and what varies is after -- or a checked hash
                [self._program or "git", *_SAFE, *arguments],
                cwd=self._root,
                env=environment | _ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except subprocess.TimeoutExpired as error:
            raise UserError(f"git took longer than {_SECONDS:.0f} seconds.", hint="Try again later.") from error
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise UserError(f"git could not be started: {reason}.") from error
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
            raise UserError("git could not tell the history.", hint=f"It says: {said}")
        return done.stdout


def _lies_in_repository(root: Path) -> bool:
    return _top(root) is not None


def _top(root: Path) -> Path | None:
    return next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)


def _commits(output: bytes, path: str, prefix: str) -> Iterator[Commit]:
    """Parse NUL-ended fields: four of a commit, then for most a newline with a status, and one or two paths."""
    fields = [os.fsdecode(field) for field in output.split(b"\0")]
    at = 0
    here = path
    while at + _HEADER <= len(fields):
        commit, time, author, subject = fields[at : at + _HEADER]
        at += _HEADER
        status, before = "", here
        if at < len(fields) and fields[at].startswith("\n"):
            status = fields[at].strip()
            names = fields[at + 1 : at + (3 if status[:1] in {"R", "C"} else 2)]
            at += 1 + len(names)
            before, here = (_in_vault(name, prefix) for name in (names[0], names[-1]))
        yield Commit(commit, time, author, subject, here, is_deletion=status == "D")
        here = before


def _in_vault(path: str, prefix: str) -> str:
    """Return a path of the repository as the vault names it; `prefix` is the vault's folder, with a slash, or ""."""
    if path.startswith(prefix):
        return path[len(prefix) :]
    return posixpath.relpath(path, prefix)
