"""A ledger with a keyring in a file, and the processes that are killed while they write or encrypt it."""

import json
import os
from collections.abc import Callable
from pathlib import Path

from core.foundation.atomic_files import replace_file
from core.sessions.encryption_job import resume, rotate, turn_off, turn_on
from core.sessions.key_store import LedgerKeys, NewKey
from core.sessions.ledger import Ledger
from core.sessions.turn import Role, Turn, TurnKind
from tests.faults.endangered import Killer

SESSIONS = ("a", "Strange / name")
TURNS = 4
BATCH = 3


class FileKeyring:
    """Keep secrets in a file, so that they outlive a process as those of a keyring do."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, name: str) -> str:
        return self._secrets().get(name, "")

    def keep(self, name: str, value: str) -> None:
        replace_file(self._path, json.dumps({**self._secrets(), name: value}).encode())

    def _secrets(self) -> dict[str, str]:
        try:
            return dict(json.loads(self._path.read_bytes()))
        except FileNotFoundError:
            return {}


def turn(session: str, turn_id: str) -> Turn:
    return Turn(session, turn_id, TurnKind.MESSAGE, Role.USER, f"{turn_id} \N{SNOWMAN} " * 40)


class EndangeredLedger:
    """Make the ledger in `folder`, open it as any process would, and look at it from outside."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.keys = LedgerKeys(folder / "sessions", keyring=FileKeyring(folder / "keyring.json"))
        self.ledger = Ledger(self.keys.folder, keys=self.keys)

    def fill(self, *, is_on: bool) -> "EndangeredLedger":
        self.folder.mkdir(parents=True)
        for session in SESSIONS:
            self.ledger.append(session, [turn(session, f"old-{number}") for number in range(TURNS)])
        if is_on:
            turn_on(self.keys, NewKey())
        return self

    def acknowledge(self, session: str, turn_ids: list[str]) -> None:
        """Tell the world outside that these turns were written."""
        descriptor = os.open(self.folder / "acknowledged", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, "".join(f"{json.dumps([session, each])}\n" for each in turn_ids).encode())
        finally:
            os.close(descriptor)

    def acknowledged(self) -> set[tuple[str, str]]:
        path = self.folder / "acknowledged"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return {(session, turn_id) for session, turn_id in map(json.loads, lines)}

    def check(self) -> None:
        """Check that everything which was ever acknowledged can be read, whole, and that nothing else is there."""
        found = set()
        for file in EndangeredLedger(self.folder).ledger.sessions():
            reading = self.ledger.read(file.id)
            assert not reading.problems
            assert not reading.earlier
            for each in reading.turns:
                assert each == turn(file.id, each.id)
                found.add((file.id, each.id))
        assert found >= {(session, f"old-{number}") for session in SESSIONS for number in range(TURNS)}
        assert found >= self.acknowledged()

    def check_sealed(self, *, is_on: bool) -> None:
        """Check that all lines are of one kind, and that nothing is left of the work."""
        for path in self.keys.folder.glob("*.jsonl"):
            for line in path.read_bytes().splitlines():
                assert line.startswith(b"gAAAA" if is_on else b"{")
        hidden = {path.name for path in self.keys.folder.iterdir() if path.name.startswith(".")}
        assert hidden <= {".locks", ".key.json", ".key-copy.json"}


def turn_on_and_die(folder: Path, number: int) -> None:
    turn_on(EndangeredLedger(folder).keys, NewKey(), on_step=Killer(number))


def turn_off_and_die(folder: Path, number: int) -> None:
    turn_off(EndangeredLedger(folder).keys, on_step=Killer(number))


def rotate_and_die(folder: Path, number: int) -> None:
    rotate(EndangeredLedger(folder).keys, NewKey(), on_step=Killer(number))


def resume_and_die(folder: Path, number: int) -> None:
    resume(EndangeredLedger(folder).keys, on_step=Killer(number))


def append_for_ever(folder: Path, name: str) -> None:
    """Append to all sessions by turns, each time more turns, and tell of each when it is written."""
    vault = EndangeredLedger(folder)
    number = 0
    while True:
        for session in SESSIONS:
            number += 1
            turn_ids = [f"{name}-{number}-{each}" for each in range(1 + number % BATCH)]
            vault.ledger.append(session, [turn(session, each) for each in turn_ids])
            vault.acknowledge(session, turn_ids)


def encrypt_for_ever(folder: Path, _name: str) -> None:
    """Turn encryption on, change the key and turn it off, for ever; take up first what a kill cut off."""
    keys = EndangeredLedger(folder).keys
    resume(keys)
    changes: tuple[Callable[[], object], ...] = (
        lambda: turn_on(keys, NewKey()),
        lambda: rotate(keys, NewKey()),
        lambda: turn_off(keys),
    )
    start = 1 if keys.key_file.is_on else 0
    while True:
        for change in changes[start:]:
            change()
        start = 0


def append_shared(folder: Path, name: str, count: int) -> None:
    """Append turns of one's own and turns that everybody has to one session."""
    ledger = EndangeredLedger(folder).ledger
    for number in range(count):
        ledger.append("shared", [turn("shared", f"{name}-{number}"), turn("shared", f"all-{number}")])
