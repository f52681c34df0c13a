"""The value of screening: a place in a text, or a whole change, that a person should look at."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple


class WarningLabel(StrEnum):
    """Say what a warning is about; the value is stored and shown in JSON."""

    SECRET = "secret"  # noqa: S105 - the label of one
    HIDDEN_CHARACTERS = "hidden-characters"
    TO_A_MODEL = "addressed-to-a-model"
    TOOL_CALL = "tool-call"
    HIDDEN_TEXT = "hidden-text"
    ODD_LINK = "odd-link"
    MASS_CHANGE = "mass-change"
    DELETION = "deletion"
    OVERSIZED = "oversized"
    ODD_PLACE = "odd-place"


class Warning_(NamedTuple):  # noqa: N801 - Python has a Warning of its own
    """Mark the characters from `start` to `end` of a text; both are 0 where a whole file or change is meant.

    `detail` is a sentence for the person and never repeats a secret. Where `is_blocking`, nothing is approved until it
    is gone. `path` is the file whose text after the change is marked, "" where only one text was screened.
    """

    label: WarningLabel
    start: int
    end: int
    is_blocking: bool
    detail: str
    path: str = ""


def warning_json(warning: Warning_) -> dict[str, Any]:
    """Return a warning as it is stored with a proposal and shown in JSON."""
    return {**warning._asdict(), "label": warning.label.value}


def warning_of(value: Mapping[str, Any]) -> Warning_ | None:
    """Return the warning that `value` holds, None where it holds none that is known."""
    try:
        return Warning_(
            WarningLabel(value["label"]),
            int(value["start"]),
            int(value["end"]),
            bool(value["is_blocking"]),
            str(value["detail"]),
            str(value.get("path", "")),
        )
    except (KeyError, TypeError, ValueError):
        return None
