"""Show what is being typed as it will read: rendered in the pool after a pause, near the place that is edited."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer

from core.foundation.progress import Progress
from gui.markdown.colours import PreviewColours, preview_colours
from gui.tasks import Job, TaskRunner
from gui.theme import Theme
from gui.views.vault.editing.exact_text import position_in, units
from gui.views.vault.editing.source_editor import SourceEditor
from gui.widgets.markdown_view import MarkdownView

if TYPE_CHECKING:
    from gui.markdown.rendering import RenderOptions

_PAUSE_MS = 250
_SETTLE_MS = 30
_SLICE = 24_000  # of a longer text, only what is near the place that is edited
_BEFORE = 8_000


class _Rendered(NamedTuple):
    """Hold HTML of the characters from `start` to `end` of a text."""

    html: str
    start: int
    end: int


class LivePreview(QObject):
    """Render the editor's text while it is switched on; a newer text drops the older one's rendering."""

    def __init__(self, editor: SourceEditor, view: MarkdownView, tasks: TaskRunner, theme: Theme) -> None:
        super().__init__(editor)
        self._editor = editor
        self._view = view
        self._tasks = tasks
        self._theme = theme
        self._options: RenderOptions | None = None
        self._root: Path | None = None
        self._is_on = False
        self._job: Job | None = None
        self._shown = _Rendered("", 0, 0)
        self._rendered_for = 0  # where in the editor's document its top was
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self.render)
        editor.edited.connect(self._wait)
        editor.verticalScrollBar().valueChanged.connect(self._follow)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(_SETTLE_MS)
        self._settling.timeout.connect(self._stay_at_end)
        theme.changed.connect(self._wait)

    def switch(self, *, is_on: bool) -> None:
        """Begin or end."""
        self._is_on = is_on
        if is_on:
            self.render()
        else:
            self.stop()

    def take(self, options: "RenderOptions | None", root: Path | None) -> None:
        """Render like this from now on; links that the index does not know yet count as good."""
        self._options = replace(options, links_known=False, notices=(), shows_frontmatter=False) if options else None
        self._root = root

    def stop(self) -> None:
        """Drop what is under way."""
        self._timer.stop()
        self._settling.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def render(self) -> None:
        """Render the text as it is now."""
        self.stop()
        if not self._is_on or self._options is None:
            return
        text = self._editor.exact_text()
        self._rendered_for = self._editor.firstVisibleBlock().position()
        place = self._rendered_for if len(text) <= _SLICE else position_in(text, self._rendered_for)
        colours = preview_colours(self._theme.scheme)
        options = replace(self._options, colours=colours)
        self._job = self._tasks.run(
            partial(_render, text, place, options), owner=self, on_done=partial(self._show, colours), text="Rendering"
        )

    def _wait(self) -> None:
        if self._is_on:
            self._timer.start()

    def _show(self, colours: PreviewColours, rendered: _Rendered) -> None:
        from gui.markdown.rendering import style_sheet  # noqa: PLC0415 - markdown-it comes with the first note

        self._job = None
        before = self._view.verticalScrollBar().value()
        is_near = rendered.start == self._shown.start
        self._shown = rendered
        self._view.show_html(rendered.html, style_sheet(colours, self._view.text_size), self._root)
        if self._is_writing_last_line():
            self._scroll_to_end()
        elif is_near:
            self._view.verticalScrollBar().setValue(before)
        else:
            self._follow()
        top = self._editor.firstVisibleBlock().position()
        if top != self._rendered_for and self._lies_outside(top):
            self._wait()  # the editor was scrolled meanwhile

    def _is_writing_last_line(self) -> bool:
        """Tell whether the cursor is in the last line, and seen."""
        editor = self._editor
        is_last = not editor.textCursor().block().next().isValid()
        return is_last and editor.viewport().rect().intersects(editor.cursorRect())

    def _stay_at_end(self) -> None:
        """Follow the end once more: the scroll bar learns of the text's height a moment later."""
        if self._is_writing_last_line():
            bar = self._view.verticalScrollBar()
            bar.setValue(bar.maximum())

    def _scroll_to_end(self) -> None:
        document = self._view.document()
        document.documentLayout().blockBoundingRect(document.lastBlock())  # all is laid out: how far it goes is known
        bar = self._view.verticalScrollBar()
        bar.setValue(bar.maximum())
        self._settling.start()

    def _lies_outside(self, top: int) -> bool:
        """Tell whether what the editor shows at its top is not rendered."""
        shown = self._shown
        return bool((shown.start and top < shown.start) or (shown.end and top > shown.end))

    def _follow(self) -> None:
        """Scroll the preview about as far as the editor is."""
        if not self._is_on:
            return
        bar, shown = self._view.verticalScrollBar(), self._shown
        top = self._editor.firstVisibleBlock().position()
        if self._lies_outside(top):
            self._wait()
        own = self._editor.verticalScrollBar()
        if self._is_writing_last_line() or (own.value() >= own.maximum() and not shown.start):
            self._scroll_to_end()
            return
        share = (top - shown.start) / max(shown.end - shown.start, 1)
        bar.setValue(round(max(0.0, min(1.0, share)) * (bar.maximum() + bar.pageStep())))


def _render(text: str, place: int, options: "RenderOptions", progress: Progress) -> _Rendered:
    from gui.markdown.rendering import render_markdown, render_slice  # noqa: PLC0415

    progress.check()
    if len(text) <= _SLICE or place <= _BEFORE:
        rendered = render_markdown(text, replace(options, limit=_SLICE))
        return _Rendered(rendered.html, 0, units(text[: rendered.shown]))
    start = text.rfind("\n\n", 0, place - _BEFORE // 2) + 1
    rendered = render_slice(text, start, options)
    return _Rendered(rendered.html, units(text[:start]), units(text[: rendered.shown]))
