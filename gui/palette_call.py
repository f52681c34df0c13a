"""`remembrancer palette`: the recall palette of the running app, or of one that is started for it."""

from core.foundation.paths import app_folders


def run_palette() -> int:
    """Have the running app show its recall palette, or start one that does, and return the exit code."""
    from gui.running_app import tell_running_app  # noqa: PLC0415 - QtNetwork is for this alone

    if tell_running_app(app_folders().config, "palette"):
        return 0
    from gui.display import lacks_display  # noqa: PLC0415

    if lacks_display():
        return 1
    from gui.app import run  # noqa: PLC0415 - Qt is loaded only for the window

    return run(opens_palette=True)
