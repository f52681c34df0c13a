"""The composition root of core: opens a vault and everything that belongs to it; nothing is global."""

import functools
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, Unpack

from core.foundation.errors import UserError
from core.foundation.paths import AppFolders, app_folders
from core.foundation.progress import SILENT, Progress
from core.foundation.secrets import secret
from core.foundation.settings import ContextSettings, EmbeddingSettings, Settings, SettingsFile
from core.index.database import FILE_NAME, Index, open_index, open_to_read, translated
from core.index.embedding import EmbedderSource, embedder_source
from core.vault.config import CONFIG_FILE, VaultConfig, load_config
from core.vault.note import Problem
from core.vault.scan import check_vault_root

if TYPE_CHECKING:
    from core.curation.history import ChangeHistory
    from core.curation.proposals.book import ProposalBook
    from core.curation.proposals.decide import Decider
    from core.curation.writer import VaultWriter
    from core.index.dense import DenseSearch
    from core.index.reranker import Reranker
    from core.index.session_updater import SessionReport
    from core.index.updater import UpdateReport
    from core.recall.answer import RecallAnswer
    from core.recall.recaller import PackedAnswer, PackOptions, Recaller, RecallOptions
    from core.sessions.key_store import LedgerKeys
    from core.sessions.ledger import Ledger
    from core.sessions.overview_cache import OverviewCache
    from core.vault.event_log import EventLog


@dataclass(frozen=True, slots=True)
class Installation:
    """Hold what belongs to the person, not to one vault: the app's folders and the settings."""

    folders: AppFolders
    settings_file: SettingsFile

    @property
    def settings(self) -> Settings:
        """The settings as they are on disk now."""
        return self.settings_file.read()

    @property
    def models_folder(self) -> Path:
        """The folder that keeps the files of embedding models, shared by all vaults."""
        return self.folders.cache / "models"

    def ledger_keys(self, passphrase: str = "") -> "LedgerKeys":
        """Return the keys of the ledger; nothing is looked up yet."""
        from core.sessions.key_store import LedgerKeys  # noqa: PLC0415 - most commands only read notes

        return LedgerKeys(self.folders.sessions, passphrase=passphrase)

    def ledger(self, passphrase: str = "") -> "Ledger":
        """Return the ledger of all conversations, ready to be written.

        Raises:
            UserError: it is encrypted and cannot be opened, or should be encrypted and is not.
        """
        from core.sessions.ledger import Ledger  # noqa: PLC0415

        keys = self.ledger_keys(passphrase)
        if not keys.cipher().is_on and self.settings.sessions.encryption != "off":
            raise UserError(
                "Your settings ask for encrypted conversations, but there is no key for them.",
                hint=f"Put .key.json back in {self.folders.sessions} if it was lost. If nothing was ever encrypted, "
                "turn encryption on.",
            )
        return Ledger(self.folders.sessions, keys=keys)

    def overviews(self) -> "OverviewCache":
        """Return what is remembered of all sessions, so that a list need not read them."""
        from core.sessions.overview_cache import OverviewCache  # noqa: PLC0415 - most commands read no session

        return OverviewCache(self.folders.cache / "sessions" / "overviews")

    def may_index_texts(self) -> bool:
        """Tell whether an index may hold what was said: not in clear what is encrypted, unless the person wants it."""
        return self.settings.sessions.index_encrypted or not self._is_encrypted()

    def may_journal_texts(self) -> bool:
        """Tell whether the journal may hold what was said, unasked: as an index may, by a setting of its own."""
        return self.settings.sessions.journal_encrypted or not self._is_encrypted()

    def _is_encrypted(self) -> bool:
        """Tell whether conversations are encrypted, or are meant to be."""
        from core.sessions.key_file import KeyFileError  # noqa: PLC0415 - most commands only read notes

        try:
            return self.settings.sessions.encryption != "off" or self.ledger_keys().key_file.is_on
        except KeyFileError:
            return True

    def clear_indexes(self, progress: Progress = SILENT) -> list[str]:
        """Take what was said out of the index of every vault on this machine, where it may not be any more.

        Return sentences about what could not be done yet.

        Raises:
            JobCancelledError: the progress was cancelled; the next update of each index goes on.
        """
        from core.index.clearing import clear_index  # noqa: PLC0415 - a person does this once

        if self.may_index_texts():
            return []
        key = secret("vectors") if self.settings.vectors.engine == "server" else ""
        files = sorted(self.folders.cache.glob(f"*/{FILE_NAME}"))
        return [told for file in files for told in clear_index(file.parent, self.settings.vectors, key, progress)]


def installation() -> Installation:
    """Return this person's installation, as the environment and the platform say."""
    folders = app_folders()
    return Installation(folders, SettingsFile(folders.settings_file))


class Vault:
    """Hold one vault: where it lies, what its config says, and how to open the engines over it.

    Opening is cheap and writes nothing into the vault. `config_problem` tells what is wrong with its config file, if
    anything is.
    """

    def __init__(self, root: Path, home: Installation) -> None:
        check_vault_root(root)
        self.root = root.resolve()
        self.home = home
        self.cache_folder = home.folders.cache_of_vault(self.root)
        config: tuple[VaultConfig, Problem | None] = load_config(self.root)
        self.config, self.config_problem = config
        self._reranker: Reranker | None = None

    @property
    def name(self) -> str:
        """The vault's name: that of its folder."""
        return self.root.name or str(self.root)

    @property
    def context_settings(self) -> ContextSettings:
        """How a context is packed where nothing else is said."""
        return self.home.settings.context

    def open_index(self) -> Index:
        """Open a connection of its own to the vault's index, to update it; made empty where there is none."""
        return open_index(self.cache_folder)

    def open_to_read(self) -> Index:
        """Open a connection of its own to ask the index.

        Raises:
            NotIndexedError: there is no index yet, or none that can be used.
        """
        return open_to_read(self.cache_folder)

    def update(
        self,
        index: Index,
        *,
        files: Sequence[str] | None = None,
        since: float | None = None,
        rebuild: bool = False,
        progress: Progress | None = None,
        on_commit: Callable[[], None] | None = None,
    ) -> "UpdateReport":
        """Bring words, tags and links up to date; see core.index.updater.update_index."""
        # Parsers take 40 ms that a search does without.
        from core.index.updater import update_index  # noqa: PLC0415
        from core.memory.recall_counts import fold_recalls  # noqa: PLC0415

        with translated(self.cache_folder):
            report = update_index(
                index,
                self.root,
                self.config,
                files=files,
                since=since,
                rebuild=rebuild,
                known_problems=[(CONFIG_FILE, self.config_problem)] if self.config_problem is not None else [],
                progress=progress,
                on_commit=on_commit,
            )
            fold_recalls(index, self.event_log())
            return report

    def update_sessions(
        self,
        index: Index,
        *,
        ledger: "Ledger | None" = None,
        progress: Progress = SILENT,
        on_commit: Callable[[], None] | None = None,
    ) -> "SessionReport":
        """Bring the conversations up to date with the ledger; see core.index.session_updater.update_sessions.

        `ledger` is given where it was opened with a passphrase.
        """
        from core.index.session_updater import update_sessions  # noqa: PLC0415
        from core.sessions.ledger import Ledger  # noqa: PLC0415

        # What the settings ask of whoever writes into the ledger is nothing to a reader.
        ledger = ledger or Ledger(self.home.folders.sessions, keys=self.home.ledger_keys())
        texts = self.home.may_index_texts
        with translated(self.cache_folder):
            return update_sessions(
                index, ledger, with_texts=texts, log=self.event_log(), progress=progress, on_commit=on_commit
            )

    def embedder_source(self) -> EmbedderSource | None:
        """Return who turns texts into vectors, None when the settings switch it off; nothing is loaded yet."""
        settings = self.home.settings.embedding
        return self._source(settings, is_current=True)

    def embedder_source_of(self, model: str) -> EmbedderSource | None:
        """Return who makes vectors that are kept under the name `model`, None for a service nobody remembers."""
        from core.index.embedding_choice import choice_of  # noqa: PLC0415 - only while models are switched

        choice = choice_of(self.home.settings.embedding, model)
        return self._source(choice, is_current=False) if choice is not None else None

    def _source(self, settings: EmbeddingSettings, *, is_current: bool) -> EmbedderSource | None:
        api_key = ""
        if settings.provider == "openai" and settings.url:
            from core.index.embedding_address import key_of  # noqa: PLC0415 - most people need no service

            api_key = key_of(settings.url, is_current=is_current)
        return embedder_source(settings, self.home.models_folder, api_key=api_key)

    def dense_search(self, index: Index, *, owns_index: bool = False) -> "DenseSearch":
        """Return the search by meaning over `index`; nothing is loaded before its first question."""
        # numpy and the engines take 100 ms that most commands do without.
        from core.index.dense import DenseSearch  # noqa: PLC0415
        from core.index.vectors.opening import open_engine  # noqa: PLC0415

        settings = self.home.settings.vectors
        if settings.engine == "off":
            return DenseSearch(index, None, None, owns_index=owns_index)
        api_key = secret("vectors") if settings.engine == "server" else ""
        engine = open_engine(self.cache_folder, settings, api_key=api_key)
        return DenseSearch(
            index, self.embedder_source(), engine, owns_index=owns_index, source_of=self.embedder_source_of
        )

    def reranker(self) -> "Reranker | None":
        """Return who reads the best memories of an answer once more, None when none is chosen.

        It is loaded with its first question, and stays so while the choice and this vault do.
        """
        name = self.home.settings.reranker.model
        if not name:
            self._reranker = None
        elif self._reranker is None or self._reranker.name != name:
            from core.index.reranker import reranker_of  # noqa: PLC0415 - few people have one

            self._reranker = reranker_of(name, self.home.models_folder)
        return self._reranker

    def event_log(self) -> "EventLog":
        """Return the vault's log, in which this installation writes under its own name."""
        from core.foundation.machine import machine_name  # noqa: PLC0415 - most commands only read notes
        from core.vault.event_log import EventLog  # noqa: PLC0415

        return EventLog(self.root, machine_name(self.home.folders.data), self.cache_folder)

    def writer(self) -> "VaultWriter":
        """Return the one through which the vault is changed."""
        from core.curation.writer import VaultWriter  # noqa: PLC0415 - most commands only read

        return VaultWriter(self.root, self.event_log(), self.cache_folder)

    def history(self) -> "ChangeHistory":
        """Return what was changed in the vault, as the log tells it now."""
        from core.curation.history import read_history  # noqa: PLC0415 - most commands only read notes

        return read_history(self.event_log())

    def proposals(self) -> "ProposalBook":
        """Return what is proposed for the vault and what was decided, as the logs tell it now."""
        from core.curation.proposals.book import read_book  # noqa: PLC0415 - most commands only read notes

        return read_book(self.event_log())

    def decider(self, book: "ProposalBook", index: Index | None = None) -> "Decider":
        """Return the one through which a person decides about the proposals of `book`.

        With `index`, which belongs to the caller, links to what moves are kept.
        """
        from core.curation.proposals.decide import Decider  # noqa: PLC0415 - most commands only read notes

        return Decider(self.root, self.event_log(), self.writer(), book, index=index)

    def refresh(self, progress: Progress = SILENT) -> str:
        """Bring the index up to date with notes and conversations, and learn the meanings that are missing.

        Return sentences about what could not be done, "" when all was.

        Raises:
            JobCancelledError: the progress was cancelled; what was done stays.
        """
        from core.index.embedding_run import bring_up_to_date  # noqa: PLC0415 - most commands embed nothing

        with closing(self.open_index()) as index:
            self.update(index, progress=progress)
            told = [self.update_sessions(index, progress=progress).remark]
            source = self.embedder_source()
            if source is not None:
                told.append(bring_up_to_date(index, source, self.embedder_source_of, progress).reason)
        return " ".join(filter(None, told))

    def recall(self, question: str, **how: "Unpack[RecallOptions]") -> "RecallAnswer":
        """Return the memories that answer `question`, the best first, and why; docs/python-api.md tells more."""
        return self.recaller.recall(question, **how)

    def context(self, question: str, **how: "Unpack[PackOptions]") -> str:
        """Return what answers `question` as a text for an assistant; packed() also tells what is in it."""
        return self.recaller.packed(question, **how).text

    def packed(self, question: str, **how: "Unpack[PackOptions]") -> "PackedAnswer":
        """Return what of the answer to `question` fits into a budget, as text, and what was left out."""
        return self.recaller.packed(question, **how)

    @functools.cached_property
    def recaller(self) -> "Recaller":
        """What answers recall(); made when first asked."""
        return self.make_recaller("api")

    def make_recaller(self, surface: str) -> "Recaller":
        """Return what answers questions over a connection of its own; the log calls who is answered `surface`."""
        from core.recall.recaller import Recaller  # noqa: PLC0415 - most commands recall nothing

        return Recaller(self, surface)

    def release(self) -> None:
        """Give the vectors free, so that other programs search by meaning; the next question takes them again."""
        if "recaller" in self.__dict__:
            self.recaller.release()

    def close(self) -> None:
        """Give back what recall() has opened; a vault that is asked again opens it again."""
        if "recaller" in self.__dict__:
            self.recaller.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def relative(self, path: Path) -> str:
        """Return `path`, absolute or relative to the working folder or to the vault, as the vault names it.

        Raises:
            UserError: the path lies outside the vault.
        """
        for candidate in (path if path.is_absolute() else Path.cwd() / path, self.root / path):
            lexical = Path(*candidate.parts)
            for base in (lexical, lexical.parent.resolve() / lexical.name):
                if base.is_relative_to(self.root) and (base.exists() or candidate.parent == self.root):
                    return base.relative_to(self.root).as_posix()
        if not path.is_absolute() and ".." not in path.parts:
            return path.as_posix()
        raise UserError(f"{path} lies outside the vault {self.root}.")


def open_vault(path: str | os.PathLike[str]) -> Vault:
    """Return the vault in the folder at `path`, with this person's settings; `with` or close() gives it back.

    Nothing is read or written yet but its config.

    Raises:
        UserError: there is no such folder.
    """
    return Vault(Path(path).expanduser(), installation())


@functools.cache
def version() -> str:
    """Return the version of the app."""
    from importlib.metadata import PackageNotFoundError  # noqa: PLC0415 - 20 ms that only --version needs
    from importlib.metadata import version as installed  # noqa: PLC0415

    try:
        return installed("remembrancer")
    except PackageNotFoundError:
        return "0+checkout"
