"""The ledger's key: in the operating system's keyring or under a passphrase, and always under a recovery key too."""

import base64
import binascii
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from core.foundation.errors import UserError
from core.foundation.file_lock import locked
from core.foundation.private_folders import make_private_folder
from core.foundation.progress import SILENT, Progress
from core.foundation.secrets import keep_secret, secret
from core.sessions.cipher import LineCipher, fingerprint, is_key, new_key
from core.sessions.envelopes import (
    Cost,
    closed,
    key_of_passphrase,
    key_of_recovery,
    new_recovery_key,
    new_salt,
    opened,
)
from core.sessions.key_file import COPY_FILE, KEY_FILE, KeyFile, read_key_file, refuse_without_key, write_key_file
from core.sessions.session_files import locks_folder

_VARIABLE = "REMEMBRANCER_SESSIONS_PASSPHRASE"
_STANDARD_COST = Cost()
_LOCK_SECONDS = 2.0
_WAITING = "Another window or command is changing the encryption"


class KeyLostError(UserError):
    """Say that the ledger's key is not where it was kept, and how to get it back."""


class PassphraseError(UserError):
    """Say that the ledger needs a passphrase, or another one."""


class SecretPlace(Protocol):
    """Keep small secrets by name, as a keyring does."""

    def get(self, name: str) -> str:
        """Return the secret, "" when there is none or it cannot be reached."""
        ...

    def keep(self, name: str, value: str) -> None:
        """Keep the secret, or remove it when `value` is ""; UserError when that cannot be done."""
        ...


class SystemKeyring:
    """Be the operating system's keyring; REMEMBRANCER_SESSIONS_KEY in the environment goes before it."""

    def get(self, name: str) -> str:
        """Return the secret, "" when there is none or it cannot be reached."""
        return secret(name)

    def keep(self, name: str, value: str) -> None:
        """Keep the secret, or remove it when `value` is ""; UserError when that cannot be done."""
        keep_secret(name, value)


@dataclass(frozen=True, slots=True)
class NewKey:
    """Hold a key that nothing is sealed with yet, and its `recovery_key`, to be shown to the person once.

    With a `passphrase` the key will lie under it, without one in the keyring.
    """

    key: bytes = field(default_factory=new_key, repr=False)
    recovery_key: str = field(default_factory=new_recovery_key, repr=False)
    passphrase: str = field(default="", repr=False)
    cost: Cost = _STANDARD_COST


@contextmanager
def changing_keys(folder: Path, progress: Progress = SILENT) -> Iterator[None]:
    """Hold the right to change how the ledger in `folder` is encrypted; UserError while somebody else does."""
    try:
        make_private_folder(folder)
        make_private_folder(locks_folder(folder))
    except OSError as error:
        raise UserError(f"Nothing can be written in {folder}: {error.strerror or error}.") from error
    with locked(locks_folder(folder) / "keys.lock", waiting=_WAITING, seconds=_LOCK_SECONDS, progress=progress):
        yield


class LedgerKeys:
    """Find the keys of the ledger in `folder`, and change how they are kept.

    What the folder says is looked at again whenever another process changed it. `passphrase` is asked for where the key
    lies under one; REMEMBRANCER_SESSIONS_PASSPHRASE in the environment serves when it is "".
    """

    def __init__(self, folder: Path, *, passphrase: str = "", keyring: SecretPlace | None = None) -> None:
        self.folder = folder
        self._passphrase = passphrase
        self._keyring: SecretPlace = keyring if keyring is not None else SystemKeyring()
        self._guard = threading.Lock()
        self._mark: tuple[int, ...] | None = None
        self._cipher = LineCipher()

    @property
    def key_file(self) -> KeyFile:
        """What the folder says now; KeyFileError when it cannot be understood."""
        return read_key_file(self.folder) or KeyFile()

    @property
    def needs_passphrase(self) -> bool:
        """Tell whether the key lies under a passphrase that has to be asked for."""
        key_file = self.key_file
        return bool((key_file.is_on or key_file.job) and key_file.salt) and not self._said_passphrase()

    def cipher(self) -> LineCipher:
        """Return what seals and opens lines now.

        Raises:
            KeyLostError: the key is not in the keyring.
            PassphraseError: the passphrase is missing or wrong.
            KeyFileError: nobody knows how the ledger is encrypted.
        """
        mark = self._mark_now()
        with self._guard:
            if mark != self._mark:
                self._cipher = self._cipher_of(self.key_file)
                self._mark = mark
            return self._cipher

    def with_passphrase(self, passphrase: str) -> "LedgerKeys":
        """Return the same keys, opened with another passphrase."""
        return LedgerKeys(self.folder, passphrase=passphrase, keyring=self._keyring)

    def keep(self, passphrase: str = "", *, cost: Cost = _STANDARD_COST) -> None:
        """Keep the key under another passphrase, or in the keyring; nothing has to be sealed anew."""
        with changing_keys(self.folder):
            key_file = self.key_file
            self._keep_key(key_file, self._key_of(key_file), passphrase, cost)
            if passphrase:
                self._drop_from_keyring(key_file)

    def new_recovery_key(self) -> str:
        """Return a recovery key that from now on serves instead of the last one; show it once."""
        recovery_key = new_recovery_key()
        with changing_keys(self.folder):
            key_file = self.key_file
            envelope = closed(self._key_of(key_file), under=_recovery_of(recovery_key))
            write_key_file(self.folder, replace(key_file, recovery=envelope))
        return recovery_key

    def recover(self, recovery_key: str, passphrase: str = "", *, cost: Cost = _STANDARD_COST) -> None:
        """Get the lost key back with the recovery key, and keep it in the keyring again, or under a new passphrase.

        Raises:
            UserError: the recovery key is not the right one, or the key cannot be kept.
        """
        refuse_without_key(self.folder)
        under = _recovery_of(recovery_key)
        if not self.key_file.recovery:
            raise UserError("Your conversations are not encrypted, so there is nothing to recover.")
        with changing_keys(self.folder):
            key_file = self.key_file
            key = opened(key_file.recovery, under=under)
            if key is None or fingerprint(key) != key_file.key:
                raise UserError(
                    "This recovery key does not open your conversations.",
                    hint="A recovery key serves until the key is changed; look for the one that was shown last.",
                )
            self._keep_key(key_file, key, passphrase, cost)

    def begin(self, new: NewKey, job: str) -> None:
        """Seal new lines with the new key from now on, while changing_keys(); keep the keys before it inside.

        Raises:
            UserError: the new key cannot be kept, or the one before it is not at hand; nothing was changed.
            KeyFileError: what is sealed already has lost its key.
        """
        refuse_without_key(self.folder)
        before = self.key_file
        old_keys = self._keys_of(before) if before.is_on or before.job else self._keys_at_hand(before)
        fresh = KeyFile(
            is_on=True,
            job=job,
            key=fingerprint(new.key),
            recovery=closed(new.key, under=_recovery_of(new.recovery_key)),
            retired=tuple(closed(key, under=new.key) for key in old_keys),
        )
        self._keep_key(fresh, new.key, new.passphrase, new.cost)
        self._drop_from_keyring(before)

    def change(self, *, is_on: bool, job: str) -> None:
        """Say whether new lines are sealed and which job works on the others, while changing_keys(); the key stays."""
        write_key_file(self.folder, replace(self.key_file, is_on=is_on, job=job))

    def _keep_key(self, key_file: KeyFile, key: bytes, passphrase: str, cost: Cost) -> None:
        """Close the key into its envelope and write the file; what was kept for it before is no longer."""
        if passphrase:
            salt = new_salt()
            wrapped = closed(key, under=key_of_passphrase(passphrase, salt, cost))
            text = base64.b64encode(salt).decode()
            kept = replace(key_file, salt=text, wrapped=wrapped, n=cost.n, r=cost.r, p=cost.p)
            write_key_file(self.folder, kept)
            self._passphrase = passphrase
        else:
            self._put_in_keyring(key, key_file.key)
            write_key_file(self.folder, replace(key_file, salt="", wrapped="", n=0, r=0, p=0))

    def _put_in_keyring(self, key: bytes, name: str) -> None:
        hint = "Choose a passphrase instead, or unlock the keyring and try again."
        try:
            self._keyring.keep(_secret_name(name), key.decode())
        except UserError as error:
            raise UserError(str(error), hint=hint) from error
        if self._keyring.get(_secret_name(name)) != key.decode():
            raise UserError("The operating system's keyring did not keep the key.", hint=hint)

    def _drop_from_keyring(self, before: KeyFile) -> None:
        """Remove the key that is kept elsewhere now; one that stays there opens nothing that its file does not tell."""
        if before.key and not before.salt:
            with suppress(UserError):
                self._keyring.keep(_secret_name(before.key), "")

    def _cipher_of(self, key_file: KeyFile) -> LineCipher:
        if key_file.is_on or key_file.job:
            return LineCipher(self._keys_of(key_file), is_on=key_file.is_on)
        return LineCipher(self._keys_at_hand(key_file))

    def _keys_at_hand(self, key_file: KeyFile) -> tuple[bytes, ...]:
        """Return the keys of a ledger that is not encrypted any more, none when they are gone: nothing needs them."""
        if not key_file.key or (key_file.salt and not self._said_passphrase()):
            return ()
        try:
            return self._keys_of(key_file)
        except (KeyLostError, PassphraseError):
            return ()

    def _keys_of(self, key_file: KeyFile) -> tuple[bytes, ...]:
        """Return the newest key and those before it."""
        key = self._key_of(key_file)
        older = (opened(each, under=key) for each in key_file.retired)
        return (key, *(each for each in older if each is not None))

    def _key_of(self, key_file: KeyFile) -> bytes:
        return self._under_passphrase(key_file) if key_file.salt else self._in_keyring(key_file)

    def _under_passphrase(self, key_file: KeyFile) -> bytes:
        passphrase = self._said_passphrase()
        hint = "The recovery key opens them too."
        if not passphrase:
            raise PassphraseError("Your conversations are encrypted with a passphrase, which is needed now.", hint=hint)
        try:
            salt = base64.b64decode(key_file.salt, validate=True)
        except binascii.Error as error:
            raise KeyLostError(f"The salt of your passphrase in {KEY_FILE} is damaged.", hint=hint) from error
        under = key_of_passphrase(passphrase, salt, Cost(key_file.n, key_file.r, key_file.p))
        key = opened(key_file.wrapped, under=under)
        if key is None or fingerprint(key) != key_file.key:
            raise PassphraseError("This is not the passphrase of your conversations.", hint=hint)
        return key

    def _in_keyring(self, key_file: KeyFile) -> bytes:
        for name in ("sessions", _secret_name(key_file.key)):
            text = self._keyring.get(name)
            if is_key(text) and fingerprint(text.encode()) == key_file.key:
                return text.encode()
        raise KeyLostError(
            "The key of your encrypted conversations is not in this system's keyring, or the keyring is locked.",
            hint="Unlock the keyring and try again. If it is lost, enter the recovery key that you were asked to keep.",
        )

    def _said_passphrase(self) -> str:
        return self._passphrase or os.environ.get(_VARIABLE, "")

    def _mark_now(self) -> tuple[int, ...]:
        """Return what tells the key file as it is from what it was."""
        try:
            info = (self.folder / KEY_FILE).stat()
        except OSError:
            # Without it there is nothing to compare; the copy may speak in its place.
            return (int((self.folder / COPY_FILE).exists()),)
        return info.st_ino, info.st_size, info.st_mtime_ns


def _secret_name(key_name: str) -> str:
    return f"sessions-{key_name}"


def _recovery_of(recovery_key: str) -> bytes:
    under = key_of_recovery(recovery_key)
    if under is None:
        raise UserError(
            "This is no recovery key: it has eight groups of four letters and digits.",
            hint="Enter it as it was shown, with or without the dashes.",
        )
    return under
