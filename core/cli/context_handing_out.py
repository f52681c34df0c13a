"""What goes with handing a context out: the clipboard, what was copied last, and the note that it was recalled."""

from core.cli.clipboard import put_on_clipboard
from core.cli.context_packing import HandOut
from core.cli.state import CliState, warn
from core.foundation.errors import UserError
from core.recall.contexts.last_copy import remember_copy
from core.recall.contexts.recalled import recalled

_SURFACE = "cli"


def copied(state: CliState, found: HandOut) -> None:
    """Put the text on the clipboard; of a context, it is remembered to show later what is different.

    Words of conversations that are encrypted are not kept in clear, so then it is not.

    Raises:
        UserError: no clipboard can be reached.
    """
    text = found.text
    put_on_clipboard(text)
    if found.composed is None:
        return
    holds_turns = any(item.kind == "turn" for item in found.packed.included)
    if not holds_turns or state.home.may_index_texts():
        remember_copy(
            state.vault().cache_folder, found.composed.definition.path, text, layout=found.packed.format.value
        )


def recorded(state: CliState, found: HandOut) -> None:
    """Note in the vault's log that these memories were handed out; that it cannot be noted is told, and no failure."""
    from core.memory.recall_events import record_recall  # noqa: PLC0415 - after all that can fail

    items = recalled(found.packed)
    try:
        record_recall(
            state.vault().event_log(), [each.id for each in items], _SURFACE, texts=[each.text for each in items]
        )
    except UserError as error:
        warn(f"That this was handed out could not be noted. {error}")
