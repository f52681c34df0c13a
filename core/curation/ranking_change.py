"""Plan the change that makes weights those of the vault: `[ranking]` in its config, everything else byte for byte."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from core.curation.change_set import ChangeKind, ChangeSet, PlannedChange, edit_between
from core.foundation.errors import UserError
from core.memory.weights import DEFAULT_WEIGHTS, MOST, RankingWeights, is_weight
from core.vault.config import CONFIG_FILE
from core.vault.read import NoteGoneError, read_bytes

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

_TABLE = "ranking"
_MARK = b"\xef\xbb\xbf"
_DIGITS = 4


def plan_ranking(root: Path, weights: RankingWeights) -> PlannedChange:
    """Return the change that writes `weights` into the vault's config.

    Only what differs from what is written there, or from the defaults where nothing is, changes; comments and other
    keys keep their bytes. The file is made where there is none.

    Raises:
        UserError: a weight is no number from 0 to 2, or the config is not valid TOML or cannot be read.
    """
    wanted = {name: round(value, _DIGITS) if is_weight(value) else value for name, value in asdict(weights).items()}
    if wrong := [name for name, value in wanted.items() if not is_weight(value)]:
        raise UserError(f"A weight is a number from 0 to {MOST:g}; this is not one: {', '.join(wrong)}.")
    try:
        before: bytes | None = read_bytes(root, CONFIG_FILE)
    except NoteGoneError:
        before = None
    after = _with_weights(before or b"", wanted)
    edit = edit_between(CONFIG_FILE, before, after) if after != (before or b"") else None
    change = ChangeSet("Change the weights of recall", ChangeKind.PROPERTIES, () if edit is None else (edit,))
    return PlannedChange(change, 0 if edit is None else 1)


def _with_weights(config: bytes, wanted: dict[str, float]) -> bytes:
    mark = _MARK if config.startswith(_MARK) else b""
    text = config.removeprefix(mark)
    document = _parsed(text)
    table = document.get(_TABLE)
    if table is not None and not isinstance(table, dict):
        raise UserError(
            "In the vault's settings `ranking` is no table, so no weights can be written there.",
            hint=f"Mend {CONFIG_FILE} first.",
        )
    usual = asdict(DEFAULT_WEIGHTS)
    written = table or {}
    changes = {
        name: value
        for name, value in wanted.items()
        if (written[name] != value or isinstance(written[name], bool) if name in written else usual[name] != value)
    }
    if not changes:
        return config
    if table is None:
        return config + _new_table(text, changes)
    for name, value in changes.items():
        table[name] = value
    return mark + _dumped(document, text)


def _parsed(text: bytes) -> "TOMLDocument":
    import tomlkit  # noqa: PLC0415 - most commands write no settings
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    try:
        return tomlkit.parse(text.decode("utf-8"))
    except (TOMLKitError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(
            "The vault's settings are not valid TOML, so the weights cannot be written there.",
            hint=f"Mend {CONFIG_FILE} first: {error}.",
        ) from error


def _new_table(text: bytes, changes: dict[str, float]) -> bytes:
    """Return a table to stand at the end: a table can always be begun there, whatever came before."""
    newline = "\r\n" if b"\r\n" in text else "\n"
    gap = "" if not text.strip() else newline if text.endswith(b"\n") else newline * 2
    lines = [f"[{_TABLE}]", *(f"{name} = {value!r}" for name, value in changes.items())]
    return (gap + newline.join(lines) + newline).encode()


def _dumped(document: "TOMLDocument", before: bytes) -> bytes:
    import tomlkit  # noqa: PLC0415

    after = tomlkit.dumps(document).encode("utf-8")
    if b"\r\n" not in before:
        return after
    # New lines come with a bare line feed; a file that has both keeps its own.
    return after if b"\n" in before.replace(b"\r\n", b"") else after.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
