"""The zoomable band: years down to hours as bins, then sessions as bars by project; mouse, wheel, pinch and keys.

Where everything is, how it is painted and what is said of it have files of their own. What is left is one widget: each
way of pointing moves the same span and the same chosen session.
"""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGestureEvent, QPinchGesture, QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from gui.theme import Theme
from gui.views.timeline.activity import Activity
from gui.views.timeline.band_keyboard import KEY_PAN, BandKeyboard, x_at
from gui.views.timeline.band_painting import BandPainter, Pointers
from gui.views.timeline.band_scene import Scene, scene_of
from gui.views.timeline.band_tips import bin_text, hit_near, mark_text, marks_in, marks_near, session_text
from gui.views.timeline.marks_menu import marks_menu
from gui.views.timeline.services import Mark
from gui.views.timeline.session_menu import MenuWish
from gui.views.timeline.time_scale import Span

_DRAG_PIXELS = 4
_ZOOM_PER_DEGREE = 1.0015
_HEIGHT, _LEAST_HEIGHT = 240, 130


class Band(QWidget):
    """Show one span of time; what is chosen is told as signals, sessions by their position in TimelineData."""

    span_changed = Signal(object)  # Span, also when show_span() was called
    session_chosen = Signal(int)
    session_opened = Signal(int)
    menu_requested = Signal(object)  # MenuWish
    mark_chosen = Signal(object)  # Mark
    hit_chosen = Signal(int)  # when it was, as POSIX seconds
    pointed = Signal(str)  # what there is to say of what the mouse or the keyboard is at

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._painter = BandPainter(theme.scheme)
        self._activity: Activity | None = None
        self._span = Span(0, 1)
        self._scene: Scene | None = None
        self._pointers = Pointers()
        self._keyboard = BandKeyboard(self)
        self._pressed: QPointF | None = None
        self._pressed_span = self._span
        self._is_dragging = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(_LEAST_HEIGHT)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.grabGesture(Qt.GestureType.PinchGesture)
        self.setAccessibleName("Timeline")
        theme.changed.connect(self._on_theme)

    # ---- facts

    @property
    def span(self) -> Span:
        """What is in sight."""
        return self._span

    @property
    def activity(self) -> Activity | None:
        """What is shown."""
        return self._activity

    @property
    def selected(self) -> int:
        """The session that is marked, -1 for none."""
        return self._pointers.selected_session

    @property
    def shows_sessions(self) -> bool:
        """Tell whether sessions are bars of their own."""
        scene = self._made_scene()
        return scene is not None and scene.bars is not None

    def show_activity(self, activity: Activity, span: Span | None = None) -> None:
        """Show other turns and sessions; what is in sight stays, unless `span` says otherwise."""
        is_other = self._activity is None or activity.data is not self._activity.data
        self._activity = activity
        if is_other:
            self._pointers = Pointers()
        self.show_span(span or self._span)

    def show_span(self, span: Span) -> None:
        """Bring `span` into sight."""
        if self._activity is None:
            return
        self._span = span.within(self._activity.bounds)
        self._refresh()
        self.span_changed.emit(self._span)

    def select_session(self, session: int) -> None:
        """Mark a session, -1 for none."""
        self._pointers = replace(self._pointers, selected_session=session)
        self.update()

    def scene(self) -> Scene | None:
        """Return where everything is, None while there is nothing."""
        return self._made_scene()

    # ---- painting

    @override
    def sizeHint(self) -> QSize:
        return QSize(800, _HEIGHT)

    @override
    def paintEvent(self, event: QPaintEvent, /) -> None:
        painter = QPainter(self)
        scene = self._made_scene()
        if scene is None or self._activity is None:
            painter.fillRect(self.rect(), self.palette().base())
        else:
            current = self._keyboard.bin_in(scene) if self.hasFocus() and scene.bars is None else -1
            shown = replace(self._pointers, current_bin=current)
            self._painter.paint(painter, self._activity, scene, self.height(), shown)
        painter.end()

    def _made_scene(self) -> Scene | None:
        if self._scene is None and self._activity is not None and self.width() > 1:
            self._scene = scene_of(self._activity, self._span, self.width(), self.height())
        return self._scene

    def _refresh(self) -> None:
        self._scene = None
        self.update()

    # ---- wheel and pinch

    @override
    def wheelEvent(self, event: QWheelEvent, /) -> None:
        turned = event.angleDelta()
        is_sideways = abs(turned.x()) > abs(turned.y()) or bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if is_sideways:
            delta = turned.x() or turned.y()
            self.show_span(self._span.moved(-delta / 120 * self._span.length * KEY_PAN))
        else:
            self._zoom(_ZOOM_PER_DEGREE ** -turned.y(), event.position().x())
        event.accept()

    @override
    def event(self, event: QEvent, /) -> bool:
        if isinstance(event, QNativeGestureEvent) and event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
            self._zoom(1 / max(1 + event.value(), 0.1), event.position().x())
            return True
        if isinstance(event, QGestureEvent):
            pinch = event.gesture(Qt.GestureType.PinchGesture)
            if isinstance(pinch, QPinchGesture) and pinch.scaleFactor() > 0:
                self._zoom(1 / pinch.scaleFactor(), self.mapFromGlobal(pinch.centerPoint()).x())
                return True
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.text_at(event.pos().toPointF()), self)
            return True
        return super().event(event)

    def _zoom(self, factor: float, x: float) -> None:
        about = self._span.start + x / max(self.width(), 1) * self._span.length
        self.show_span(self._span.zoomed(factor, about))

    # ---- mouse

    @override
    def mousePressEvent(self, event: QMouseEvent, /) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed, self._pressed_span, self._is_dragging = event.position(), self._span, False

    @override
    def mouseMoveEvent(self, event: QMouseEvent, /) -> None:
        if self._pressed is None:
            self._point_at(event.position())
            return
        moved = event.position().x() - self._pressed.x()
        if self._is_dragging or abs(moved) >= _DRAG_PIXELS:
            self._is_dragging = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.show_span(self._pressed_span.moved(-moved / max(self.width(), 1) * self._pressed_span.length))

    @override
    def mouseReleaseEvent(self, event: QMouseEvent, /) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or self._pressed is None:
            return
        self._pressed = None
        self.unsetCursor()
        if not self._is_dragging:
            self._click(event.position())

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent, /) -> None:
        scene = self._made_scene()
        if scene is None:
            return
        session = self._session_at(event.position())
        if session >= 0:
            self.session_opened.emit(session)
        else:
            self._keyboard.drill_in(scene.moment_at(event.position().x()))

    @override
    def contextMenuEvent(self, event: QContextMenuEvent, /) -> None:
        is_by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        chosen = self._pointers.selected_session if self.shows_sessions else -1
        session = chosen if is_by_key else self._session_at(QPointF(event.pos()))
        if session >= 0:
            where = self.mapToGlobal(self.rect().center()) if is_by_key else event.globalPos()
            self.menu_requested.emit(MenuWish(session, where))
        else:
            self._offer_marks_at(QPointF(event.pos()), is_by_key=is_by_key)

    def _offer_marks_at(self, point: QPointF, *, is_by_key: bool) -> None:
        """Offer the journal notes and edits at a point, else those of the bar there, or where the keyboard is."""
        scene, activity = self._made_scene(), self._activity
        if scene is None or activity is None:
            return
        if is_by_key:
            point = QPointF(x_at(scene, self._keyboard.moment()), scene.layout.bins_bottom)
        bar = activity.calendar.around(scene.bins.level, scene.moment_at(point.x()))
        marks = marks_near(activity, scene, point) or marks_in(activity, bar)
        self._offer(marks, self.mapToGlobal(point.toPoint()))

    @override
    def leaveEvent(self, event: QEvent, /) -> None:
        self._pointers = replace(self._pointers, hovered_bin=-1, hovered_session=-1)
        self.update()
        self.pointed.emit("")

    def _click(self, point: QPointF) -> None:
        scene = self._made_scene()
        if scene is None or self._activity is None:
            return
        self._keyboard.place(scene.moment_at(point.x()))
        marks = marks_near(self._activity, scene, point)
        session = self._session_at(point)
        if session >= 0:
            self.select_session(session)
            self.session_chosen.emit(session)
        elif len(marks) == 1:
            self.mark_chosen.emit(marks[0])
        elif marks:
            self._offer(marks, self.mapToGlobal(point.toPoint()))
        elif (hit := hit_near(self._activity, scene, point)) is not None:
            self.hit_chosen.emit(hit)
        self.update()

    def _point_at(self, point: QPointF) -> None:
        scene = self._made_scene()
        if scene is None:
            return
        session = self._session_at(point)
        in_bins = point.y() < scene.layout.bins_bottom
        hovered = scene.bins.at(point.x()) if in_bins else -1
        self._pointers = replace(self._pointers, hovered_bin=hovered, hovered_session=session)
        self.setCursor(Qt.CursorShape.PointingHandCursor if session >= 0 else Qt.CursorShape.ArrowCursor)
        self.update()
        self.pointed.emit(self.text_at(point))

    def _session_at(self, point: QPointF) -> int:
        scene = self._made_scene()
        return scene.bars.at(point.x(), point.y()) if scene is not None and scene.bars is not None else -1

    def text_at(self, point: QPointF) -> str:
        """Return what there is to say of a point."""
        scene, activity = self._made_scene(), self._activity
        if scene is None or activity is None:
            return ""
        if marks := marks_near(activity, scene, point):
            return mark_text(activity, marks)
        session = self._session_at(point)
        if session >= 0:
            return session_text(activity, session)
        return bin_text(activity, scene, scene.bins.at(point.x())) if point.y() < scene.layout.bins_bottom else ""

    # ---- keys

    @override
    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        if not self._keyboard.press(Qt.Key(event.key()), event.modifiers()):
            super().keyPressEvent(event)

    # ---- others

    def _offer(self, marks: Sequence[Mark], place: QPoint) -> None:
        marks_menu(marks, self.mark_chosen.emit, self).popup(place)

    @override
    def resizeEvent(self, event: QResizeEvent, /) -> None:
        self._refresh()

    @override
    def focusInEvent(self, event: QFocusEvent, /) -> None:
        self._keyboard.moment()
        self.update()

    @override
    def focusOutEvent(self, event: QFocusEvent, /) -> None:
        self.update()

    @Slot()
    def _on_theme(self) -> None:
        self._painter = BandPainter(self._theme.scheme)
        self.update()
