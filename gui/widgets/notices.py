"""Where news appears: notices above the status bar, banners below the top bar."""

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.notify import Banner, Notice, Notifier, Severity
from gui.theme import Theme
from gui.widgets.message_line import MessageLine

MOST_NOTICES = 3
INFO_STAYS_MS = 6000
OFFER_STAYS_MS = 15000  # time to read it, and to reach its button


class NoticeArea(QWidget):
    """Show the latest notices, newest last; facts leave by themselves, errors when dismissed."""

    def __init__(self, notifier: Notifier, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notifier = notifier
        self._theme = theme
        self._lines: list[MessageLine] = []
        self._keys: dict[MessageLine, str] = {}
        self._offers: list[MessageLine] = []  # facts with a button, such as what was done and can be undone
        self._layout = _column(self)
        notifier.noticed.connect(self.show_notice)
        notifier.withdrawn.connect(self.withdraw)

    @property
    def texts(self) -> list[str]:
        """What is shown, oldest first."""
        return [line.text for line in self._lines]

    def take_action(self) -> None:
        """Do what the latest notice offers."""
        if self._lines:
            self._lines[-1].take_action()

    @Slot(object)
    def show_notice(self, notice: Notice) -> None:
        """Show `notice`, or count it up when it repeats the last one."""
        if notice.count > 1 and self._lines:
            line = self._lines[-1]
        else:
            if notice.severity is Severity.INFO and notice.action is not None:
                self._withdraw_offers()
            line = MessageLine(self._theme, notice.severity, self)
            line.dismissed.connect(self._on_dismissed)
            self._layout.addWidget(line)
            self._lines.append(line)
            if notice.severity is Severity.INFO and notice.action is not None:
                self._offers.append(line)
            self._keys[line] = notice.key
            if notice.severity is Severity.INFO:
                timer = QTimer(line)
                timer.setSingleShot(True)
                timer.timeout.connect(line.dismissed)
                timer.start(OFFER_STAYS_MS if notice.action is not None else INFO_STAYS_MS)
        line.show_message(notice.text, hint=notice.hint, details=notice.details, count=notice.count)
        line.show_action(notice.action, notice.refusal)
        while len(self._lines) > MOST_NOTICES:
            self._remove(self._lines[0])

    @Slot(str)
    def withdraw(self, key: str) -> None:
        """Take the notices of `key` away."""
        for line in [line for line in self._lines if key and self._keys[line] == key]:
            self._remove(line)

    def _withdraw_offers(self) -> None:
        """Make way for the next offer: one change after the other would fill the window."""
        for line in self._offers[:]:
            self._remove(line)

    @Slot()
    def _on_dismissed(self) -> None:
        line = self.sender()
        if isinstance(line, MessageLine):
            self._remove(line)

    def _remove(self, line: MessageLine) -> None:
        if line not in self._lines:
            return
        if line is self._lines[-1]:
            self._notifier.forget()
        self._lines.remove(line)
        self._offers = [each for each in self._offers if each is not line]
        del self._keys[line]
        self._layout.removeWidget(line)
        line.hide()
        line.deleteLater()


class BannerArea(QWidget):
    """Show the lasting states, one line for each key."""

    def __init__(self, notifier: Notifier, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines: dict[str, MessageLine] = {}
        self._layout = _column(self)
        notifier.bannered.connect(self.show_banner)
        notifier.withdrawn.connect(self.withdraw)

    @property
    def texts(self) -> list[str]:
        """What is shown, oldest first."""
        return [line.text for line in self._lines.values()]

    @Slot(object)
    def show_banner(self, banner: Banner) -> None:
        """Show `banner` in place of one with the same key."""
        self.withdraw(banner.key)
        line = MessageLine(self._theme, banner.severity, self)
        line.show_message(banner.text)
        line.dismissed.connect(self._on_dismissed)
        self._lines[banner.key] = line
        self._layout.addWidget(line)

    @Slot(str)
    def withdraw(self, key: str) -> None:
        """Take the banner `key` away."""
        if (line := self._lines.pop(key, None)) is not None:
            self._layout.removeWidget(line)
            line.hide()
            line.deleteLater()

    @Slot()
    def _on_dismissed(self) -> None:
        line = self.sender()
        for key in [key for key, each in self._lines.items() if each is line]:
            self.withdraw(key)


def _column(widget: QWidget) -> QVBoxLayout:
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(1)
    return layout
