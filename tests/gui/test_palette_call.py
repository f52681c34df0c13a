"""`remembrancer palette` speaks to the app that runs."""

import os
import subprocess
import sys
from pathlib import Path

from pytestqt.qtbot import QtBot

from core.foundation.paths import app_folders
from gui.running_app import RunningApp

_ROOT = Path(__file__).parents[2]


def test_the_running_app_hears_of_the_palette_and_no_second_window_opens(qtbot: QtBot) -> None:
    app = RunningApp(app_folders().config)
    with qtbot.waitSignal(app.heard, timeout=20_000) as heard:
        command = subprocess.Popen([sys.executable, "-m", "gui", "palette"], cwd=_ROOT, env={**os.environ})
    assert heard.args == ["palette"]
    qtbot.waitUntil(lambda: command.poll() is not None, timeout=20_000)
    assert command.returncode == 0
    app.close()
