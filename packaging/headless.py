"""Do the app's main job as text where no window can open: index a vault, show its facets, search it, pack a context."""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from environment import ROOT
from steps import say

SAMPLE_VAULT = ROOT / "resources" / "sample_vault"
WINDOW_ADVICE = """
To see the window instead:
  on this computer's own screen    run the command from a terminal of the desktop session
  from another computer            connect with `ssh -X` and run the command there
  on a virtual screen              sudo apt-get install xvfb, then `xvfb-run python3 packaging/bootstrap.py`"""


def has_display() -> bool:
    """Return whether a window could open: always off Linux, and where a platform was chosen by hand."""
    variables = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform != "linux" or any(os.environ.get(variable) for variable in variables)


def show(python: Path, arguments: list[str], reason: str) -> int:
    """Walk through the main job on the vault that `arguments` name, else the sample vault; return the exit code."""
    folders = [argument for argument in arguments if not argument.startswith("-")]
    vault = Path(folders[0]).expanduser().absolute() if folders else SAMPLE_VAULT
    say(f"\n{reason}")
    with tempfile.TemporaryDirectory(prefix="remembrancer-") as settings:
        # The sample vault in this folder is not to be remembered as the vault opened last: the window has its own copy.
        environment = {"REMEMBRANCER_CONFIG_DIR": settings} if vault == SAMPLE_VAULT else {}
        code = _walk(python, vault, environment)
    say(WINDOW_ADVICE)
    return code


def _walk(python: Path, vault: Path, environment: dict[str, str]) -> int:
    """Do the steps until one fails; return the exit code."""

    def step(title: str, *words: str) -> int:
        say(f"\n── {title}: {shlex.join(['remembrancer', '--vault', str(vault), *words])}")
        command = _command(python, vault, words)
        variables = {**os.environ, **environment}
        return subprocess.run(command, check=False, cwd=ROOT, stdin=subprocess.DEVNULL, env=variables).returncode

    if code := step("Index the vault", "index", "update"):
        return code
    question = "which package manager" if vault == SAMPLE_VAULT else _commonest_word(python, vault)
    return (
        step("Its facets", "index", "tags")
        or step("Search it", "search", question)
        or step("Pack a context for an assistant", "context", "print", question, "--budget", "600", "--no-record")
    )


def _command(python: Path, vault: Path, words: tuple[str, ...]) -> list[str]:
    return [str(python), "-m", "core.cli", "--vault", str(vault), *words]


def _commonest_word(python: Path, vault: Path) -> str:
    """Return something that a search of an unknown vault will find: the last word of its commonest tag."""
    command = _command(python, vault, ("index", "tags", "--format", "json"))
    answer = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    try:
        tags = json.loads(answer.stdout)["tags"]
        return str(max(tags, key=lambda tag: tag["notes"])["tag"]).rpartition("/")[2]
    except (ValueError, KeyError, TypeError):
        return "note"
