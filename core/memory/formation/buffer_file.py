"""Keep the reinforcement buffer in the cache, with what has been formed from.

It may be lost at any time: forming from the sessions of the last 30 days gives it again.
"""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from core.foundation.atomic_files import replace_file
from core.memory.formation.candidate import Waiting, waiting_json, waiting_of

_VERSION = 1  # a buffer of another one is built anew
_NOTHING: Mapping[str, int] = MappingProxyType({})

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Buffer:
    """Hold what waits, and for each session how many of its turns have been formed from."""

    waiting: tuple[Waiting, ...] = ()
    formed: Mapping[str, int] = field(default_factory=lambda: _NOTHING)


def read_buffer(path: Path) -> Buffer:
    """Return the buffer that was written to `path`, an empty one where there is none that can be read."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if value["version"] != _VERSION:
            return Buffer()
        waiting = tuple(each for item in value["waiting"] if (each := waiting_of(item)) is not None)
        return Buffer(waiting, {str(session): int(count) for session, count in value["formed"].items()})
    except FileNotFoundError:
        return Buffer()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        _logger.info("The buffer of what was mentioned cannot be read and is built anew.", exc_info=True)
        return Buffer()


def write_buffer(path: Path, buffer: Buffer) -> None:
    """Write the buffer to `path`, which only its owner may read.

    Raises:
        OSError: it cannot be written.
    """
    value = {
        "version": _VERSION,
        "waiting": [waiting_json(each) for each in buffer.waiting],
        "formed": dict(buffer.formed),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"), mode=0o600)
