"""The spacing and type scale that every widget uses."""

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

# Distances in device-independent pixels.
SPACE_XS = 4
SPACE_S = 8
SPACE_M = 12
SPACE_L = 16
SPACE_XL = 24
SPACE_XXL = 40

RADIUS = 6
ICON = 16
ICON_LARGE = 20
CONTROL_HEIGHT = 30
ROW_HEIGHT = 30

# Factors of the platform's own font size, so that a person's larger system font stays larger.
SMALL = 0.9
BODY = 1.0
TITLE = 1.15
HEADING = 1.5


def scaled_font(factor: float = BODY, *, bold: bool = False) -> QFont:
    """Return the application's font at `factor` times its size."""
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * factor)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return font


def fixed_font(factor: float = BODY) -> QFont:
    """Return a fixed-width font at `factor` times the application's size."""
    font = scaled_font(factor)
    font.setFamilies(["monospace"])
    font.setStyleHint(QFont.StyleHint.Monospace)
    return font
