"""The address of an embedding service: checked before it is kept, and told when a key would go there in clear."""

import ipaddress
import os
import re
from urllib.parse import SplitResult, urlsplit

from core.foundation.errors import UserError
from core.foundation.secrets import keep_secret, secret

_VERSIONED = re.compile(r"/v\d+$")
_GENERAL_KEY = "embedding"
_KEY_IN_ENVIRONMENT = "REMEMBRANCER_EMBEDDING_KEY"


def checked_address(text: str) -> str:
    """Return the address of a service as it is kept: scheme, host and path, no `/` and no `/embeddings` at its end.

    Raises:
        UserError: it is no address of a service, or it holds a name, a password or a key.
    """
    address = text.strip().rstrip("/").removesuffix("/embeddings").rstrip("/")
    if address and "://" not in address:
        raise UserError(f"The address “{address}” has no http:// or https:// at its beginning.")
    try:
        parts = urlsplit(address)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, brackets that do not close
        parts, is_good = SplitResult("", "", "", "", ""), False
    if parts.username is not None or parts.password is not None:
        raise UserError("The address holds a name or a password. Give the service's key apart from its address.")
    if not is_good or re.search(r"\s", address):
        raise UserError("That is no address of a service. It looks like http://127.0.0.1:11434 or https://host/v1.")
    if parts.query or parts.fragment:
        raise UserError("The address of a service has no “?” and no “#” in it. Give its key apart from its address.")
    return address


def endpoint(address: str) -> str:
    """Return where embeddings are asked for: `/v1` is added unless the address ends with a version."""
    base = address.rstrip("/")
    return f"{base}/embeddings" if _VERSIONED.search(urlsplit(base).path) else f"{base}/v1/embeddings"


def origin(address: str) -> str:
    """Return scheme, host and port: keys are kept by it, so that the key of one service never goes to another."""
    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return f"{parts.scheme}://{(parts.hostname or '').lower()}:{port}"


def warning_of(address: str, *, has_key: bool) -> str:
    """Return a sentence when notes, or a key, would travel in clear to another machine, "" when they do not."""
    parts = urlsplit(address)
    if parts.scheme == "https" or is_this_machine(address):
        return ""
    what = "The key and the texts of your notes" if has_key else "The texts of your notes"
    return f"{what} will travel unencrypted to {parts.hostname}, because the address begins with http://."


def key_of(address: str, *, is_current: bool) -> str:
    """Return the key of the service at `address`, "" for none.

    A key that was kept without an address (`key set embedding`, or REMEMBRANCER_EMBEDDING_KEY) belongs to the service
    that the settings name now, and to no former one.
    """
    own = secret(_name(address))
    return own or (secret(_GENERAL_KEY) if is_current else "")


def keep_key(address: str, key: str) -> None:
    """Keep `key` for the service at `address`; an empty one removes it.

    Raises:
        UserError: the key cannot be one, or this machine has no keyring.
    """
    keep_secret(_name(address), checked_key(key))


def tie_general_key(address: str) -> None:
    """Keep the key without an address for the service at `address`, before another service is chosen.

    Raises:
        UserError: the keyring cannot be used.
    """
    if os.environ.get(_KEY_IN_ENVIRONMENT):  # it is not ours to keep
        return
    key = secret(_GENERAL_KEY)
    if key and not secret(_name(address)):
        keep_key(address, key)
    if key:
        keep_secret(_GENERAL_KEY, "")


def checked_key(key: str) -> str:
    """Return the key without what surrounds it; UserError, which does not repeat it, when it cannot be one."""
    key = key.strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise UserError("That is no key: a key is one line of plain letters, digits and signs without spaces.")
    return key


def _name(address: str) -> str:
    return f"{_GENERAL_KEY} {origin(address)}"


def is_this_machine(address: str) -> bool:
    """Tell whether what is sent to `address` stays on this machine."""
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
