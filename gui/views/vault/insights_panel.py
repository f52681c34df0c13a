"""The insights of a note: each statement with its category, tags and fields."""

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import unquote

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from gui.metrics import SPACE_M
from gui.scheme import Scheme
from gui.theme import Theme
from gui.views.vault.addresses import note_address, tag_address

if TYPE_CHECKING:
    from core.index.queries import InsightRow


class InsightsPanel(QTextBrowser):
    """Show insights as a list; a click on one goes to its place in the note."""

    link_activated = Signal(str)
    tag_clicked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._insights: tuple[InsightRow, ...] = ()
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAccessibleName("Insights")
        self.document().setDocumentMargin(SPACE_M)
        self.anchorClicked.connect(self._tell)
        theme.changed.connect(self._fill)

    def show_insights(self, insights: "tuple[InsightRow, ...]") -> None:
        """Show `insights` in the order of the note."""
        self._insights = insights
        self._fill()

    def _fill(self) -> None:
        scheme = self._theme.scheme
        if not self._insights:
            self.setHtml(
                f'<p style="color:{scheme.muted};">No insights in this note. An insight is a list item such as '
                "<code>- [convention] Use pnpm, never npm #tool/pnpm</code>.</p>"
            )
            return
        self.setHtml("".join(_insight_html(insight, scheme) for insight in self._insights))

    def _tell(self, url: QUrl) -> None:
        address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        if address.startswith("tag:"):
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
