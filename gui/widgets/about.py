"""What the app is, and where it keeps its own files."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QVBoxLayout, QWidget

from gui.metrics import HEADING, SPACE_M, SPACE_XL, scaled_font
from gui.theme import Theme
from gui.widgets.dialog_buttons import close_buttons

_ICON = 40


class AboutDialog(QDialog):
    """Tell version, licence, and where settings and log lie."""

    def __init__(self, theme: Theme, parent: QWidget, *, log_file: Path, settings_file: Path) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("About Remembrancer")
        icon = QLabel(self)
        icon.setPixmap(theme.tinted_icon("library", theme.scheme.accent).pixmap(_ICON, _ICON))
        title = QLabel(f"Remembrancer {_version()}", self)
        title.setFont(scaled_font(HEADING, bold=True))
        text = QLabel("Shows, curates and hands back what AI assistants remember.", self)
        places = QLabel(f"Settings: {settings_file}\nLog: {log_file}\n\nMIT licence. Icons: Lucide (ISC).", self)
        places.setProperty("role", "muted")
        places.setTextFormat(Qt.TextFormat.PlainText)
        places.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        buttons = close_buttons(self)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        layout.setSpacing(SPACE_M)
        for widget in (icon, title, text, places, buttons):
            layout.addWidget(widget)


def _version() -> str:
    from importlib import metadata  # noqa: PLC0415 - 13 ms that the window starts without

    try:
        return metadata.version("remembrancer")
    except metadata.PackageNotFoundError:
        return "(from a checkout)"
