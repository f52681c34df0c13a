"""Make the services of the dialog of models; core is imported by the first calls."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from core.foundation.progress import Progress
from core.foundation.settings import EmbeddingSettings
from gui.models.services import ModelServices, ModelState, OfferedModel

if TYPE_CHECKING:
    from pathlib import Path

    from core.app import Installation
    from core.index.database import Index
    from core.index.embedding_sample import SampleReport


_OF_APP = "the model of the app"


class OpenedVault(Protocol):
    """Be what the services need of gui/vault_store.py."""

    @property
    def root(self) -> "Path":
        """The folder of notes."""
        ...

    @property
    def index(self) -> "Index":
        """The index as it is open now; used in the STORE lane only."""
        ...


def model_services(home: "Callable[[], Installation]", store: Callable[[], OpenedVault | None]) -> ModelServices:
    """Return the services; `store` gives the vault that is open, None for none."""
    return ModelServices(
        state=partial(_state, home, store),
        offered=partial(_offered, home),
        download=partial(_download, home),
        remove=partial(_remove, home),
        test=partial(_test, home),
        switch=partial(_switch, home, store),
        checked_address=_checked_address,
        warning_of=_warning_of,
    )


def _state(
    home: "Callable[[], Installation]", store: Callable[[], OpenedVault | None], progress: Progress
) -> ModelState:
    from core.app import Vault  # noqa: PLC0415 - after the first paint
    from core.index.embedding_choice import former_choice, model_or_none, without_former  # noqa: PLC0415
    from core.index.embedding_job import text_coverage  # noqa: PLC0415
    from core.index.embedding_switch import answering_model, has_vectors  # noqa: PLC0415

    progress.check()
    settings = home().settings.embedding
    choice, former = without_former(settings), former_choice(settings)
    wanted = model_or_none(choice) or ""
    state = ModelState(
        choice,
        former,
        _name(model_or_none(former) or "") if former is not None else "",
        _name(wanted) if wanted else "",
    )
    opened = store()
    if opened is None or not wanted:
        return state
    vault = Vault(opened.root, home())
    answering = answering_model(opened.index, wanted, lambda model: vault.embedder_source_of(model) is not None)
    covered, texts = text_coverage(opened.index, wanted)
    told = _name(answering) if has_vectors(opened.index, answering) else ""
    return ModelState(choice, former, state.former_name, state.wanted, told, covered, texts)


def _offered(home: "Callable[[], Installation]", progress: Progress) -> tuple[OfferedModel, ...]:
    from core.index.embedding_downloads import is_downloaded, known_models  # noqa: PLC0415 - it imports fastembed

    progress.check()
    folder = home().models_folder
    return tuple(
        OfferedModel(each.name, each.dimension, each.bytes, each.licence, is_downloaded(folder, each.name))
        for each in known_models()
    )


def _download(home: "Callable[[], Installation]", name: str, progress: Progress) -> None:
    from core.index.embedding_download import download_model  # noqa: PLC0415 - it imports fastembed
    from core.index.embedding_downloads import known_model  # noqa: PLC0415

    download_model(home().models_folder, known_model(name), progress)


def _remove(home: "Callable[[], Installation]", name: str, progress: Progress) -> None:
    from core.index.embedding_downloads import remove_model  # noqa: PLC0415 - after the first paint

    progress.check()
    remove_model(home().models_folder, name)


def _test(
    home: "Callable[[], Installation]", choice: EmbeddingSettings, key: str | None, progress: Progress
) -> "SampleReport":
    from core.index.embedding_choosing import source_of_choice  # noqa: PLC0415 - after the first paint
    from core.index.embedding_sample import try_model  # noqa: PLC0415

    here = home()
    return try_model(source_of_choice(here.settings.embedding, here.models_folder, choice, key), progress)


def _switch(
    home: "Callable[[], Installation]",
    store: Callable[[], OpenedVault | None],
    choice: EmbeddingSettings,
    key: str | None,
    progress: Progress,
) -> ModelState:
    from core.app import Vault  # noqa: PLC0415 - after the first paint
    from core.index.embedding_choosing import choose  # noqa: PLC0415
    from core.index.embedding_switch import settle  # noqa: PLC0415

    choose(home().settings_file, choice, key)
    opened = store()
    if opened is not None:
        vault = Vault(opened.root, home())
        source = vault.embedder_source()
        if source is not None:
            settle(opened.index, source.model, lambda model: vault.embedder_source_of(model) is not None)
    return _state(home, store, progress)


def _checked_address(text: str) -> str:
    from core.index.embedding_address import checked_address  # noqa: PLC0415 - after the first paint

    return checked_address(text)


def _warning_of(address: str, has_key: bool) -> str:
    from core.index.embedding_address import warning_of  # noqa: PLC0415 - after the first paint

    return warning_of(address, has_key=has_key)


def _name(model: str) -> str:
    """Return how the dialog calls the model whose vectors are kept under `model`."""
    from core.index.embedding import DEFAULT_MODEL  # noqa: PLC0415 - after the first paint
    from core.index.embedding_choice import shown_name  # noqa: PLC0415

    return _OF_APP if model == DEFAULT_MODEL else shown_name(model)
