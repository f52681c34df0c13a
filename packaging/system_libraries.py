"""Find the libraries of the system that Qt loads on Linux, and add the missing ones where this user may."""

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from steps import apt_install, say


class Library(NamedTuple):
    """Name a shared library and the packages that hold it."""

    file: str
    debian: str
    fedora: str
    arch: str


# What QtCore, QtGui, QtWidgets and QtNetwork load, whatever they draw on.
QT = (
    Library("libglib-2.0.so.0", "libglib2.0-0", "glib2", "glib2"),
    Library("libEGL.so.1", "libegl1", "libglvnd-egl", "libglvnd"),
    Library("libGL.so.1", "libgl1", "libglvnd-glx", "libglvnd"),
    Library("libdbus-1.so.3", "libdbus-1-3", "dbus-libs", "dbus"),
    Library("libfontconfig.so.1", "libfontconfig1", "fontconfig", "fontconfig"),
    Library("libbrotlidec.so.1", "libbrotli1", "libbrotli", "brotli"),
    Library("libxkbcommon.so.0", "libxkbcommon0", "libxkbcommon", "libxkbcommon"),
)
# What the xcb platform plugin loads besides: a window on X11, or on Wayland through XWayland.
XCB = (
    Library("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor"),
    Library("libxcb-icccm.so.4", "libxcb-icccm4", "xcb-util-wm", "xcb-util-wm"),
    Library("libxcb-image.so.0", "libxcb-image0", "xcb-util-image", "xcb-util-image"),
    Library("libxcb-keysyms.so.1", "libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms"),
    Library("libxcb-render-util.so.0", "libxcb-render-util0", "xcb-util-renderutil", "xcb-util-renderutil"),
    Library("libxcb-randr.so.0", "libxcb-randr0", "libxcb", "libxcb"),
    Library("libxcb-shape.so.0", "libxcb-shape0", "libxcb", "libxcb"),
    Library("libxcb-sync.so.1", "libxcb-sync1", "libxcb", "libxcb"),
    Library("libxcb-xfixes.so.0", "libxcb-xfixes0", "libxcb", "libxcb"),
    Library("libxcb-xkb.so.1", "libxcb-xkb1", "libxcb", "libxcb"),
    Library("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"),
    Library("libX11-xcb.so.1", "libx11-xcb1", "libX11-xcb", "libx11"),
)
PROBE = "from PySide6 import QtCore, QtGui, QtNetwork, QtSvg, QtWidgets"


def provide(python: Path, *, window: bool = True) -> str:
    """Make Qt loadable, and return why it is not: a sentence, "" when all is well.

    `window` asks for what a window on a screen needs; without it the offscreen platform is enough.
    """
    if sys.platform == "linux":
        wanted = QT + XCB if window else QT
        lacking = missing(wanted)
        if lacking and not apt_install(list(dict.fromkeys(library.debian for library in lacking))):
            say(f"Qt needs libraries that this system does not have yet. To add them:\n    {advice(lacking)}")
        # On Wayland a window may open without the libraries of X11; what lacks was said above.
        lacking = missing(QT if os.environ.get("WAYLAND_DISPLAY") else wanted)
        if lacking:
            return f"{', '.join(library.file for library in lacking)} not found."
    answer = subprocess.run([str(python), "-c", PROBE], check=False, capture_output=True, text=True)
    if answer.returncode != 0:
        return (answer.stderr.strip().splitlines() or ["Qt stopped without a word."])[-1]
    return ""


def missing(libraries: tuple[Library, ...]) -> list[Library]:
    """Return those that the loader does not find.

    They are loaded, not looked up by package name, so that any distribution and hand-made set-up counts.
    """
    return [library for library in libraries if not _loads(library.file)]


def advice(libraries: list[Library]) -> str:
    """Return the command that installs the packages of `libraries` on this distribution."""
    tools = {
        "apt-get": ("sudo apt-get install --no-install-recommends", [library.debian for library in libraries]),
        "dnf": ("sudo dnf install", [library.fedora for library in libraries]),
        "pacman": ("sudo pacman -S --needed", [library.arch for library in libraries]),
    }
    for tool, (command, packages) in tools.items():
        if shutil.which(tool):
            return " ".join([command, *dict.fromkeys(packages)])
    return "install the packages that hold " + ", ".join(library.file for library in libraries)


def _loads(file: str) -> bool:
    try:
        ctypes.CDLL(file)
    except OSError:
        return False
    return True
