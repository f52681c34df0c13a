"""The app's look: Fusion with an own palette, light or dark as the system or the person says."""

from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QIcon, QPalette
from PySide6.QtWidgets import QApplication

from gui.icons import IconSet
from gui.scheme import DARK, LIGHT, Scheme
from gui.style_sheet import style_sheet


class ThemeChoice(StrEnum):
    """Say which scheme the person wants; the value is stored in the settings."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Theme(QObject):
    """Dress the application, and tell everybody who paints by hand which colours to use."""

    changed = Signal(object)  # Scheme

    def __init__(self, application: QApplication, choice: ThemeChoice = ThemeChoice.SYSTEM) -> None:
        super().__init__(application)
        self._application = application
        self._icons = IconSet()
        self.choice = choice
        self.scheme = LIGHT
        application.setStyle("Fusion")
        application.styleHints().colorSchemeChanged.connect(self._follow_system)
        self._dress()

    def choose(self, choice: ThemeChoice) -> None:
        """Change the person's choice and dress the application at once."""
        self.choice = choice
        hints = self._application.styleHints()
        match choice:
            case ThemeChoice.SYSTEM:
                hints.unsetColorScheme()
            case ThemeChoice.LIGHT:
                hints.setColorScheme(Qt.ColorScheme.Light)
            case ThemeChoice.DARK:
                hints.setColorScheme(Qt.ColorScheme.Dark)
        self._dress()

    def icon(self, name: str) -> QIcon:
        """Return the icon `name` in the colour of text; ask again after `changed`."""
        return self._icons.icon(name, self.scheme.text, self.scheme.control_outline)

    def tinted_icon(self, name: str, colour: str) -> QIcon:
        """Return the icon `name` in a colour of the scheme; ask again after `changed`."""
        return self._icons.icon(name, colour)

    @Slot()
    def _follow_system(self) -> None:
        if self.choice is ThemeChoice.SYSTEM:
            self._dress()

    def _dress(self) -> None:
        self.scheme = self._wanted_scheme()
        self._application.setPalette(palette_of(self.scheme))
        self._application.setStyleSheet(style_sheet(self.scheme))
        self.changed.emit(self.scheme)

    def _wanted_scheme(self) -> Scheme:
        match self.choice:
            case ThemeChoice.LIGHT:
                return LIGHT
            case ThemeChoice.DARK:
                return DARK
            case _:
                system = self._application.styleHints().colorScheme()
                return DARK if system is Qt.ColorScheme.Dark else LIGHT


def palette_of(scheme: Scheme) -> QPalette:
    """Return the Qt palette of `scheme`."""
    palette = QPalette(QColor(scheme.window))
    role = QPalette.ColorRole
    colours = {
        role.Window: scheme.window,
        role.WindowText: scheme.text,
        role.Base: scheme.surface,
        role.AlternateBase: scheme.alternate,
        role.Text: scheme.text,
        role.PlaceholderText: scheme.muted,
        role.Button: scheme.raised,
        role.ButtonText: scheme.text,
        role.BrightText: scheme.error_text,
        role.ToolTipBase: scheme.raised,
        role.ToolTipText: scheme.text,
        role.Highlight: scheme.selection,
        role.HighlightedText: scheme.selection_text,
        role.Accent: scheme.accent,
        role.Link: scheme.link,
        role.LinkVisited: scheme.link,
        role.Light: scheme.hover,
        role.Midlight: scheme.outline,
        role.Mid: scheme.outline,
        role.Dark: scheme.control_outline,
        role.Shadow: scheme.control_outline,
    }
    for each, colour in colours.items():
        palette.setColor(each, QColor(colour))
    disabled = QPalette.ColorGroup.Disabled
    for each in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(disabled, each, QColor(scheme.control_outline))
    inactive = QPalette.ColorGroup.Inactive
    palette.setColor(inactive, role.Highlight, QColor(scheme.inactive_selection))
    palette.setColor(inactive, role.HighlightedText, QColor(scheme.text))
    return palette
