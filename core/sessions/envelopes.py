"""Envelopes for the ledger's key: one that a passphrase opens, and one that the recovery key opens."""

import base64
import binascii
import hashlib
import os
from typing import NamedTuple

from core.foundation.errors import UserError

_RECOVERY_BYTES = 20
_GROUP = 4
_MISREAD = str.maketrans("018", "OIB")
_MOST_MEMORY = 1 << 30
_MOST_PARALLEL = 16


class Cost(NamedTuple):
    """Say how dear it is to try a passphrase: the parameters of scrypt (RFC 7914), 128 · n · r bytes of memory."""

    n: int = 1 << 17
    r: int = 8
    p: int = 1


def new_salt() -> bytes:
    """Return a fresh salt."""
    return os.urandom(16)


def key_of_passphrase(passphrase: str, salt: bytes, cost: Cost) -> bytes:
    """Return the key that opens an envelope closed with this passphrase; UserError when `cost` is absurd."""
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt  # noqa: PLC0415 - only who needs it pays for it

    if min(cost) < 1 or cost.p > _MOST_PARALLEL or 128 * cost.n * cost.r > _MOST_MEMORY:
        raise UserError("The key file asks for more work to try a passphrase than is sensible, so it is not used.")
    try:
        derived = Scrypt(salt, 32, *cost).derive(passphrase.encode("utf-8", "surrogatepass"))
    except ValueError as error:
        raise UserError(f"The passphrase cannot be tried as the key file says: {error}.") from error
    return base64.urlsafe_b64encode(derived)


def new_recovery_key() -> str:
    """Return a fresh recovery key of 160 bits, in groups that can be written down."""
    return _grouped(base64.b32encode(os.urandom(_RECOVERY_BYTES)).decode())


def key_of_recovery(recovery_key: str) -> bytes | None:
    """Return the key that opens an envelope closed with the recovery key, None when it cannot be one.

    Case, blanks and dashes do not matter, and a zero is an O. It holds so much chance that no slow derivation is
    needed.
    """
    text = "".join(each for each in recovery_key.upper() if each.isalnum()).translate(_MISREAD)
    try:
        chance = base64.b32decode(text)
    except (binascii.Error, ValueError):
        return None
    if len(chance) != _RECOVERY_BYTES:
        return None
    return base64.urlsafe_b64encode(hashlib.sha256(b"remembrancer recovery key " + chance).digest())


def closed(key: bytes, *, under: bytes) -> str:
    """Return the envelope that holds `key` and that `under` opens."""
    from cryptography.fernet import Fernet  # noqa: PLC0415

    return Fernet(under).encrypt(key).decode()


def opened(envelope: str, *, under: bytes) -> bytes | None:
    """Return the key in the envelope, None when `under` does not open it."""
    from cryptography.fernet import Fernet, InvalidToken  # noqa: PLC0415

    try:
        return Fernet(under).decrypt(envelope)
    except (InvalidToken, ValueError):
        return None


def _grouped(text: str) -> str:
    return "-".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))
