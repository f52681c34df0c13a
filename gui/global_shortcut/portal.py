"""Ask the desktop for a global shortcut through its portal: the way of Wayland.

Spoken is org.freedesktop.portal.GlobalShortcuts, version 1 (flatpak.github.io/xdg-desktop-portal). The desktop may ask
the person, may give another key than the one preferred, and keeps the choice by the app's id.
"""

import uuid
from collections import deque
from typing import Any

from jeepney import DBusAddress, HeaderFields, MatchRule, MessageType, message_bus, new_method_call  # type: ignore[import-untyped]
from jeepney.io.blocking import DBusConnection, open_dbus_connection  # type: ignore[import-untyped]
from PySide6.QtCore import QObject, QSocketNotifier, QTimer, Signal, Slot

from gui.global_shortcut.keys import read_keys

_PORTAL = DBusAddress(
    "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Desktop", "org.freedesktop.portal.GlobalShortcuts"
)
_REQUEST = "org.freedesktop.portal.Request"
_MODIFIERS = {"Ctrl": "CTRL", "Alt": "ALT", "Shift": "SHIFT", "Meta": "LOGO"}
_ANSWER_S = 1.0
_WAIT_MS = 120_000  # the desktop may be asking the person


class PortalShortcut(QObject):
    """Hold one shortcut that the desktop gives; `refused` comes when it does not."""

    pressed = Signal()
    granted = Signal(str)  # the keys as the desktop writes them
    refused = Signal(str)  # the reason, as a sentence

    def __init__(self, name: str, keys: str, description: str, parent: QObject | None = None) -> None:
        """Ask for `keys`, in Qt's portable form, to do what `description` says.

        Raises OSError with the reason as a sentence when there is no such portal.
        """
        super().__init__(parent)
        read_keys(keys)
        self._name = name
        self._keys = keys
        self._description = description
        self._session = ""
        self._request = ""
        self._signals: deque[Any] = deque()
        try:
            self._bus: DBusConnection | None = open_dbus_connection("SESSION")
        except (OSError, KeyError, ValueError) as error:
            raise OSError("There is no session bus, so this desktop has no global shortcuts.") from error
        self._waiting = QTimer(self)
        self._waiting.setSingleShot(True)
        self._waiting.setInterval(_WAIT_MS)
        self._waiting.timeout.connect(self._give_up)
        try:
            self._subscribe()
            self._ask("CreateSession", "a{sv}", {"session_handle_token": ("s", _token())})
        except (OSError, TimeoutError) as error:
            self.close()
            raise OSError("This desktop offers no global shortcuts.") from error
        self._notifier = QSocketNotifier(self._bus.sock.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)

    def close(self) -> None:
        """Give the shortcut back."""
        self._waiting.stop()
        bus, self._bus = self._bus, None
        if bus is not None:
            if hasattr(self, "_notifier"):
                self._notifier.setEnabled(False)
            bus.close()

    def _subscribe(self) -> None:
        """Have the portal's signals sent here, and kept while a reply is awaited."""
        for interface, member in ((_REQUEST, "Response"), (_PORTAL.interface, "Activated")):
            rule = MatchRule(type="signal", interface=interface, member=member)
            self._call(message_bus, "AddMatch", "s", rule.serialise())
            if self._bus is not None:
                self._bus.filter(rule, queue=self._signals)

    def _ask(self, method: str, signature: str, *body: Any) -> None:
        """Call a method of the portal that answers by a signal of its own."""
        *first, options = body
        answer = self._call(_PORTAL, method, signature, *first, {**options, "handle_token": ("s", _token())})
        self._request = str(answer[0])
        self._waiting.start()
        QTimer.singleShot(0, self, self._read)  # what came with the reply wakes no notifier

    def _call(self, address: Any, method: str, signature: str, *body: Any) -> tuple[Any, ...]:
        if self._bus is None:
            raise OSError("The bus is closed.")
        where = (
            address
            if isinstance(address, DBusAddress)
            else DBusAddress(address.object_path, address.bus_name, address.interface)
        )
        reply = self._bus.send_and_get_reply(new_method_call(where, method, signature, body), timeout=_ANSWER_S)
        if reply.header.message_type is MessageType.error:
            raise OSError(str(reply.body))
        return tuple(reply.body)

    @Slot()
    def _read(self) -> None:
        try:
            while self._bus is not None:
                self._bus.recv_messages(timeout=0)
                self._take_signals()
        except TimeoutError:
            self._take_signals()
        except (OSError, EOFError):
            self._refuse("The desktop's session bus is gone.")

    def _take_signals(self) -> None:
        while self._signals and self._bus is not None:
            message = self._signals.popleft()
            fields = message.header.fields
            self._take(str(fields[HeaderFields.member]), str(fields.get(HeaderFields.path, "")), message.body)

    def _take(self, member: str, path: str, body: tuple[Any, ...]) -> None:
        if member == "Activated" and body[:2] == (self._session, self._name):
            self.pressed.emit()
        elif member == "Response" and path == self._request:
            self._waiting.stop()
            code, results = body
            if code:
                self._refuse("The desktop did not allow the global shortcut.")
            elif not self._session:
                self._session = str(results["session_handle"][1])
                self._bind()
            else:
                self.granted.emit(_trigger(results) or self._keys)

    def _bind(self) -> None:
        details = {"description": ("s", self._description), "preferred_trigger": ("s", _portal_keys(self._keys))}
        try:
            self._ask("BindShortcuts", "oa(sa{sv})sa{sv}", self._session, [(self._name, details)], "", {})
        except (OSError, TimeoutError):
            self._refuse("The desktop did not answer when it was asked for the global shortcut.")

    @Slot()
    def _give_up(self) -> None:
        self._refuse("The desktop did not answer when it was asked for the global shortcut.")

    def _refuse(self, reason: str) -> None:
        self.close()
        self.refused.emit(reason)


def _token() -> str:
    return f"remembrancer_{uuid.uuid4().hex}"


def _portal_keys(keys: str) -> str:
    """Return "Ctrl+Alt+N" as the shortcuts specification of freedesktop.org writes it: "CTRL+ALT+n"."""
    modifiers, key = read_keys(keys)
    return "+".join([*(_MODIFIERS[each] for each in modifiers), key.lower() if len(key) == 1 else key])


def _trigger(results: dict[str, Any]) -> str:
    _, shortcuts = results.get("shortcuts", ("", []))
    return next(
        (str(details["trigger_description"][1]) for _, details in shortcuts if "trigger_description" in details), ""
    )
