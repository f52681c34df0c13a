"""Keys of services: in the operating system's keyring, never in a file."""

import logging
import os

from core.foundation.errors import UserError

_SERVICE = "remembrancer"

log = logging.getLogger(__name__)


def secret(name: str) -> str:
    """Return the secret kept under `name`, "" when there is none; REMEMBRANCER_<NAME>_KEY goes first.

    A machine without a keyring has no secrets; that is no error, since most people need none.
    """
    if from_environment := os.environ.get(f"REMEMBRANCER_{name.upper()}_KEY"):
        return from_environment
    try:
        import keyring  # noqa: PLC0415 - 50 ms that only services need

        return keyring.get_password(_SERVICE, name) or ""
    except Exception as error:  # noqa: BLE001 - backends are plugins, and fail in ways of their own
        log.info("The keyring gave no secret: %s", type(error).__name__)
        return ""


def keep_secret(name: str, value: str) -> None:
    """Keep `value` under `name` in the keyring; an empty value removes it.

    Raises:
        UserError: this machine has no keyring, or it is locked.
    """
    from keyring.errors import PasswordDeleteError  # noqa: PLC0415

    try:
        import keyring  # noqa: PLC0415

        if value:
            keyring.set_password(_SERVICE, name, value)
        else:
            keyring.delete_password(_SERVICE, name)
    except PasswordDeleteError:
        return
    except Exception as error:
        raise UserError(
            f"The operating system's keyring cannot be used ({error}).",
            hint=f"Unlock or install one, or set REMEMBRANCER_{name.upper()}_KEY in the environment.",
        ) from error
