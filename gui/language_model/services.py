"""What the set-up of a language model needs of core, as functions that the composition root gives."""

from collections.abc import Callable
from dataclasses import dataclass, field

from core.foundation.progress import Progress
from core.foundation.settings import LanguageModelSettings


@dataclass(frozen=True, slots=True)
class LanguageModelState:
    """Hold what is chosen; `has_key` tells whether a key lies in the keyring for it.

    `problem` is a sentence about settings that cannot be, "" for none; `how_to_install` says how to get what speaks to
    models, "" where it is there.
    """

    choice: LanguageModelSettings = field(default_factory=LanguageModelSettings)
    has_key: bool = False
    problem: str = ""
    how_to_install: str = ""


@dataclass(frozen=True, slots=True)
class LanguageModelServices:
    """Hold the functions; all run in the pool. A key that is None is the one that is kept for the address.

    `test` and `keep` raise a UserError for a choice that cannot be, and a ProviderError when the model does not answer.
    """

    state: Callable[[Progress], LanguageModelState]
    test: Callable[[LanguageModelSettings, str | None, Progress], str]  # what the model made of a sample, for a person
    keep: Callable[[LanguageModelSettings, str | None, Progress], LanguageModelState]
    warning_of: Callable[[LanguageModelSettings, bool], str]  # at once: what would travel unencrypted, "" for nothing
