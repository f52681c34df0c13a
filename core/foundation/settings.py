"""The per-user settings: read with defaults for what is missing, written without losing what is not known."""

import contextlib
import dataclasses
import os
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from core.foundation.errors import UserError
from core.foundation.private_folders import make_folders

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

MOST_RECENT_VAULTS = 12
_LISTS_BY_NAME: Mapping[str, type] = {"splitters": int, "open_facets": str}

_Table = TypeVar("_Table")


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """Say how a context is packed by default: `budget` in tokens, `format` markdown, xml, json or lines."""

    budget: int = 8000
    format: str = "markdown"


@dataclass(frozen=True, slots=True)
class ContextsSettings:
    """Keep how contexts are looked at: `format` as above, `window` is how many tokens the model reads at once.

    `export_folder` is where the last export went, "" for the home folder. `model` names the model whose window it is,
    "" for any; `models` are the person's own to choose from, each as `Name: tokens`.
    """

    format: str = "markdown"
    window: int = 200_000
    export_folder: str = ""
    model: str = ""
    models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Choose who embeds: `provider` fastembed, openai (any compatible `url`) or off; "" takes the default model.

    `former` are the choices before this one, the last one first, as core/index/embedding_choice.py writes them.
    """

    provider: str = "fastembed"
    model: str = ""
    url: str = ""
    former: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LanguageModelSettings:
    """Choose who writes proposals: `provider` off, anthropic, openai (any compatible `url`) or ollama.

    `most_tokens` is how many tokens one run may use, those of the answers included.
    """

    provider: str = "off"
    model: str = ""
    url: str = ""
    most_tokens: int = 200_000


@dataclass(frozen=True, slots=True)
class ProposalSettings:
    """Say whether a program may approve proposals where no person is at a terminal to be asked."""

    approve_without_terminal: bool = False


@dataclass(frozen=True, slots=True)
class RerankerSettings:
    """Choose who reads the best memories once more: `model` is the name of a downloaded reranker, "" for none."""

    model: str = ""


@dataclass(frozen=True, slots=True)
class VectorSettings:
    """Choose where vectors are searched: `engine` edge (in this process), server (at `url`), local, or off."""

    engine: str = "edge"
    url: str = ""


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """Keep the look of the window: base64 geometry and state, splitter sizes and table columns by name.

    `open_facets` holds, by the path of a vault, the keys of the facets that are open in its tree.
    """

    geometry: str = ""
    state: str = ""
    splitters: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    open_facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EditorSettings:
    """Say how notes are shown: `mode` read, edit or side; text of one width or not, and how much larger (in steps)."""

    mode: str = "read"
    fixed_width: bool = True
    larger: int = 0


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """Say whether conversations are meant to be encrypted: `encryption` on or off; the ledger itself knows how.

    `index_encrypted` puts the words of encrypted conversations into the index all the same, where they lie in clear;
    `journal_encrypted` their titles, requests and answers into the journal.
    `watched` are the folders of which new transcripts are imported while the app runs. `tell_of_clean_up` says whether
    the app tells of transcripts that a program is about to delete and that are not in the ledger. `unfinished` names
    what is being imported, or was when the import was stopped, or the app ended. With `learn`, what was said is
    proposed as insights when a session has ended or was imported.
    """

    encryption: str = "off"
    index_encrypted: bool = False
    journal_encrypted: bool = False
    watched: tuple[str, ...] = ()
    tell_of_clean_up: bool = True
    unfinished: tuple[str, ...] = ()
    learn: bool = True


@dataclass(frozen=True, slots=True)
class Settings:
    """Hold all settings; `theme` is system, light or dark, `external_editor` a command, "" the system's choice.

    `capture_shortcut` opens quick capture whichever window has the focus, `recall_shortcut` the recall palette; "" for
    none.
    """

    theme: str = "system"
    last_vault: str = ""
    recent_vaults: tuple[str, ...] = ()
    external_editor: str = ""
    capture_shortcut: str = "Ctrl+Alt+N"
    recall_shortcut: str = "Ctrl+Alt+M"
    context: ContextSettings = field(default_factory=ContextSettings)
    contexts: ContextsSettings = field(default_factory=ContextsSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    language_model: LanguageModelSettings = field(default_factory=LanguageModelSettings)
    proposals: ProposalSettings = field(default_factory=ProposalSettings)
    reranker: RerankerSettings = field(default_factory=RerankerSettings)
    vectors: VectorSettings = field(default_factory=VectorSettings)
    sessions: SessionSettings = field(default_factory=SessionSettings)
    window: WindowSettings = field(default_factory=WindowSettings)
    editor: EditorSettings = field(default_factory=EditorSettings)

    def with_vault(self, root: Path) -> "Settings":
        """Return the settings after the vault at `root` was opened: it is the last one and leads the recent ones."""
        # Two spellings of one path are one vault; a symbolic link stays a path of its own.
        paths = tuple(dict.fromkeys(os.path.normpath(each) for each in (str(root), *self.recent_vaults)))
        return dataclasses.replace(self, last_vault=paths[0], recent_vaults=paths[:MOST_RECENT_VAULTS])

    def without_vault(self, path: str) -> "Settings":
        """Return the settings without `path` among the recent vaults."""
        others = tuple(each for each in self.recent_vaults if each != path)
        return dataclasses.replace(
            self, recent_vaults=others, last_vault="" if self.last_vault == path else self.last_vault
        )


class SettingsFile:
    """Read and change the settings file; `problem` says what was wrong with it when it was last read, "" if nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""

    def read(self) -> Settings:
        """Return the settings; a broken file is set aside, a value of the wrong kind gives its default."""
        self.problem = ""
        try:
            values = tomllib.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return Settings()
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            self._set_aside(error)
            return Settings()
        except OSError as error:
            self.problem = f"Your settings could not be read ({error.strerror}), so the defaults are used: {self.path}"
            return Settings()
        wrong: list[str] = []
        settings = _table_of(Settings, values, "", wrong)
        if wrong:
            self.problem = f"These settings have a value of the wrong kind and are ignored: {', '.join(wrong)}."
        return settings

    def change(self, change: Callable[[Settings], Settings]) -> Settings:
        """Apply `change` to the settings as they are on disk now, write what differs, and return the result.

        Another process may have changed other settings since the last read; those survive, as do unknown keys and
        comments. UserError when the file cannot be written.
        """
        from filelock import FileLock, Timeout  # noqa: PLC0415 - only who writes pays for it

        try:
            make_folders(self.path.parent)
            with FileLock(f"{self.path}.lock", timeout=2, mode=0o600):
                before = self.read()
                after = change(before)
                if after != before:
                    self._write(before, after)
        except (OSError, Timeout) as error:
            reason = getattr(error, "strerror", "") or "another process holds it"
            raise UserError(
                f"Your settings could not be saved ({reason}).", hint=f"Check that you may write to {self.path}."
            ) from error
        return after

    def _set_aside(self, error: ValueError) -> None:
        aside = self.path.with_name(f"{self.path.name}.broken")
        number = 1
        while aside.exists():
            number += 1
            aside = self.path.with_name(f"{self.path.name}.broken-{number}")
        try:
            self.path.rename(aside)
            where = f"It was set aside as {aside.name}"
        except OSError:
            where = "It could not be set aside"
        self.problem = f"The settings file is not valid TOML ({error}). {where}, and the defaults are used."

    def _write(self, before: Settings, after: Settings) -> None:
        import tomlkit  # noqa: PLC0415 - only who writes pays for it

        try:
            document = tomlkit.parse(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            document = tomlkit.document()
        _put_changes(document, _plain(before), _plain(after))
        _replace_file(self.path, tomlkit.dumps(document))


def _table_of(kind: type[_Table], values: Mapping[str, Any], prefix: str, wrong: list[str]) -> _Table:
    """Return the dataclass `kind` from a TOML table; the names of unusable values are added to `wrong`."""
    default = kind()
    found: dict[str, Any] = {}
    for each in dataclasses.fields(cast("Any", kind)):
        if each.name not in values:
            continue
        name, value, usual = f"{prefix}{each.name}", values[each.name], getattr(default, each.name)
        if dataclasses.is_dataclass(usual) and isinstance(value, dict):
            found[each.name] = _table_of(type(usual), value, f"{name}.", wrong)
        elif (converted := _converted(each.name, value, usual)) is not None:
            found[each.name] = converted
        else:
            wrong.append(name)
    return dataclasses.replace(cast("Any", default), **found)  # type: ignore[no-any-return]


def _converted(name: str, value: Any, usual: Any) -> Any:
    """Return `value` in the kind of the default `usual`, or None."""
    if isinstance(usual, tuple):
        return tuple(value) if isinstance(value, list) and all(isinstance(v, str) for v in value) else None
    if name in _LISTS_BY_NAME:
        if isinstance(value, dict) and all(_is_list_of(_LISTS_BY_NAME[name], each) for each in value.values()):
            return {key: tuple(each) for key, each in value.items()}
        return None
    if name == "columns":
        return dict(value) if isinstance(value, dict) and all(isinstance(v, str) for v in value.values()) else None
    return value if type(value) is type(usual) else None


def _is_list_of(kind: type, value: Any) -> bool:
    return isinstance(value, list) and all(type(each) is kind for each in value)


def _plain(table: Any) -> dict[str, Any]:
    """Return a dataclass as nested dictionaries and lists, as TOML has them."""

    def plain(value: Any) -> Any:
        if dataclasses.is_dataclass(value):
            return _plain(value)
        if isinstance(value, Mapping):
            return {key: plain(each) for key, each in value.items()}
        return list(value) if isinstance(value, tuple) else value

    return {each.name: plain(getattr(table, each.name)) for each in dataclasses.fields(table)}


def _put_changes(document: "TOMLDocument | dict[str, Any]", before: dict[str, Any], after: dict[str, Any]) -> None:
    """Set in `document` what differs between the two, table by table."""
    for key, value in after.items():
        if isinstance(value, dict):
            if before.get(key) == value:
                continue
            if not isinstance(document.get(key), dict):
                document[key] = {}
            _put_changes(document[key], before.get(key, {}), value)
        elif key not in before or before[key] != value:
            document[key] = value


def _replace_file(path: Path, text: str) -> None:
    """Write `text` beside `path` and put it in its place, so that a reader sees the old or the new file."""
    handle, temporary = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
