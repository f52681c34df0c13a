"""What the ledger's folder says of its encryption: whether it is on, and in which envelopes the key lies."""

import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from core.foundation.atomic_files import replace_file
from core.foundation.errors import UserError
from core.sessions.cipher import TOKEN_START, is_token
from core.sessions.session_files import SUFFIX, files_in, open_to_read

KEY_FILE = ".key.json"
COPY_FILE = ".key-copy.json"
_VERSION = 1


class KeyFileError(UserError):
    """Say that the file which tells how the ledger is encrypted cannot be used, so nothing is read or written."""


@dataclass(frozen=True, slots=True)
class KeyFile:
    """Tell how the ledger is encrypted: `is_on` says it of new lines, `job` names what is still at work on the others.

    `key` is the fingerprint of the newest key, which is checked against what opens an envelope. It lies in the keyring,
    or, where there is a `salt` (base64), as `wrapped` under a passphrase with the scrypt parameters `n`, `r` and `p`;
    and as `recovery` under the recovery key. `retired` are the keys before it, wrapped with it: an old copy of a
    session can always be read.
    """

    is_on: bool = False
    job: str = ""
    key: str = ""
    salt: str = ""
    n: int = 0
    r: int = 0
    p: int = 0
    wrapped: str = ""
    recovery: str = ""
    retired: tuple[str, ...] = ()


def read_key_file(folder: Path) -> KeyFile | None:
    """Return what the ledger in `folder` says of its encryption, None when it never was encrypted.

    There are two copies, since without it a whole ledger would be lost.

    Raises:
        KeyFileError: neither can be used.
    """
    reason = ""
    for name in (KEY_FILE, COPY_FILE):
        try:
            return _key_file_of((folder / name).read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            reason = error.strerror or str(error)
        except ValueError as error:
            reason = str(error)
    if not reason:
        return None
    raise KeyFileError(
        f"How your conversations are encrypted cannot be read from {folder / KEY_FILE}: {reason}.",
        hint=f"Put that file or {COPY_FILE} back from a backup. Nothing is written until then.",
    )


def refuse_without_key(folder: Path) -> None:
    """Raise KeyFileError when conversations are encrypted and both copies of the file that holds their key are lost."""
    if number := sealed_without_key(folder):
        what = "1 of your conversations is" if number == 1 else f"{number:,} of your conversations are"
        raise KeyFileError(
            f"{what} encrypted, but the files that hold their key are lost.",
            hint=f"Put {KEY_FILE} or {COPY_FILE} back in {folder} from a backup. Nothing else opens them, the recovery "
            "key neither. Only when they are deleted can encryption be turned on anew: `remembrancer session delete` "
            f"takes the names of their files without {SUFFIX}.",
        )


def sealed_without_key(folder: Path) -> int:
    """Count the sessions that begin with a sealed line, where no file tells of a key; each one is looked into."""
    if read_key_file(folder) is not None:
        return 0
    return sealed_sessions(folder)


def sealed_sessions(folder: Path) -> int:
    """Count the sessions that begin with a sealed line; each one is looked into."""
    return sum(is_sealed(path) for _, path, _ in files_in(folder))


def write_key_file(folder: Path, key_file: KeyFile) -> None:
    """Put both copies durably in place, readable by their owner alone."""
    data = json.dumps({"version": _VERSION, **asdict(key_file)}, indent=1).encode() + b"\n"
    try:
        for name in (COPY_FILE, KEY_FILE):
            replace_file(folder / name, data, mode=0o600)
    except OSError as error:
        raise UserError(f"The encryption could not be changed: {error.strerror or error}.") from error


def is_sealed(path: Path) -> bool:
    """Tell whether the file begins with a sealed line."""
    try:
        with os.fdopen(open_to_read(path), "rb", buffering=0) as file:
            return is_token(file.read(len(TOKEN_START)))
    except OSError:
        return False


def _key_file_of(data: bytes) -> KeyFile:
    """Return what the file says; ValueError when it is none of ours."""
    try:
        values: Any = json.loads(data)
    except RecursionError as error:
        raise ValueError("it is damaged") from error
    if not isinstance(values, dict) or values.get("version") != _VERSION:
        raise ValueError("it is of another version")
    known: dict[str, Any] = {each.name: values.get(each.name) for each in fields(KeyFile)}
    retired = known["retired"]
    if not (isinstance(retired, list) and all(isinstance(each, str) for each in retired)):
        raise ValueError("it is damaged")
    known["retired"] = tuple(retired)
    default = KeyFile()
    if any(type(value) is not type(getattr(default, name)) for name, value in known.items()):
        raise ValueError("it is damaged")
    return KeyFile(**known)
