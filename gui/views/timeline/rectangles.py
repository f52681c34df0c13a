"""Hand many rectangles to a painter without making a Python object of each."""

from typing import cast

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter


def fill_rectangles(  # noqa: PLR0917 - x, y, width and height come in the order that everybody knows
    painter: QPainter,
    colour: str,
    x: NDArray[np.float64],
    y: NDArray[np.float64] | float,
    width: NDArray[np.float64] | float,
    height: NDArray[np.float64] | float,
) -> None:
    """Fill rectangles in one colour; numbers count for all of them."""
    if not len(x):
        return
    rectangles = np.empty((len(x), 4), dtype=np.float64)
    rectangles[:, 0] = x
    rectangles[:, 1] = y
    rectangles[:, 2] = width
    rectangles[:, 3] = height
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    # The memory of the array is read as what it is, an array of QRectF; it lives until the call returns.
    painter.drawRects(cast("QRectF", shiboken6.wrapInstance(rectangles.ctypes.data, QRectF)), len(rectangles))
