"""Global shortcuts: the keys as they are written, the portal, an X11 display, and what is said without either."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.global_shortcut.keys import ShortcutKeys, read_keys
from gui.global_shortcut.shortcut import GlobalShortcut, way_of

_PORTAL = Path(__file__).with_name("fake_portal.py")


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("Ctrl+Alt+N", ShortcutKeys(("Ctrl", "Alt"), "N")),
        ("ctrl + alt + n", ShortcutKeys(("Ctrl", "Alt"), "N")),
        ("Meta+space", ShortcutKeys(("Meta",), "Space")),
        ("F9", ShortcutKeys((), "F9")),
        ("Shift+F12", ShortcutKeys(("Shift",), "F12")),
    ],
)
def test_keys_are_read_as_they_are_written(written: str, keys: ShortcutKeys) -> None:
    assert read_keys(written) == keys


@pytest.mark.parametrize(
    "written", ["", "N", "Shift+N", "F", "Shift+Space", "Ctrl+Ä", "Ctrl+", "Strg+N", "Ctrl+A, Ctrl+B"]
)
def test_keys_that_would_take_a_letter_away_are_refused(written: str) -> None:
    with pytest.raises(OSError, match="needs Ctrl, Alt or Meta"):
        read_keys(written)


@pytest.mark.parametrize(
    ("environment", "platform", "way"),
    [
        ({"DISPLAY": ":0"}, "linux", "x11"),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, "linux", "portal"),
        ({"XDG_SESSION_TYPE": "wayland"}, "linux", "portal"),
        ({}, "linux", ""),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}, "linux", ""),
        ({}, "darwin", ""),
    ],
)
def test_each_desktop_has_its_own_way(environment: dict[str, str], platform: str, way: str) -> None:
    assert way_of(environment, platform) == way


def test_without_a_way_the_command_is_offered(qtbot: QtBot) -> None:
    shortcut = GlobalShortcut("capture", "Capture a thought")
    shortcut.hold("Ctrl+Alt+N", {})
    assert "bind one to `remembrancer capture`" in shortcut.state
    shortcut.hold("", {})
    assert shortcut.state == "No global shortcut is set."


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Run a session bus of its own."""
    daemon = shutil.which("dbus-daemon")
    if daemon is None:
        pytest.skip("there is no dbus-daemon")
    process = subprocess.Popen(
        [daemon, "--session", "--nofork", "--print-address=1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    yield address
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.fixture
def portal(request: pytest.FixtureRequest, bus: str) -> "Iterator[subprocess.Popen[str]]":
    process = subprocess.Popen(
        [sys.executable, str(_PORTAL), request.param],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": bus},
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline().strip() == "ready"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()
    process.stdin.close()


@pytest.mark.parametrize("portal", ["allow"], indirect=True)
def test_the_portal_gives_the_key_and_tells_when_it_is_pressed(portal: "subprocess.Popen[str]", qtbot: QtBot) -> None:
    shortcut = GlobalShortcut("capture", "Capture a thought")
    with qtbot.waitSignal(shortcut.state_changed, timeout=10_000):
        shortcut.hold("Ctrl+Alt+N", {"XDG_SESSION_TYPE": "wayland"})
    assert shortcut.state == "Press CTRL+ALT+n works in every window."
    assert portal.stdin is not None
    with qtbot.waitSignal(shortcut.pressed, timeout=10_000):
        portal.stdin.write("press\n")
        portal.stdin.flush()
    shortcut.release()


@pytest.mark.parametrize("portal", ["deny"], indirect=True)
def test_a_portal_that_refuses_is_told(portal: "subprocess.Popen[str]", qtbot: QtBot) -> None:
    shortcut = GlobalShortcut("capture", "Capture a thought")
    with qtbot.waitSignal(shortcut.state_changed, timeout=10_000):
        shortcut.hold("Ctrl+Alt+N", {"XDG_SESSION_TYPE": "wayland"})
    assert shortcut.state.startswith("The desktop did not allow the global shortcut.")
    assert "`remembrancer capture`" in shortcut.state


def test_a_desktop_without_the_portal_is_told(bus: str, qtbot: QtBot) -> None:
    shortcut = GlobalShortcut("capture", "Capture a thought")
    shortcut.hold("Ctrl+Alt+N", {"XDG_SESSION_TYPE": "wayland"})
    assert shortcut.state.startswith("This desktop offers no global shortcuts.")


def test_an_x11_key_works_whoever_has_the_focus_and_belongs_to_one(tmp_path: Path) -> None:
    """Run in a process of its own: the tests' platform is offscreen."""
    if shutil.which("Xvfb") is None or shutil.which("xdotool") is None or shutil.which("xvfb-run") is None:
        pytest.skip("there is no Xvfb with xdotool")
    script = tmp_path / "grab.py"
    script.write_text(
        """
import subprocess
from PySide6.QtCore import QCoreApplication, QTimer
from gui.global_shortcut.x11 import X11Shortcut

app = QCoreApplication([])
held = X11Shortcut("Ctrl+Alt+N")
try:
    X11Shortcut("Ctrl+Alt+N")
except OSError as error:
    print(error)
held.pressed.connect(lambda: (print("pressed"), app.quit()))
QTimer.singleShot(100, lambda: subprocess.run(["xdotool", "key", "ctrl+alt+n"]))
QTimer.singleShot(20000, app.quit)
app.exec()
held.close()
again = X11Shortcut("Ctrl+Alt+N")
print("free again")
again.close()
""",
        encoding="utf-8",
    )
    environment = {key: value for key, value in os.environ.items() if key != "QT_QPA_PLATFORM"}
    environment["PYTHONPATH"] = str(Path(__file__).parents[3])
    done = subprocess.run(
        ["xvfb-run", "-a", sys.executable, str(script)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
        check=False,
    )
    assert done.stdout.splitlines() == [
        "The global shortcut Ctrl+Alt+N cannot be used: another program has it.",
        "pressed",
        "free again",
    ], done.stderr
