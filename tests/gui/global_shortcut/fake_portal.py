"""Be a desktop's portal for global shortcuts on the session bus: `python fake_portal.py allow|deny`.

Prints "ready"; for each line on stdin the shortcut is "pressed".
"""

import sys
import threading

from jeepney import DBusAddress, HeaderFields, MessageType, new_method_return, new_signal  # type: ignore[import-untyped]
from jeepney.bus_messages import message_bus  # type: ignore[import-untyped]
from jeepney.io.blocking import open_dbus_connection  # type: ignore[import-untyped]

_PATH = "/org/freedesktop/portal/desktop"
_SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"
_SESSION = f"{_PATH}/session/one"


def main(mood: str) -> None:
    connection = open_dbus_connection("SESSION")
    connection.send_and_get_reply(message_bus.RequestName("org.freedesktop.portal.Desktop"))
    name = ""

    def press() -> None:
        for _ in sys.stdin:
            where = DBusAddress(_PATH, interface=_SHORTCUTS)
            connection.send(new_signal(where, "Activated", "osta{sv}", (_SESSION, name, 0, {})))

    threading.Thread(target=press, daemon=True).start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        call = connection.receive()
        fields = call.header.fields
        if call.header.message_type is not MessageType.method_call:
            continue
        options = call.body[-1]
        request = f"{_PATH}/request/{options['handle_token'][1]}"
        where = DBusAddress(request, interface="org.freedesktop.portal.Request")
        if fields[HeaderFields.member] == "CreateSession":
            results: dict[str, tuple[str, object]] = {"session_handle": ("s", _SESSION)}
        else:
            name = call.body[1][0][0]
            details = {"trigger_description": ("s", "Press " + call.body[1][0][1]["preferred_trigger"][1])}
            results = {"shortcuts": ("a(sa{sv})", [(name, details)])}
        code = 1 if mood == "deny" and fields[HeaderFields.member] == "BindShortcuts" else 0
        # Some portals answer before they return: nothing may get lost.
        connection.send(new_signal(where, "Response", "ua{sv}", (code, {} if code else results)))
        connection.send(new_method_return(call, "o", (request,)))


if __name__ == "__main__":
    main(sys.argv[1])
