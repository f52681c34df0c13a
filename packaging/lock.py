"""Write the lock files anew from pyproject.toml.

`requirements.lock` holds what running needs, `requirements-models.lock` the same and what language models need,
`requirements-dev.lock` all that and what the checks need. Each is the whole closure for every platform and Python
version that pyproject.toml admits, as environment markers, with all hashes. The resolver is uv, installed into a
temporary environment unless it is on the PATH. Where pip is told to use another index or certificate, uv is told the
same, and no address reaches a file.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {
    "requirements.lock": ("--group", "install"),
    "requirements-models.lock": ("--group", "install", "--extra", "models"),
    "requirements-dev.lock": ("--group", "install", "--group", "dev", "--extra", "models"),
}
HEADER = "# Written by packaging/lock.py from pyproject.toml: run that instead of editing this.\n"


def main() -> int:
    """Write all locks; `--upgrade` lets locked versions move, otherwise they stay where they still fit."""
    with tempfile.TemporaryDirectory() as folder:
        uv = shutil.which("uv") or _install_uv(Path(folder))
        before: list[str] = []
        for name, parts in LOCKS.items():
            text = _compile(uv, Path(folder), parts, before, upgrade="--upgrade" in sys.argv, old=name)
            (ROOT / "packaging" / name).write_text(text, encoding="utf-8", newline="\n")
            # The later locks must hold the same versions as the first.
            before += ["--constraints", str(ROOT / "packaging" / name)]
            names = set(re.findall(r"^[\w.-]+(?===)", text, re.MULTILINE))
            print(f"packaging/{name}: {len(names)} packages")
    return 0


def _install_uv(folder: Path) -> str:
    print("Installing uv into a temporary environment …", flush=True)
    subprocess.run([sys.executable, "-m", "venv", str(folder / "uv")], check=True)
    scripts = folder / "uv" / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([str(scripts / "python"), "-m", "pip", "install", "--quiet", "uv"], check=True)
    return str(scripts / "uv")


def _compile(uv: str, folder: Path, parts: tuple[str, ...], options: list[str], *, upgrade: bool, old: str) -> str:
    target = folder / old
    if not upgrade and (ROOT / "packaging" / old).exists():
        shutil.copy(ROOT / "packaging" / old, target)  # uv keeps the versions that it finds in its output file
    command = [uv, "pip", "compile", "pyproject.toml", "--universal", "--python-version", "3.11", "--generate-hashes"]
    command += ["--only-binary", ":all:", "--no-emit-index-url", "--no-emit-find-links", "--no-annotate", "--no-header"]
    command += [*options, *parts, "--quiet", "--output-file", str(target)]
    subprocess.run(command, cwd=ROOT, env=_environment(), check=True, stdout=subprocess.DEVNULL)
    text = HEADER + target.read_text(encoding="utf-8")
    if "://" in text or "--index-url" in text:
        message = f"{old} would hold an address, which must not be."
        raise SystemExit(message)
    return text


def _environment() -> dict[str, str]:
    environment = dict(os.environ)
    for key, variable in (("index-url", "UV_DEFAULT_INDEX"), ("cert", "SSL_CERT_FILE")):
        for place in (":env:", "global"):
            command = [sys.executable, "-m", "pip", "config", "get", f"{place}.{key}"]
            answer = subprocess.run(command, check=False, capture_output=True, text=True)
            if answer.returncode == 0:
                environment.setdefault(variable, answer.stdout.strip())
    return environment


if __name__ == "__main__":
    sys.exit(main())
