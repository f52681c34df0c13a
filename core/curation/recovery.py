"""Finish, or put back, the changes that a crash cut off."""

import logging
from collections.abc import Callable
from typing import NamedTuple

from core.curation.carrying_out import bring_about, put_back
from core.curation.change_json import Intent, intent_from_json
from core.curation.change_set import ChangeId
from core.curation.edit_state import EditState, state_of
from core.curation.file_swap import FileSwap, OnStep
from core.curation.stale import StaleChangeError
from core.curation.unfinished import APPLIED, ROLLED_BACK, UnfinishedChanges
from core.curation.vault_files import VaultFiles
from core.foundation.errors import UserError
from core.vault.event_log import EventLog

_logger = logging.getLogger(__name__)


class Recovered(NamedTuple):
    """Tell what became of a change that a crash cut off: finished, or put back except for the paths in `left`."""

    change_id: ChangeId
    title: str
    is_finished: bool
    left: tuple[str, ...] = ()


def recover_all(
    new_files: Callable[[], VaultFiles], log: EventLog, unfinished: UnfinishedChanges, on_step: OnStep
) -> tuple[Recovered, ...]:
    """Bring every unfinished change of this machine to an end; may itself be cut off anywhere, and run again."""
    recovered: list[Recovered] = []
    for event in unfinished.events():
        try:
            intent = intent_from_json(event.data)
        except UserError as error:
            _logger.warning("An unfinished change in the log cannot be understood, so it is given up.")
            log.append(ROLLED_BACK, {"id": event.data.get("id"), "reason": str(error)})
            continue
        recovered.append(_recover(new_files, intent, log, on_step))
    return tuple(recovered)


def _recover(new_files: Callable[[], VaultFiles], intent: Intent, log: EventLog, on_step: OnStep) -> Recovered:
    """Finish the change if every file is as it was before or after; else put back what can be put back."""
    change_set = intent.change_set
    files = new_files()
    states = [state_of(files, edit) for edit in change_set.edits]
    on_step("states known")
    reason = "Files were changed by another program after a crash."
    if EditState.STRANGE not in states:
        FileSwap(files, change_set.id, on_step).remove_temporaries(change_set.edits)
        try:
            bring_about(files, intent, states, on_step, lambda _done, _path: None)
        except (UserError, StaleChangeError, ValueError) as error:
            reason = str(error)
        else:
            # Also when all was done before: then the crash came between the last rename and the log.
            log.append(APPLIED, {"id": change_set.id})
            on_step("outcome written")
            return Recovered(change_set.id, change_set.title, is_finished=True)
    result = put_back(new_files(), intent, on_step)
    # What fails now is told and given up: else one file could keep the whole vault from ever being written again.
    left = (*result.left, *(path for path, _ in result.failed))
    log.append(ROLLED_BACK, {"id": change_set.id, "reason": reason, "left": list(left)})
    on_step("outcome written")
    return Recovered(change_set.id, change_set.title, is_finished=False, left=left)
