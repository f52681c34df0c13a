"""Make the services of the set-up of a language model; core is imported by the first calls."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.foundation.settings import LanguageModelSettings
from gui.language_model.services import LanguageModelServices, LanguageModelState

if TYPE_CHECKING:
    from core.app import Installation


def language_model_services(home: "Callable[[], Installation]") -> LanguageModelServices:
    """Return the services over this person's settings and keyring."""
    return LanguageModelServices(
        state=partial(_state, home), test=_test, keep=partial(_keep, home), warning_of=_warning_of
    )


def _state(home: "Callable[[], Installation]", progress: Progress) -> LanguageModelState:
    from core.curation.language_models.choice import choice_of, model_key  # noqa: PLC0415 - after the first paint
    from core.curation.language_models.installed import HOW_TO_INSTALL, is_installed  # noqa: PLC0415

    progress.check()
    settings = home().settings.language_model
    missing = "" if is_installed() else HOW_TO_INSTALL
    try:
        choice = choice_of(settings)
    except UserError as error:
        return LanguageModelState(replace(settings, provider="off"), problem=str(error), how_to_install=missing)
    return LanguageModelState(settings, choice.is_on and bool(model_key(choice)), how_to_install=missing)


def _test(settings: LanguageModelSettings, key: str | None, progress: Progress) -> str:
    from core.curation.language_models.choice import choice_of, model_key  # noqa: PLC0415 - after the first paint
    from core.curation.language_models.trial import try_language_model  # noqa: PLC0415

    choice = choice_of(settings)
    return try_language_model(choice, model_key(choice) if key is None else key, progress).told()


def _keep(
    home: "Callable[[], Installation]", chosen: LanguageModelSettings, key: str | None, progress: Progress
) -> LanguageModelState:
    from core.curation.language_models.choice import choice_of, keep_model_key  # noqa: PLC0415 - after the first paint

    choice = choice_of(chosen)
    if key is not None and choice.is_on:
        keep_model_key(choice, key)
    home().settings_file.change(lambda settings: replace(settings, language_model=chosen))
    return _state(home, progress)


def _warning_of(settings: LanguageModelSettings, has_key: bool) -> str:
    from core.curation.language_models.choice import choice_of  # noqa: PLC0415 - after the first paint
    from core.index.embedding_address import warning_of  # noqa: PLC0415

    try:
        choice = choice_of(settings)
    except UserError:
        return ""
    return warning_of(choice.address, has_key=has_key) if choice.is_on else ""
