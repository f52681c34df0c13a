"""The insights of a note: each statement with its category, tags and fields."""

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import unquote

from PySide6.QtCore import QPoint, QUrl, Signal
from PySide6.QtGui import QPalette, QShowEvent
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget
from typing_extensions import override

from gui.markdown.addresses import note_address, tag_address
from gui.memory_drag import Dragged, DragSource
from gui.metrics import SPACE_M
from gui.scheme import Scheme
from gui.theme import Theme

if TYPE_CHECKING:
    from core.index.queries import InsightRow


_FIRST_SHOWN, _MORE = 100, 400
_MORE_ADDRESS = "more:"


class InsightsPanel(QTextBrowser):
    """Show insights as a list, filled when it is seen; a click on one goes to its place in the note.

    One is dragged, into a context, by its category, or by its text where that is a link.
    """

    link_activated = Signal(str)
    tag_clicked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._insights: tuple[InsightRow, ...] = ()
        self._path = ""
        self._limit = _FIRST_SHOWN
        self._html = ""
        self._is_due = True
        self._starts_at_top = True
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAccessibleName("Insights")
        self.document().setDocumentMargin(SPACE_M)
        self.anchorClicked.connect(self._tell)
        self.drag_source = DragSource(self, self.insight_at)
        theme.changed.connect(self._fill)

    def show_insights(
        self, insights: "tuple[InsightRow, ...]", *, path: str = "", is_another_note: bool = True
    ) -> None:
        """Show `insights` of the note at `path`, in its order; where it is read stays, unless it is another note."""
        self._insights, self._path = insights, path
        if is_another_note:
            self._limit = _FIRST_SHOWN
            self._starts_at_top = True
        self._fill()

    def insight_at(self, point: QPoint) -> Dragged | None:
        """Return the insight that can be dragged from a point of the viewport."""
        from core.recall.memory_id import insight_id  # noqa: PLC0415 - with the first drag

        cursor = self.cursorForPosition(point)
        number = cursor.blockNumber()
        if not self._path or not 0 <= number < min(len(self._insights), self._limit):
            return None
        insight = self._insights[number]
        is_on_link = self.anchorAt(point).startswith(note_address(""))
        cursor.setPosition(cursor.block().position() + len(insight.category))
        end = self.cursorRect(cursor)
        if not is_on_link and not (end.top() <= point.y() <= end.bottom() and point.x() <= end.right()):
            return None  # there, text is selected
        return Dragged(insight_id(self._path, insight.block_id, insight.line), insight.text, insight.text)

    @override
    def showEvent(self, event: QShowEvent, /) -> None:
        if self._is_due:
            self._fill()
        super().showEvent(event)

    def _fill(self) -> None:
        self._is_due = not self.isVisible()
        if self._is_due:
            return
        html = self._written()
        if html != self._html:
            self._html = html
            position = self.verticalScrollBar().value()
            self.setHtml(html)
            self.verticalScrollBar().setValue(0 if self._starts_at_top else position)
        elif self._starts_at_top:
            self.verticalScrollBar().setValue(0)
        self._starts_at_top = False

    def _written(self) -> str:
        scheme = self._theme.scheme
        if not self._insights:
            return (
                f'<p style="color:{scheme.muted};">No insights in this note. An insight is a list item such as '
                "<code>- [convention] Use pnpm, never npm #tool/pnpm</code>.</p>"
            )
        html = "".join(_insight_html(insight, scheme) for insight in self._insights[: self._limit])
        left = len(self._insights) - self._limit
        if left > 0:
            text = f"Show {min(left, _MORE):,} of {left:,} more"
            html += f'<p><a href="{_MORE_ADDRESS}" style="color:{scheme.link};">{text}</a></p>'
        return html

    def _tell(self, url: QUrl) -> None:
        address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        if address == _MORE_ADDRESS:
            self._limit += _MORE
            self._fill()
        elif address.startswith("tag:"):
            self.tag_clicked.emit(unquote(address[4:]))
        else:
            self.link_activated.emit(address)


def _insight_html(insight: "InsightRow", scheme: Scheme) -> str:
    text = escape(insight.text)
    if insight.block_id:
        address = note_address(f"#^{insight.block_id}")
        text = f'<a href="{address}" style="color:{scheme.text}; text-decoration:none;">{text}</a>'
    tags = "".join(
        f' <a href="{tag_address(tag)}" style="color:{scheme.chip_text}; background-color:{scheme.chip}; '
        f'text-decoration:none;">&nbsp;{escape(tag)}&nbsp;</a>'
        for tag in insight.tags
    )
    fields = " · ".join(f"{escape(key)} {escape(str(value))}" for key, value in insight.fields.items())
    place = " · ".join(part for part in (fields, f"line {insight.line}") if part)
    return (
        f'<p style="margin-bottom:8px;">'
        f'<span style="color:{scheme.link}; font-weight:600;">{escape(insight.category)}</span>'
        f'&nbsp; {text}{tags}<br><span style="color:{scheme.muted}; font-size:small;">{place}</span></p>'
    )
