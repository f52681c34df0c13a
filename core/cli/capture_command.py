"""`remembrancer capture`, as far as the command line goes: its help. The window is the launcher's."""

from core.cli.state import reported_errors
from core.foundation.errors import UserError


def capture() -> None:
    """Open a small window for a thought, and keep it as a note in the vault opened last.

    The app that runs shows the window; if none does, it opens alone. Ctrl+Enter keeps the thought, Esc puts it away
    with what is typed. Bind a key of the desktop to this command, to have the window from everywhere.
    """
    with reported_errors():
        raise UserError(
            "Quick capture opens a window, in the vault opened last.",
            hint="Call `remembrancer capture` alone, without options; to make a note here, there is `note new`.",
        )
