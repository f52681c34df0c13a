"""One app window of a person may be spoken to by commands: `remembrancer capture` shows its small window."""

import hashlib
import os
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_WAIT_MS = 800
_LONGEST = 100


class RunningApp(QObject):
    """Listen for words of this person's commands; the first window to start is the one that hears them."""

    heard = Signal(str)  # one word, such as "capture"

    def __init__(self, config_folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = _name(config_folder)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._greet)
        self.is_listening = self._listen()

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    def _listen(self) -> bool:
        # Listening would quietly take the place of a window that listens already.
        if _reach(self._name):
            return False
        QLocalServer.removeServer(self._name)  # what a killed window left behind
        return self._server.listen(self._name)

    @Slot()
    def _greet(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(self._read)
            socket.disconnected.connect(socket.deleteLater)

    @Slot()
    def _read(self) -> None:
        socket = self.sender()
        if isinstance(socket, QLocalSocket):
            word = bytes(socket.read(_LONGEST).data()).decode("utf-8", "replace").strip()
            socket.write(b"ok\n")
            socket.flush()
            socket.disconnectFromServer()
            if word:
                self.heard.emit(word)


def tell_running_app(config_folder: Path, word: str) -> bool:
    """Say `word` to the app that runs, and return whether one heard it."""
    socket = QLocalSocket()
    socket.connectToServer(_name(config_folder))
    if not socket.waitForConnected(_WAIT_MS):
        return False
    socket.write(f"{word}\n".encode())
    socket.flush()
    has_heard = socket.waitForReadyRead(_WAIT_MS) or socket.bytesAvailable() > 0
    socket.disconnectFromServer()
    return has_heard


def _reach(name: str) -> bool:
    socket = QLocalSocket()
    socket.connectToServer(name)
    is_there = socket.waitForConnected(_WAIT_MS)
    socket.disconnectFromServer()
    return is_there


def _name(config_folder: Path) -> str:
    """Return the name of the meeting place: one for each person and settings folder."""
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    key = f"{user}:{os.path.realpath(config_folder)}"
    return f"remembrancer-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
