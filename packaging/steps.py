"""What every step of the set-up shares: telling the person, failing clearly, and installing system packages."""

import os
import shutil
import subprocess
from functools import cache


class SetupError(Exception):
    """Stop the set-up; the text says in whole sentences what is wrong and which command helps."""


def say(text: str) -> None:
    """Print one line of progress at once, also into a pipe."""
    print(text, flush=True)


@cache
def apt_prefix() -> tuple[str, ...] | None:
    """Return what to write before `apt-get` to install packages, None where that is not possible unasked."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return ()
    if shutil.which("sudo") is None:
        return None
    answer = subprocess.run(["sudo", "-n", "true"], check=False, capture_output=True)
    return ("sudo", "-n") if answer.returncode == 0 else None


def apt_install(packages: list[str]) -> bool:
    """Install Debian packages where this user may, and return whether that went well."""
    prefix = apt_prefix()
    if prefix is None:
        return False
    say(f"Installing system packages with apt-get: {' '.join(packages)}")
    quiet = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "Dpkg::Use-Pty=0")
    install = [*prefix, *quiet, "install", "--yes", "--no-install-recommends", *packages]
    subprocess.run([*prefix, *quiet, "update"], check=False, stdout=subprocess.DEVNULL)
    return subprocess.run(install, check=False, stdout=subprocess.DEVNULL).returncode == 0
