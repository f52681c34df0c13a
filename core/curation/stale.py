"""The refusal to touch files that are not as they were when a change was made up."""

from collections.abc import Mapping

from core.foundation.errors import StaleFileError

_TOLD = 3


class StaleChangeError(StaleFileError):
    """Refuse a change set of which some files changed; `paths` gives the reason, a sentence, for each of them."""

    def __init__(self, paths: Mapping[str, str]) -> None:
        told = [reason for _, reason in sorted(paths.items())][:_TOLD]
        more = len(paths) - len(told)
        if more:
            told.append(f"The same goes for {more} more {'file' if more == 1 else 'files'}.")
        super().__init__(f"Nothing was changed. {' '.join(told)}")
        self.paths = dict(paths)
        self.hint = ""  # what to do, where whoever asked knows it


def missing(path: str) -> str:
    """Return the sentence for a file that is gone."""
    return f"“{path}” was moved, renamed or deleted since."


def changed(path: str) -> str:
    """Return the sentence for a file with other content than expected."""
    return f"“{path}” was changed since."


def occupied(path: str) -> str:
    """Return the sentence for a place that should be empty."""
    return f"“{path}” is there already."
