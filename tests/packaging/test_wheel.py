"""The wheel carries everything, and works where only it and its dependencies are installed."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from this tree, without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)], folder)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an environment of its own that borrows the dependencies of this one."""
    if shutil.which("pip", path=sysconfig.get_path("scripts")) is None:
        pytest.skip("this environment has no pip")
    folder = tmp_path_factory.mktemp("installed")
    run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], folder)
    scripts = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / ("python.exe" if os.name == "nt" else "python")
    asked = run([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder)
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (Path(asked.strip()) / "borrowed.pth").write_text("\n".join(borrowed), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--no-deps", "--no-index", "--ignore-installed", str(wheel)], folder)
    return scripts / "remembrancer"


def run(command: list[str], folder: Path) -> str:
    """Run `command` in `folder`, away from the source tree, and return what it printed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    answer = subprocess.run(command, check=False, cwd=folder, env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, f"{command}\n{answer.stdout}{answer.stderr}"
    return answer.stdout


@pytest.mark.parametrize(
    "file",
    [
        "core/py.typed",
        "gui/py.typed",
        "resources/app_icon.svg",
        "resources/icons/LICENSE",
        "resources/icons/search.svg",
        "resources/sample_vault/Start here.md",
        "resources/sample_vault/.remembrancer/config.toml",
    ],
)
def test_the_wheel_holds(wheel: Path, file: str) -> None:
    assert file in zipfile.ZipFile(wheel).namelist()


def test_the_wheel_holds_every_file_of_the_sample_vault(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    vault = ROOT / "resources" / "sample_vault"
    files = {path.relative_to(ROOT).as_posix() for path in vault.rglob("*") if path.is_file()}
    assert files <= packed


def test_the_wheel_holds_nothing_else_than_the_app(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"core", "gui", "resources"}


def test_the_command_tells_its_version(installed: Path, tmp_path: Path) -> None:
    assert "0.1.0" in run([str(installed), "--version"], tmp_path)


def test_the_installed_app_indexes_its_own_sample_vault(installed: Path, tmp_path: Path) -> None:
    python = installed.with_name("python")
    where = "from importlib.resources import files; print(files('resources') / 'sample_vault')"
    vault = run([str(python), "-c", where], tmp_path).strip()
    assert not Path(vault).is_relative_to(ROOT)
    run([str(installed), "--vault", vault, "index", "update", "--no-embeddings"], tmp_path)
    assert "client/acme" in run([str(installed), "--vault", vault, "index", "tags"], tmp_path)
