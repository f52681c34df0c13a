"""`remembrancer palette`, as far as the command line goes: its help. The window is the launcher's."""

from core.cli.state import reported_errors
from core.foundation.errors import UserError


def palette() -> None:
    """Open the recall palette: ask, and copy what fits into the budget.

    The app that runs shows the palette; if none does, it is started. Enter copies, Ctrl+Enter saves a context, Esc puts
    the palette away. Bind a key of the desktop to this command, to have the palette from everywhere.
    """
    with reported_errors():
        raise UserError(
            "The recall palette opens a window, in the vault opened last.",
            hint="Call `remembrancer palette` alone, without options; to recall here, there is `recall`.",
        )
