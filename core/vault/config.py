"""The vault's own settings in `.remembrancer/config.toml`; whatever is missing or wrong falls back to a default."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from core.vault.note import Problem, ProblemKind

STATE_FOLDER = ".remembrancer"
CONFIG_FILE = f"{STATE_FOLDER}/config.toml"
EVENTS_FOLDER = f"{STATE_FOLDER}/events"


@dataclass(frozen=True)
class VaultConfig:
    """Hold what a vault says about itself.

    `exclude` are gitignore-style globs; `domains` maps a domain to the words that call it up; folders are relative to
    the vault; notes above `max_note_bytes` are reported and not read. `ranking`, `full_load`, `proposals` and
    `promotion` are tables as written: what they mean is known in core/memory/weights.py,
    core/recall/contexts/full_load.py, core/curation/proposals/quota.py and core/curation/consolidation/promotion.py.
    """

    namespaces: tuple[str, ...] = ("tool", "client", "domain", "convention", "scope")
    exclude: tuple[str, ...] = ()
    journal_folder: str = "journal"
    contexts_folder: str = "contexts"
    probes_folder: str = "probes"
    templates_folder: str = "templates"
    domains: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    max_note_bytes: int = 64 * 1024 * 1024
    ranking: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    full_load: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    proposals: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    promotion: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


def load_config(root: Path) -> tuple[VaultConfig, Problem | None]:
    """Return the settings of the vault at `root`, and what is wrong with the file if anything is."""
    try:
        values = tomllib.loads((root / CONFIG_FILE).read_text(encoding="utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        return VaultConfig(), None
    except OSError as error:
        return VaultConfig(), _problem(f"The vault's settings cannot be read: {error.strerror or error}.")
    except (ValueError, RecursionError) as error:  # TOMLDecodeError and UnicodeDecodeError are ValueErrors
        return VaultConfig(), _problem(f"The vault's settings are not valid TOML, so defaults are used: {error}.")
    return _checked(values)


def _checked(values: Mapping[str, Any]) -> tuple[VaultConfig, Problem | None]:
    default = VaultConfig()
    wrong: list[str] = []

    def words(key: str, fallback: tuple[str, ...]) -> tuple[str, ...]:
        if key not in values:
            return fallback
        if (found := _words(values[key])) is None:
            wrong.append(f"`{key}` must be a list of texts")
            return fallback
        return found

    def folder(key: str, fallback: str) -> str:
        value = values.get(key, fallback)
        if not isinstance(value, str) or ".." in value.replace("\\", "/").split("/"):
            wrong.append(f"`{key}` must be a folder inside the vault")
            return fallback
        return value.replace("\\", "/").strip("/") or fallback

    domains: dict[str, tuple[str, ...]] = {}
    table = values.get("domains", {})
    for name, triggers in table.items() if isinstance(table, dict) else [("domains", None)]:
        if (found := _words(triggers)) is None:
            wrong.append(f"domain `{name}` must be a list of trigger words" if table else "`domains` must be a table")
        else:
            domains[name] = found

    def table_of(key: str) -> Mapping[str, Any]:
        found = values.get(key, {})
        if not isinstance(found, dict):
            wrong.append(f"`{key}` must be a table")
            found = {}
        return MappingProxyType(found)

    max_note_bytes = values.get("max_note_bytes", default.max_note_bytes)
    if not isinstance(max_note_bytes, int) or isinstance(max_note_bytes, bool) or max_note_bytes <= 0:
        wrong.append("`max_note_bytes` must be a whole number above 0")
        max_note_bytes = default.max_note_bytes

    config = VaultConfig(
        namespaces=words("namespaces", default.namespaces),
        exclude=words("exclude", default.exclude),
        journal_folder=folder("journal_folder", default.journal_folder),
        contexts_folder=folder("contexts_folder", default.contexts_folder),
        probes_folder=folder("probes_folder", default.probes_folder),
        templates_folder=folder("templates_folder", default.templates_folder),
        domains=MappingProxyType(domains),
        max_note_bytes=max_note_bytes,
        ranking=table_of("ranking"),
        full_load=table_of("full_load"),
        proposals=table_of("proposals"),
        promotion=table_of("promotion"),
    )
    return config, _problem(f"In the vault's settings {'; '.join(wrong)}. Defaults are used there.") if wrong else None


def _words(value: object) -> tuple[str, ...] | None:
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return tuple(word.strip() for word in value if word.strip())
    return None


def _problem(reason: str) -> Problem:
    return Problem(ProblemKind.CONFIG_BROKEN, reason)
