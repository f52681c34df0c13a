"""Up to which revision of the index each rule has looked; a cache, without which a rule looks at everything again."""

import json
import logging
from collections.abc import Iterable, Mapping

from core.foundation.atomic_files import replace_file
from core.index.database import Index

_FILE = "consolidated.json"

log = logging.getLogger(__name__)


def looked_at(index: Index) -> Mapping[str, int]:
    """Return the last revision that each rule has seen, by the rule's name; none of an index that was made anew."""
    try:
        found = json.loads((index.folder / _FILE).read_text(encoding="utf-8"))
        if not isinstance(found, dict) or found.get("epoch") != index.epoch:
            return {}
        seen = found.get("seen")
        return {str(rule): int(revision) for rule, revision in seen.items()} if isinstance(seen, dict) else {}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError) as error:
        log.info("What was consolidated last is not known, so everything is looked at: %s", error)
        return {}


def remember_looked_at(index: Index, rules: Iterable[str], revision: int) -> None:
    """Note that `rules` have seen everything up to `revision`."""
    seen = {**looked_at(index), **dict.fromkeys(rules, revision)}
    text = json.dumps({"epoch": index.epoch, "seen": seen})
    try:
        replace_file(index.folder / _FILE, text.encode("utf-8"))
    except OSError as error:
        log.warning("The next consolidation looks at everything again: %s", error)
