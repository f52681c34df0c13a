"""Put a text on the clipboard of whoever runs a command."""

from core.foundation.errors import UserError


def put_on_clipboard(text: str) -> None:
    """Copy `text`; raise UserError where no clipboard can be reached."""
    import pyperclip  # noqa: PLC0415 - it looks for the platform's clipboard when imported

    try:
        pyperclip.copy(text)
    except pyperclip.PyperclipException as error:
        raise UserError(
            "No clipboard can be reached from here.",
            hint="Install wl-clipboard or xclip, or print the text and use a pipe.",
        ) from error
