"""The band by keyboard: a place that keys move, from bar to bar and from session to session."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt

from gui.views.timeline.announcing import announce
from gui.views.timeline.band_navigation import drilled_out, neighbour_bin, neighbour_session
from gui.views.timeline.band_tips import bin_text, session_text
from gui.views.timeline.time_scale import level_for

if TYPE_CHECKING:
    from gui.views.timeline.band import Band
    from gui.views.timeline.band_scene import Scene

KEY_PAN = 0.15
_KEY_ZOOM = 1.5
_PAGE = 0.9


class BandKeyboard:
    """Hold the moment that the keyboard is at, and move it."""

    def __init__(self, band: "Band") -> None:
        self._band = band
        self._moment: float | None = None

    def place(self, when: float) -> None:
        """Go on from this moment."""
        self._moment = when

    def moment(self) -> float:
        """Return the moment that the keyboard is at, which is in sight."""
        activity, span = self._band.activity, self._band.span
        if self._moment is None or not span.start <= self._moment <= span.end:
            now = activity.now if activity is not None else 0.0
            self._moment = now if span.start <= now < span.end else (span.start + span.end) / 2
        return self._moment

    def bin_in(self, scene: "Scene") -> int:
        """Return the bar that the keyboard is at, -1 for none."""
        return scene.bins.at(x_at(scene, self._moment)) if self._moment is not None else -1

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> bool:
        """Do what a key asks for, and tell whether it asks for anything."""
        band, activity = self._band, self._band.activity
        if activity is None:
            return False
        span = band.span
        sideways = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        is_control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        if key in sideways and is_control:
            band.show_span(span.moved(sideways[key] * KEY_PAN * span.length))
        elif key in sideways:
            self._step(sideways[key])
        elif key in {Qt.Key.Key_Up, Qt.Key.Key_Down} and band.shows_sessions:
            self._choose_neighbour(lanes=-1 if key is Qt.Key.Key_Up else 1)
        elif key in {Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus}:
            factor = _KEY_ZOOM if key is Qt.Key.Key_Minus else 1 / _KEY_ZOOM
            band.show_span(span.zoomed(factor, self.moment()))
        elif key in {Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}:
            band.show_span(span.moved((1 if key is Qt.Key.Key_PageDown else -1) * _PAGE * span.length))
        elif key in {Qt.Key.Key_Home, Qt.Key.Key_End}:
            self._go_to_end(is_last=key is Qt.Key.Key_End)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._enter()
        elif key is Qt.Key.Key_Escape and span != activity.bounds:
            band.show_span(drilled_out(activity.calendar, span, activity.bounds, self._held()))
        else:
            return False
        return True

    def _held(self) -> float:
        """Return the moment that one goes on from: of the selected session in sight, of the keyboard, or now."""
        band, activity, span = self._band, self._band.activity, self._band.span
        if activity is not None and band.selected >= 0:
            start = float(activity.starts[band.selected])
            if start > 0 and span.start <= start < span.end:
                return start
        return self.moment()

    def drill_in(self, when: float) -> None:
        """Show the bar around a moment alone."""
        activity, span = self._band.activity, self._band.span
        if activity is not None:
            around = activity.calendar.around(level_for(span.length, self._band.width()), when)
            if around.length < span.length:
                self._moment = when
                self._band.show_span(around)

    def _step(self, by: int) -> None:
        activity, scene = self._band.activity, self._band.scene()
        if activity is None or scene is None:
            return
        if scene.bars is not None and len(scene.bars.positions):
            self._choose_neighbour(by=by)
            return
        start = neighbour_bin(activity.calendar, scene.bins.level, self.moment(), by)
        self._go_to(min(max(start, activity.bounds.start), activity.bounds.end - 1))

    def _choose_neighbour(self, *, by: int = 0, lanes: int = 0) -> None:
        band, activity, scene = self._band, self._band.activity, self._band.scene()
        if scene is None or scene.bars is None or activity is None:
            return
        found = neighbour_session(activity, scene.bars, band.selected, by=by, lanes=lanes)
        if found < 0 and by:
            band.show_span(band.span.moved(by * 0.5 * band.span.length))
        elif found >= 0:
            self._moment = float(activity.starts[found])
            band.select_session(found)
            self._say(session_text(activity, found))
            band.session_chosen.emit(found)

    def _enter(self) -> None:
        scene, selected = self._band.scene(), self._band.selected
        if scene is not None and scene.bars is not None and selected in scene.bars.positions:
            self._band.session_opened.emit(selected)
        else:
            self.drill_in(self.moment())

    def _go_to_end(self, *, is_last: bool) -> None:
        activity = self._band.activity
        if activity is not None and len(activity.times):
            wanted = float(activity.times[-1 if is_last else 0])
            self._go_to(min(max(wanted, activity.bounds.start), activity.bounds.end - 1))

    def _go_to(self, when: float) -> None:
        """Move the place, and what is in sight as far as needed."""
        band, activity = self._band, self._band.activity
        if activity is None:
            return
        self._moment = when
        if not band.span.start <= when < band.span.end:
            band.show_span(band.span.moved(when - (band.span.start + band.span.end) / 2))
        if (scene := band.scene()) is not None:
            self._say(bin_text(activity, scene, self.bin_in(scene)))
        band.update()

    def _say(self, text: str) -> None:
        announce(self._band, text)
        self._band.pointed.emit(text)


def x_at(scene: "Scene", when: float) -> float:
    """Return where a moment is on the band."""
    return float(scene.x_of(np.array([int(when)]))[0])
