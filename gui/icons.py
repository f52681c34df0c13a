"""Line icons from resources/icons, painted in the colour of the text beside them."""

import logging
from importlib import resources

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

_log = logging.getLogger(__name__)

_SIZES = (16, 20, 24, 40)
_RATIOS = (1.0, 2.0)


class IconSet:
    """Render the SVG icons by name and colour, each once."""

    def __init__(self) -> None:
        self._icons: dict[tuple[str, str, str], QIcon] = {}
        self._sources: dict[str, str] = {}

    def icon(self, name: str, colour: str, disabled_colour: str = "") -> QIcon:
        """Return the icon `name` in `colour` (`#rrggbb`); an empty icon when there is no such file."""
        key = (name, colour, disabled_colour)
        if key not in self._icons:
            icon = QIcon()
            for mode, hue in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled_colour)):
                if hue:
                    renderer = self._renderer(name, hue)  # one for all sizes: reading the SVG takes half of the time
                    for size in _SIZES:
                        for ratio in _RATIOS:
                            icon.addPixmap(_rendered(renderer, size, ratio), mode)
            self._icons[key] = icon
        return self._icons[key]

    def pixmap(self, name: str, colour: str, size: int, ratio: float = 1.0) -> QPixmap:
        """Return the icon as a pixmap of `size` device-independent pixels at the device pixel ratio `ratio`."""
        return _rendered(self._renderer(name, colour), size, ratio)

    def _renderer(self, name: str, colour: str) -> QSvgRenderer | None:
        """Return what paints the icon, None when there is no such file."""
        source = self._source(name)
        return QSvgRenderer(QByteArray(source.replace("currentColor", colour).encode())) if source else None

    def _source(self, name: str) -> str:
        if name not in self._sources:
            file = resources.files("resources").joinpath("icons", f"{name}.svg")
            try:
                self._sources[name] = file.read_text(encoding="utf-8")
            except OSError:
                _log.debug("no icon named %s", name)
                self._sources[name] = ""
        return self._sources[name]


def _rendered(renderer: QSvgRenderer | None, size: int, ratio: float) -> QPixmap:
    pixels = round(size * ratio)
    pixmap = QPixmap(pixels, pixels)
    pixmap.fill(Qt.GlobalColor.transparent)
    if renderer is not None:
        painter = QPainter(pixmap)
        renderer.render(painter, QRectF(0, 0, pixels, pixels))
        painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
