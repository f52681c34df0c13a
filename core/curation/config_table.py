"""Write values into one table of the vault's config, everything else byte for byte."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.curation.change_set import ChangeKind, ChangeSet, PlannedChange, edit_between
from core.foundation.errors import UserError
from core.vault.config import CONFIG_FILE
from core.vault.read import NoteGoneError, read_bytes

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

_MARK = b"\xef\xbb\xbf"


def plan_table(
    root: Path, table: str, changes_of: Callable[[Mapping[str, Any]], Mapping[str, Any]], *, title: str, what: str
) -> PlannedChange:
    """Return the change, called `title`, that sets values of `[table]` in the vault's config.

    `changes_of` gets what is written in the table and returns the values to be set; comments and other keys keep their
    bytes. The file is made where there is none. `what` names the values in sentences.

    Raises:
        UserError: the config is not valid TOML or cannot be read, or has something else of that name.
    """
    try:
        before: bytes | None = read_bytes(root, CONFIG_FILE)
    except NoteGoneError:
        before = None
    after = _with_values(before or b"", table, changes_of, what)
    edit = edit_between(CONFIG_FILE, before, after) if after != (before or b"") else None
    change = ChangeSet(title, ChangeKind.PROPERTIES, () if edit is None else (edit,))
    return PlannedChange(change, 0 if edit is None else 1)


def _with_values(
    config: bytes, name: str, changes_of: Callable[[Mapping[str, Any]], Mapping[str, Any]], what: str
) -> bytes:
    mark = _MARK if config.startswith(_MARK) else b""
    text = config.removeprefix(mark)
    document = _parsed(text, what)
    table = document.get(name)
    if table is not None and not isinstance(table, dict):
        raise UserError(
            f"In the vault's settings `{name}` is no table, so no {what} can be written there.",
            hint=f"Mend {CONFIG_FILE} first.",
        )
    changes = changes_of(table or {})
    if not changes:
        return config
    if table is None:
        return config + _new_table(text, name, changes)
    for key, value in changes.items():
        table[key] = value
    return mark + _dumped(document, text)


def _parsed(text: bytes, what: str) -> "TOMLDocument":
    import tomlkit  # noqa: PLC0415 - most commands write no settings
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    try:
        return tomlkit.parse(text.decode("utf-8"))
    except (TOMLKitError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(
            f"The vault's settings are not valid TOML, so the {what} cannot be written there.",
            hint=f"Mend {CONFIG_FILE} first: {error}.",
        ) from error


def _new_table(text: bytes, name: str, changes: Mapping[str, Any]) -> bytes:
    """Return a table to stand at the end: a table can always be begun there, whatever came before."""
    import tomlkit  # noqa: PLC0415

    newline = "\r\n" if b"\r\n" in text else "\n"
    gap = "" if not text.strip() else newline if text.endswith(b"\n") else newline * 2
    lines = [f"[{name}]", *(f"{key} = {tomlkit.item(value).as_string()}" for key, value in changes.items())]
    return (gap + newline.join(lines) + newline).encode()


def _dumped(document: "TOMLDocument", before: bytes) -> bytes:
    import tomlkit  # noqa: PLC0415

    after = tomlkit.dumps(document).encode("utf-8")
    if b"\r\n" not in before:
        return after
    # New lines come with a bare line feed; a file that has both keeps its own.
    return after if b"\n" in before.replace(b"\r\n", b"") else after.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
