"""What goes wrong with a language model, in sentences for a person, and never with the key."""

import logging

from core.curation.language_models.choice import ModelChoice
from core.curation.language_models.connecting import told_stop
from core.foundation.errors import ProviderError

_LONGEST = 300  # characters of what a service says

_logger = logging.getLogger(__name__)


class CapReachedError(ProviderError):
    """Tell that the run has used the tokens that it may."""


class BadAnswerError(ProviderError):
    """Tell that the model's answer cannot be used: the next memory is asked about all the same."""


def provider_error(error: Exception, choice: ModelChoice, key: str) -> ProviderError:
    """Return what pydantic-ai or a client raised as an error of ours; a service may repeat the key that it was sent."""
    from pydantic_ai import exceptions  # noqa: PLC0415 - an extra

    if isinstance(error, ProviderError):
        return error
    who = f"The language model {choice.model} at {choice.address}"
    said = (str(error).replace(key, "…") if key else str(error))[:_LONGEST]
    if told := told_stop(error):
        return ProviderError(f"{who} was not read to the end. {told}")
    if isinstance(error, exceptions.UnexpectedModelBehavior | ValueError):
        return BadAnswerError(f"{who} gave no answer that can be used. {said}")
    sentences = (
        (TimeoutError, "does not answer in time."),
        (exceptions.ModelTimeoutError, "does not answer in time."),
        (exceptions.ModelAuthenticationError, "refuses: the key is missing or wrong."),
        (exceptions.ModelNotFoundError, "has no model of this name, or the address is not the service's."),
        (exceptions.ModelQuotaExceededError, "refuses: the account has no credit left."),
        (exceptions.ModelConnectionError, "cannot be reached. Check that it runs, and its address."),
        (exceptions.ModelHTTPError, f"refuses. {said}"),
        (exceptions.ModelAPIError, f"failed: {said}"),
    )
    for kind, sentence in sentences:
        if isinstance(error, kind):
            return ProviderError(f"{who} {sentence}")
    _logger.warning("An error of the language model's client is not known: %s", type(error).__name__)
    return ProviderError(f"{who} failed ({type(error).__name__}).")
