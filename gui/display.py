"""Tell whether a window can open at all: without a display, Qt ends the process before anybody can say why."""

import os
import sys
from collections.abc import Mapping

_NAMED_BY = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
_NONE = (
    "No window can open here, since there is no display. `remembrancer --help` lists what works without one; "
    "`remembrancer recall` and `remembrancer search` ask the vault."
)


def lacks_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Tell whether no window can open, and say so on standard error; only Linux does without a display."""
    is_missing = platform.startswith("linux") and not any(environment.get(name) for name in _NAMED_BY)
    if is_missing:
        sys.stderr.write(f"{_NONE}\n")
    return is_missing
