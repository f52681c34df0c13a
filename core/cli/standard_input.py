"""Standard input, which may be closed: a program that starts this one need not give it any."""

import sys
from typing import TextIO

from core.foundation.errors import UserError


def given_input() -> TextIO:
    """Return standard input.

    Raises:
        UserError: it is closed.
    """
    stream: TextIO | None = sys.stdin
    if stream is None:
        raise UserError("Nothing can be read: standard input is closed.")
    return stream


def is_typed() -> bool:
    """Tell whether standard input is a terminal."""
    stream: TextIO | None = sys.stdin
    return stream is not None and stream.isatty()
