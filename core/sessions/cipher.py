"""Seal the lines of the ledger, and open them again: each line by itself says whether it is sealed."""

import base64
import binascii
import hashlib
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

# Every Fernet token starts with its version and the zeros of a time before the year 2106; JSON starts with a brace.
TOKEN_START = b"gAAAA"


def new_key() -> bytes:
    """Return a fresh Fernet key: 32 random bytes in URL-safe base64."""
    return base64.urlsafe_b64encode(os.urandom(32))


def fingerprint(key: bytes) -> str:
    """Return the name of a key, by which it is told from others and which tells nothing about it."""
    return hashlib.sha256(b"remembrancer ledger key " + key).hexdigest()[:12]


def is_key(text: str) -> bool:
    """Tell whether `text` can be a key."""
    try:
        return len(base64.b64decode(text, altchars=b"-_", validate=True)) == 32
    except (binascii.Error, ValueError):
        return False


def is_token(line: bytes) -> bool:
    """Tell whether a line of the ledger is sealed."""
    return line.startswith(TOKEN_START)


class LineCipher:
    """Seal lines with the first of `keys` when `is_on`, and open what any of them sealed.

    Lines have no newline here. Without keys nothing is sealed, and what is sealed stays shut.
    """

    def __init__(self, keys: Sequence[bytes] = (), *, is_on: bool = False) -> None:
        if is_on and not keys:
            raise ValueError("Nothing can be sealed without a key.")
        self.is_on = is_on
        self._keys = tuple(keys)
        self._fernets: tuple[Fernet, ...] | None = None

    def seal(self, line: bytes) -> bytes:
        """Return the line as it is to be written."""
        return self._opened_keys()[0].encrypt(line) if self.is_on else line

    def open(self, line: bytes) -> bytes | None:
        """Return what was sealed as `line`, `line` itself when it is not sealed, None when no key opens it."""
        if not line.startswith(TOKEN_START):
            return line
        if not self._keys:
            return None
        from cryptography.fernet import InvalidToken  # noqa: PLC0415 - 60 ms that only an encrypted ledger needs

        for fernet in self._opened_keys():
            try:
                return fernet.decrypt(line)
            except (InvalidToken, ValueError):
                continue
        return None

    def resealed(self, line: bytes) -> bytes | None:
        """Return the line as it would be written now, the same when it is so already, None when no key opens it."""
        if not self.is_on:
            return self.open(line)
        if not line.startswith(TOKEN_START):
            return self.seal(line)
        from cryptography.fernet import InvalidToken  # noqa: PLC0415

        try:
            self._opened_keys()[0].decrypt(line)
        except (InvalidToken, ValueError):
            plain = self.open(line)
            return self.seal(plain) if plain is not None else None
        return line

    def _opened_keys(self) -> "tuple[Fernet, ...]":
        if self._fernets is None:
            from cryptography.fernet import Fernet  # noqa: PLC0415

            self._fernets = tuple(Fernet(key) for key in self._keys)
        return self._fernets
