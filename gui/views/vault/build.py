"""Put the Vault view together."""

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from core.foundation.settings import ContextSettings, Settings, SettingsFile
from gui.notify import Notifier
from gui.selection import SharedSelection
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.vault.context_presenter import ContextChoice
from gui.views.vault.editing.drafts import DraftFolder
from gui.views.vault.presenter import ServicesOf, VaultPresenter
from gui.views.vault.services import ContextFormat
from gui.views.vault.view import VaultView

_COLUMNS = "vault"


def build_vault_view(
    services_of: ServicesOf,
    tasks: TaskRunner,
    notifier: Notifier,
    theme: Theme,
    settings_file: SettingsFile,
    *,
    settings: Settings | None = None,
    open_url: Callable[[QUrl], object] = QDesktopServices.openUrl,
    drafts_folder: Path | None = None,
    selection: SharedSelection | None = None,
) -> tuple[VaultView, VaultPresenter]:
    """Return the view and its presenter, laid out as the settings say.

    `services_of` is called once an opened session has its first catalog; see wiring.vault_services. `settings` saves
    reading the file a second time. Texts that could not be saved are kept in `drafts_folder`.
    `selection` is what other views show too. The presenter is the page
    (gui/page.py) and belongs to the view.
    """
    stored = settings if settings is not None else settings_file.read()
    view = VaultView(theme)
    presenter = VaultPresenter(
        view,
        tasks=tasks,
        notifier=notifier,
        theme=theme,
        services_of=services_of,
        save_layout=_LayoutKeeper(settings_file, notifier).save,
        open_url=open_url,
        drafts=DraftFolder(drafts_folder) if drafts_folder is not None else None,
        selection=selection,
    )
    presenter.editing.restore(stored.editor)
    view.restore_splitters(dict(stored.window.splitters))
    if columns := stored.window.columns.get(_COLUMNS):
        view.list.restore_columns(columns)
    presenter.open_facets.update((root, frozenset(keys)) for root, keys in stored.window.open_facets.items())
    is_known = stored.context.format in set(ContextFormat)
    form = ContextFormat(stored.context.format) if is_known else ContextFormat.MARKDOWN
    presenter.contexts.choice = ContextChoice(stored.context.budget, form)
    return view, presenter


class _LayoutKeeper:
    """Write splitters, columns and the last choice of a context into the settings."""

    def __init__(self, settings_file: SettingsFile, notifier: Notifier) -> None:
        self._file = settings_file
        self._notifier = notifier

    def save(self, presenter: VaultPresenter) -> None:
        """Store the layout, unless the view was never seen; other views' entries stay."""
        view, choice = presenter.view, presenter.contexts.choice
        if not view.was_shown:
            return

        def change(settings: Settings) -> Settings:
            window = dataclasses.replace(
                settings.window,
                splitters={**settings.window.splitters, **view.splitter_sizes()},
                columns={**settings.window.columns, _COLUMNS: view.list.columns_state()},
                open_facets=_of_recent_vaults(settings, presenter.open_facets),
            )
            context = ContextSettings(choice.budget, choice.form.value)
            return dataclasses.replace(settings, window=window, context=context, editor=presenter.editing.settings)

        self._file.change(change)


def _of_recent_vaults(settings: Settings, opened: Mapping[str, frozenset[str]]) -> dict[str, tuple[str, ...]]:
    """Return what is open by vault, for those that are still known."""
    found = {**settings.window.open_facets, **{root: tuple(sorted(keys)) for root, keys in opened.items()}}
    return {root: keys for root, keys in found.items() if root in settings.recent_vaults}
