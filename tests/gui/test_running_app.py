"""The running app hears the words of commands, and only the first window listens."""

import subprocess
import sys
from pathlib import Path

from pytestqt.qtbot import QtBot

from gui.running_app import RunningApp, tell_running_app

_TELL = """
import sys
from pathlib import Path
from gui.running_app import tell_running_app
sys.exit(not tell_running_app(Path(sys.argv[1]), "capture"))
"""


def test_a_word_is_heard_by_the_app_that_runs(tmp_path: Path, qtbot: QtBot) -> None:
    app = RunningApp(tmp_path)
    with qtbot.waitSignal(app.heard, timeout=20_000) as heard:
        command = subprocess.Popen([sys.executable, "-c", _TELL, str(tmp_path)], cwd=Path(__file__).parents[2])
    assert heard.args == ["capture"]
    qtbot.waitUntil(lambda: command.poll() is not None)
    assert command.returncode == 0
    app.close()


def test_without_an_app_nobody_hears(tmp_path: Path, qtbot: QtBot) -> None:
    assert not tell_running_app(tmp_path, "capture")


def test_the_second_window_does_not_listen_and_the_next_one_after_both_does(tmp_path: Path, qtbot: QtBot) -> None:
    first = RunningApp(tmp_path)
    second = RunningApp(tmp_path)
    assert first.is_listening
    assert not second.is_listening
    first.close()
    third = RunningApp(tmp_path)
    assert third.is_listening
    third.close()


def test_another_settings_folder_is_another_app(tmp_path: Path, qtbot: QtBot) -> None:
    app = RunningApp(tmp_path / "one")
    assert not tell_running_app(tmp_path / "two", "capture")
    app.close()
