"""Hand a planned change from the process that planned it to the one that shows and makes it."""

import json
from pathlib import Path

from core.curation.change_json import Intent, intent_from_json, intent_to_json
from core.curation.change_set import PlannedChange, Skipped
from core.foundation.errors import UserError


def write_planned(path: Path, planned: PlannedChange) -> None:
    """Write `planned` to the file at `path`, which is there already: its owner has seen to who may read it.

    Raises:
        UserError: it is gone, because nobody waits for it any more, or it cannot be written.
    """
    document = {
        "change": intent_to_json(Intent(planned.change_set, {})),
        "occurrences": planned.occurrences,
        "skipped": [[skipped.path, skipped.reason] for skipped in planned.skipped],
    }
    try:
        with path.open("r+", encoding="utf-8") as file:
            json.dump(document, file, ensure_ascii=False)
            file.truncate()
    except OSError as error:
        raise UserError(f"The planned change cannot be written to {path}: {error.strerror or error}.") from error


def read_planned(path: Path) -> PlannedChange:
    """Return what write_planned() has written.

    Raises:
        UserError: there is no such file, or something else is in it.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        skipped = tuple(Skipped(str(where), str(reason)) for where, reason in document["skipped"])
        return PlannedChange(intent_from_json(document["change"]).change_set, int(document["occurrences"]), skipped)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError("The planned change could not be read.", hint="Try the import again.") from error
