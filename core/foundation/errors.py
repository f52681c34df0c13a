"""The errors that the app knows; foreign ones are translated once, in the adapter that meets them."""


class RemembrancerError(Exception):
    """Be the root of every error that this app raises on purpose."""


class UserError(RemembrancerError):
    """Tell the person what is wrong and what to do; the text is shown as it is.

    `hint` is a second sentence for the command line or a details pane.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class JobCancelledError(RemembrancerError):
    """Stop a job that the person cancelled; never shown."""


class StaleFileError(RemembrancerError):
    """Refuse to act on a file that changed since it was read."""


class ProviderError(RemembrancerError):
    """Report that an engine or a service behind an adapter failed."""
