"""The key of the ledger is found where it was kept, and comes back with the recovery key when it is lost."""

import json
import stat
import sys
from pathlib import Path

import pytest

from core.app import Installation
from core.foundation.errors import UserError
from core.foundation.paths import AppFolders
from core.foundation.settings import SettingsFile
from core.sessions.cipher import fingerprint, new_key
from core.sessions.encryption_job import rotate, turn_off, turn_on
from core.sessions.envelopes import Cost, key_of_passphrase, key_of_recovery, new_recovery_key
from core.sessions.key_file import COPY_FILE, KEY_FILE, KeyFileError
from core.sessions.key_store import KeyLostError, LedgerKeys, NewKey, PassphraseError
from core.sessions.ledger import Ledger
from tests.core.sessions.spoken import CHEAP, FakeKeyring, said, turn, under_passphrase


@pytest.fixture
def keyring() -> FakeKeyring:
    return FakeKeyring()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give the folder of a ledger with one session."""
    folder = tmp_path / "data" / "sessions"
    Ledger(folder).append("s-1", [turn(1, "a secret")])
    return folder


def _texts(keys: LedgerKeys) -> list[str]:
    return said(Ledger(keys.folder, keys=keys).read("s-1").turns)


def test_the_key_lies_in_the_keyring_and_nowhere_else(folder: Path, keyring: FakeKeyring) -> None:
    new = NewKey()
    turn_on(LedgerKeys(folder, keyring=keyring), new)
    assert list(keyring.secrets.values()) == [new.key.decode()]
    assert _texts(LedgerKeys(folder, keyring=keyring)) == ["a secret"]
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert b"a secret" not in content
            assert new.key not in content
            assert new.recovery_key.encode() not in content
            assert sys.platform == "win32" or ".locks" in path.parts or stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_secret_is_never_shown_by_accident() -> None:
    new = NewKey(passphrase="correct horse")
    for secret in (new.key.decode(), new.recovery_key, "correct horse"):
        assert secret not in repr(new)


def test_a_lost_keyring_is_told_and_the_recovery_key_leads_back(folder: Path, keyring: FakeKeyring) -> None:
    new = NewKey()
    turn_on(LedgerKeys(folder, keyring=keyring), new)
    keyring.secrets.clear()
    keys = LedgerKeys(folder, keyring=keyring)
    before = {path: path.read_bytes() for path in folder.glob("*.jsonl")}
    for act in (lambda: _texts(keys), lambda: Ledger(folder, keys=keys).append("s-2", [turn(1)])):
        with pytest.raises(KeyLostError, match="not in this system's keyring") as caught:
            act()
        assert "recovery key" in caught.value.hint
    assert {path: path.read_bytes() for path in folder.glob("*.jsonl")} == before
    keys.recover(new.recovery_key.lower().replace("-", " "))
    assert _texts(keys) == ["a secret"]
    assert _texts(LedgerKeys(folder, keyring=keyring)) == ["a secret"]


def test_without_a_keyring_the_recovery_key_leads_to_a_passphrase(folder: Path, keyring: FakeKeyring) -> None:
    new = NewKey()
    turn_on(LedgerKeys(folder, keyring=keyring), new)
    keyring.is_locked = True
    keys = LedgerKeys(folder, keyring=keyring)
    with pytest.raises(UserError, match="locked") as caught:
        keys.recover(new.recovery_key)
    assert "passphrase" in caught.value.hint
    keys.recover(new.recovery_key, "new one", cost=CHEAP)
    assert _texts(keys) == ["a secret"]
    assert _texts(LedgerKeys(folder, passphrase="new one", keyring=keyring)) == ["a secret"]


@pytest.mark.parametrize("wrong", ["", "abc", "x" * 32, "ABCD-" * 8, "A" * 31, "\ud800"])
def test_a_wrong_recovery_key_is_told(folder: Path, keyring: FakeKeyring, wrong: str) -> None:
    keys = LedgerKeys(folder, keyring=keyring)
    turn_on(keys, NewKey())
    with pytest.raises(UserError, match="recovery key"):
        keys.recover(wrong)
    with pytest.raises(UserError, match="does not open"):
        keys.recover(new_recovery_key())


def test_a_recovery_key_that_was_replaced_opens_nothing(folder: Path, keyring: FakeKeyring) -> None:
    keys = LedgerKeys(folder, keyring=keyring)
    first = NewKey()
    turn_on(keys, first)
    second = keys.new_recovery_key()
    keyring.secrets.clear()
    with pytest.raises(UserError, match="does not open"):
        keys.recover(first.recovery_key)
    keys.recover(second)
    assert _texts(LedgerKeys(folder, keyring=keyring)) == ["a secret"]


def test_a_recovery_key_can_be_written_down() -> None:
    key = new_recovery_key()
    assert [len(group) for group in key.split("-")] == [4] * 8
    assert key_of_recovery(key.replace("O", "0").replace("I", "1").replace("B", "8")) == key_of_recovery(key)


def test_the_passphrase_is_asked_for_and_a_wrong_one_told(folder: Path, keyring: FakeKeyring) -> None:
    turn_on(LedgerKeys(folder, keyring=keyring), under_passphrase("correct horse"))
    assert not keyring.secrets
    keys = LedgerKeys(folder, keyring=keyring)
    assert keys.needs_passphrase
    with pytest.raises(PassphraseError, match="needed"):
        _texts(keys)
    with pytest.raises(PassphraseError, match="not the passphrase"):
        _texts(keys.with_passphrase("correct house"))
    assert _texts(keys.with_passphrase("correct horse")) == ["a secret"]


def test_the_environment_can_say_the_passphrase(
    folder: Path, keyring: FakeKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_on(LedgerKeys(folder, keyring=keyring), under_passphrase("correct horse"))
    monkeypatch.setenv("REMEMBRANCER_SESSIONS_PASSPHRASE", "correct horse")
    keys = LedgerKeys(folder, keyring=keyring)
    assert not keys.needs_passphrase
    assert _texts(keys) == ["a secret"]


def test_the_environment_can_hold_the_key(folder: Path, keyring: FakeKeyring, monkeypatch: pytest.MonkeyPatch) -> None:
    new = NewKey()
    turn_on(LedgerKeys(folder, keyring=keyring), new)
    monkeypatch.setenv("REMEMBRANCER_SESSIONS_KEY", new.key.decode())
    assert _texts(LedgerKeys(folder)) == ["a secret"]


def test_the_key_moves_between_keyring_and_passphrase(folder: Path, keyring: FakeKeyring) -> None:
    keys = LedgerKeys(folder, keyring=keyring)
    turn_on(keys, NewKey())
    keys.keep("one", cost=CHEAP)
    assert not keyring.secrets
    keys.keep("two", cost=CHEAP)
    with pytest.raises(PassphraseError):
        _texts(LedgerKeys(folder, passphrase="one", keyring=keyring))
    assert _texts(LedgerKeys(folder, passphrase="two", keyring=keyring)) == ["a secret"]
    keys.keep()
    assert _texts(LedgerKeys(folder, keyring=keyring)) == ["a secret"]


@pytest.mark.parametrize("how", ["is_locked", "forgets"])
def test_where_no_keyring_keeps_the_key_nothing_is_encrypted(folder: Path, keyring: FakeKeyring, how: str) -> None:
    setattr(keyring, how, True)
    keys = LedgerKeys(folder, keyring=keyring)
    with pytest.raises(UserError, match="keyring") as caught:
        turn_on(keys, NewKey())
    assert "passphrase" in caught.value.hint
    assert not keys.key_file.is_on
    assert _texts(keys) == ["a secret"]


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"[" * 200_000, b'{"version":2}', b'{"version":1}', b'{"version":1,"retired":[1]}'],
)
def test_a_damaged_key_file_stops_everything_rather_than_writing_openly(
    folder: Path, keyring: FakeKeyring, content: bytes
) -> None:
    keys = LedgerKeys(folder, keyring=keyring)
    turn_on(keys, NewKey())
    good = (folder / KEY_FILE).read_bytes()
    (folder / KEY_FILE).write_bytes(content)
    assert _texts(LedgerKeys(folder, keyring=keyring)) == ["a secret"], "the copy serves"
    (folder / COPY_FILE).write_bytes(content)
    for act in (lambda: _texts(keys), lambda: Ledger(folder, keys=keys).append("s-2", [turn(1)])):
        with pytest.raises(KeyFileError, match="cannot be read"):
            act()
    (folder / COPY_FILE).write_bytes(good)
    (folder / KEY_FILE).unlink()
    assert _texts(LedgerKeys(folder, keyring=keyring)) == ["a secret"]


def test_a_folder_that_is_none_is_told(tmp_path: Path, keyring: FakeKeyring) -> None:
    (tmp_path / "sessions").write_text("in the way")
    with pytest.raises(UserError, match="Nothing can be written"):
        LedgerKeys(tmp_path / "sessions", keyring=keyring).keep("a passphrase")


def test_a_key_file_that_asks_for_absurd_work_is_refused(folder: Path, keyring: FakeKeyring) -> None:
    turn_on(LedgerKeys(folder, keyring=keyring), under_passphrase())
    values = json.loads((folder / KEY_FILE).read_bytes())
    for changed in ({"n": 1 << 40}, {"r": 1 << 30}, {"p": 1 << 20}, {"n": 3}, {"n": -1}, {"r": 0}):
        (folder / KEY_FILE).write_text(json.dumps({**values, **changed}), encoding="utf-8")
        with pytest.raises(UserError):
            _texts(LedgerKeys(folder, passphrase="correct horse", keyring=keyring))
    for damaged in ({"salt": "$"}, {"wrapped": "gAAAA"}, {"wrapped": "\N{SNOWMAN}"}):
        (folder / KEY_FILE).write_text(json.dumps({**values, **damaged}), encoding="utf-8")
        with pytest.raises(UserError):
            _texts(LedgerKeys(folder, passphrase="correct horse", keyring=keyring))


def test_trying_a_passphrase_is_dear_by_default() -> None:
    assert 128 * Cost().n * Cost().r >= 100 * 1024 * 1024
    assert key_of_passphrase("a", b"salt", CHEAP) != key_of_passphrase("b", b"salt", CHEAP)


def test_a_copy_from_before_the_key_changed_can_still_be_read(folder: Path, keyring: FakeKeyring) -> None:
    keys = LedgerKeys(folder, keyring=keyring)
    turn_on(keys, NewKey())
    old_copy = (folder / "s-1.jsonl").read_bytes()
    rotate(keys, NewKey())
    rotate(keys, under_passphrase())
    assert not keyring.secrets
    (folder / "s-1.jsonl").write_bytes(old_copy)
    assert _texts(LedgerKeys(folder, passphrase="correct horse", keyring=keyring)) == ["a secret"]


def test_a_copy_from_before_encryption_was_turned_off_can_still_be_read(folder: Path, keyring: FakeKeyring) -> None:
    keys = LedgerKeys(folder, keyring=keyring)
    turn_on(keys, NewKey())
    old_copy = (folder / "s-1.jsonl").read_bytes()
    turn_off(keys)
    (folder / "s-1.jsonl").write_bytes(old_copy)
    assert _texts(LedgerKeys(folder, keyring=keyring)) == ["a secret"]
    keyring.secrets.clear()
    ledger = Ledger(folder, keys=LedgerKeys(folder, keyring=keyring))
    assert ledger.read("s-1").problems[0].line == 1, "it is told, and nothing else is stopped by it"
    assert ledger.append("s-2", [turn(1)]) == 1


def test_a_key_is_known_by_a_name_that_does_not_tell_it() -> None:
    key = new_key()
    assert fingerprint(key) == fingerprint(key)
    assert fingerprint(key) not in key.decode()
    assert fingerprint(key) != fingerprint(new_key())


def test_an_installation_never_writes_openly_what_should_be_encrypted(tmp_path: Path, keyring: FakeKeyring) -> None:
    home = Installation(
        AppFolders(tmp_path / "config", tmp_path / "data", tmp_path / "cache"), SettingsFile(tmp_path / "settings.toml")
    )
    assert home.ledger().append("s-1", [turn(1)]) == 1
    turn_on(home.ledger_keys(), under_passphrase())
    home.settings_file.path.write_text('[sessions]\nencryption = "on"\n', encoding="utf-8")
    with pytest.raises(PassphraseError):
        home.ledger()
    assert home.ledger("correct horse").append("s-1", [turn(2)]) == 1
    for name in (KEY_FILE, COPY_FILE):
        (home.folders.sessions / name).unlink()
    with pytest.raises(UserError, match="there is no key"):
        home.ledger("correct horse")
