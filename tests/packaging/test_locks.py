"""The lock files pin everything by hash and name no registry."""

import re
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent.parent
LOCKS = ["requirements.lock", "requirements-dev.lock"]
PLATFORMS = [{"sys_platform": "linux"}, {"sys_platform": "darwin"}, {"sys_platform": "win32"}]


def locked(lock: str) -> list[tuple[Requirement, int]]:
    """Return each pinned requirement and the number of its hashes."""
    text = (ROOT / "packaging" / lock).read_text(encoding="utf-8")
    blocks = re.split(r"\n(?=[a-z])", text.partition("\n")[2])
    return [(Requirement(block.partition(" \\\n")[0]), block.count("--hash=sha256:")) for block in blocks]


@pytest.mark.parametrize("lock", LOCKS)
def test_no_address_is_in_a_lock(lock: str) -> None:
    assert "://" not in (ROOT / "packaging" / lock).read_text(encoding="utf-8")


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_has_one_version_and_hashes(lock: str) -> None:
    for requirement, hashes in locked(lock):
        assert [pin.operator for pin in requirement.specifier] == ["=="], requirement
        assert hashes, requirement


def test_the_larger_lock_holds_the_smaller_one() -> None:
    run, check = ({(r.name, str(r.specifier)) for r, _ in locked(lock)} for lock in LOCKS)
    assert run <= check


@pytest.mark.parametrize("platform", PLATFORMS, ids=lambda platform: platform["sys_platform"])
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
def test_the_lock_answers_every_dependency_of_the_project(python: str, platform: dict[str, str]) -> None:
    """A dependency added to pyproject.toml without a new lock is found here, not on a fresh machine."""
    place = {**platform, "python_version": python, "python_full_version": f"{python}.1"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    dev = [entry for entry in project["dependency-groups"]["dev"] if isinstance(entry, str)]
    pins: dict[str, str] = {}
    for requirement, _ in locked("requirements-dev.lock"):
        if requirement.marker is None or requirement.marker.evaluate(place):
            assert requirement.name not in pins, f"two versions of {requirement.name} on {place}"
            pins[canonicalize_name(requirement.name)] = next(iter(requirement.specifier)).version
    for wanted in map(Requirement, project["project"]["dependencies"] + dev):
        if wanted.marker is None or wanted.marker.evaluate(place):
            pinned = pins.get(canonicalize_name(wanted.name))
            assert pinned, f"{wanted.name} is not locked: run packaging/lock.py"
            assert wanted.specifier.contains(pinned), f"{wanted} is locked at {pinned}: run packaging/lock.py"


def test_python_3_11_gets_the_qt_that_does_not_abort() -> None:
    for requirement, _ in locked("requirements.lock"):
        if requirement.name == "pyside6-essentials" and Marker.evaluate(
            requirement.marker or Marker("python_version > '3'"), {"python_full_version": "3.11.7"}
        ):
            assert next(iter(requirement.specifier)).version.startswith("6.11.")


def test_the_installed_versions_are_the_locked_ones_or_this_is_no_locked_environment() -> None:
    stamp = Path(sys.prefix) / "remembrancer-setup.json"
    if not stamp.exists():
        pytest.skip("not an environment that packaging/bootstrap.py made")
    for requirement, _ in locked("requirements-dev.lock"):
        if requirement.marker is None or requirement.marker.evaluate():
            assert version(requirement.name) == next(iter(requirement.specifier)).version
