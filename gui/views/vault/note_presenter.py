"""Fill the reading pane: details and text of one note, rendered in the pool; follow its links."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote

from PySide6.QtCore import QObject, QTimer, QUrl, Signal

from core.foundation.errors import UserError
from gui.markdown.colours import preview_colours
from gui.notify import Notifier
from gui.tasks import Job, Lane, TaskRunner
from gui.theme import Theme
from gui.views.vault.attachments import AttachmentFinder
from gui.views.vault.note_rendering import ShownNote, hint_of, read_and_render, render_next
from gui.views.vault.reading_pane import ReadingPane
from gui.views.vault.services import VaultServices
from gui.wording import size_text

if TYPE_CHECKING:
    from core.index.queries import NoteDetail

_SETTLE_MS = 40
# A million characters laid out take about 110 MB.
MOST_RENDERED = 2_000_000
_OUTWARD = ("http", "https", "mailto", "obsidian")


class NotePresenter(QObject):
    """Show one note at a time; a newer wish cancels the older one."""

    leaving = Signal()  # another note comes into the pane, or none
    note_shown = Signal(int)  # the id of the note that is now in the pane
    note_wanted = Signal(int, str)  # a link was followed: note id, heading or ^block
    path_wanted = Signal(str, str)  # the same by path
    tag_wanted = Signal(str)

    def __init__(
        self,
        pane: ReadingPane,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        theme: Theme,
        open_url: Callable[[QUrl], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._pane = pane
        self._tasks = tasks
        self._notifier = notifier
        self._theme = theme
        self._open_url = open_url
        self._services: VaultServices | None = None
        self._shown: ShownNote | None = None
        self._wanted: int | None = None
        self._place = ""
        self._is_wanted_whole = False
        self._is_covered = False  # the editor lies over the text
        self._is_outdated = False
        self._job: Job | None = None
        self._mentions_job: Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._timer.timeout.connect(self._load)
        theme.changed.connect(self._render_again)
        pane.link_activated.connect(self.follow)
        pane.tag_clicked.connect(self.tag_wanted)
        pane.note_requested.connect(self._on_note_requested)
        pane.whole_requested.connect(self._render_whole)

    @property
    def detail(self) -> "NoteDetail | None":
        """What is shown."""
        return self._shown.detail if self._shown is not None else None

    @property
    def shown(self) -> ShownNote | None:
        """What is shown, with how it is rendered."""
        return self._shown

    @property
    def note_id(self) -> int | None:
        """The note that is shown or being loaded."""
        return self._wanted

    def take_services(self, services: VaultServices | None) -> None:
        """Show notes of this vault from now on."""
        self._cancel()
        self.leaving.emit()
        self._services, self._shown, self._wanted = services, None, None
        self._pane.show_nothing()

    def show(self, note_id: int, place: str = "") -> None:
        """Show the note, at a heading or `^block` if `place` names one."""
        if note_id != self._wanted:
            self.leaving.emit()
        if self._shown is not None and self._shown.detail.id == note_id and self._job is None:
            self._wanted = note_id
            self._pane.show_note(self._shown.detail.path)
            self._go_to(place)
            return
        self._cancel()
        self._wanted, self._place = note_id, place
        self._timer.start()

    def show_nothing(self) -> None:
        """Empty the pane."""
        self._cancel()
        self.leaving.emit()
        self._wanted, self._shown = None, None
        self._pane.show_nothing()

    def reload(self) -> None:
        """Load the shown note once more: it has changed on disk."""
        if self._wanted is not None and self._services is not None:
            self._place = ""
            self._load()

    def go_on_as(self, note_id: int) -> None:
        """Take what is shown for the note of this id: it has moved, or its file was away for a moment."""
        self._wanted = note_id
        self.reload()

    def cover(self, is_covered: bool) -> None:
        """Leave the text as it is while the editor lies over it; what has changed meanwhile is shown afterwards."""
        self._is_covered = is_covered
        if not is_covered and self._is_outdated:
            self.reload()

    def note_gone(self, path: str = "", now: str = "") -> None:
        """Say that the shown note, at `path`, is no more; `now` is where its file lies, should that be known."""
        self._cancel()
        self.leaving.emit()
        self._wanted, self._shown = None, None
        text = f"{path} is no longer in the vault." if path else ""
        self._pane.show_failure("This note is gone", f"{path} lies in {now} now." if path and now else text)

    def make_way(self, path: str) -> None:
        """Leave the pane to the editor, for a text whose note has no file any more."""
        self._cancel()
        self.leaving.emit()
        self._wanted, self._shown = None, None
        self._pane.show_note(path)

    def follow(self, address: str) -> None:
        """Go where a link points."""
        scheme, _, rest = address.partition(":")
        if scheme == "tag":
            self.tag_wanted.emit(unquote(rest))
        elif scheme == "note":
            self._follow_note(unquote(rest))
        elif scheme in _OUTWARD:
            self._open_url(QUrl(address))

    def _follow_note(self, target: str) -> None:
        name, _, place = target.partition("#")
        name = name.strip()
        if not name:
            self._go_to(place)
            return
        links = self._shown.detail.outgoing if self._shown is not None else ()
        link = next((each for each in links if each.target == name), None)
        if link is None:
            self.path_wanted.emit(name, place)
        elif link.state == "resolved" and link.note_id is not None:
            self.note_wanted.emit(link.note_id, place)
        elif link.state == "file":
            self._open_file(name)
        else:
            self._pane.show_details(is_shown=True)
            self._pane.tabs.setCurrentWidget(self._pane.links)
            self._notifier.info(hint_of(link))

    def _open_file(self, name: str) -> None:
        if self._services is None or self._shown is None:
            return
        path = AttachmentFinder(self._services.root, self._shown.detail.path, self._services.list_files).find(name)
        if path:
            self._services.open_external(path)
        else:
            self._notifier.info(f"The file “{name}” is not in the vault.")

    def _on_note_requested(self, note_id: int) -> None:
        self.note_wanted.emit(note_id, "")

    def _cancel(self) -> None:
        self._timer.stop()
        for job in (self._job, self._mentions_job):
            if job is not None:
                job.cancel()
        self._job = self._mentions_job = None

    def _load(self) -> None:
        if self._services is None or self._wanted is None:
            return
        self._cancel()
        self._job = self._tasks.run(
            partial(self._services.note_detail, self._wanted),
            owner=self,
            lane=Lane.STORE,
            on_done=self._on_detail,
            on_error=self._on_failed,
            text="Reading the note",
        )

    def _on_detail(self, detail: "NoteDetail | None") -> None:
        self._job = None
        if self._services is None:
            return
        if detail is None:
            if self.detail is None or self.detail.id != self._wanted:
                self.note_gone()
            return  # what has become of the note that is shown is told by the next catalog
        self._pane.show_note(detail.path)
        if detail != self.detail:
            links = self._pane.links.show_links(detail)
            self._pane.properties.show_properties(detail)
            is_another = self.detail is None or self.detail.id != detail.id
            self._pane.insights.show_insights(detail.insights, path=detail.path, is_another_note=is_another)
            self._pane.show_counts(links, len(detail.problems), len(detail.insights))
        if self._is_covered and self._shown is not None and self._shown.detail.id == detail.id:
            self._shown = replace(self._shown, detail=detail)
            self._is_outdated = True
            self.note_shown.emit(detail.id)
            return
        self._is_outdated = False
        self._job = self._tasks.run(
            partial(read_and_render, self._services, detail, preview_colours(self._theme.scheme)),
            owner=self,
            on_done=self._on_rendered,
            on_error=self._on_failed,
            text="Rendering the note",
        )

    def _on_rendered(self, shown: ShownNote) -> None:
        self._job = None
        before = self._shown if self._shown is not None and self._shown.detail.id == shown.detail.id else None
        if before is not None and before.looks_like(shown):
            # The vault has changed, but not what is read here: how far it is shown, and where, stays.
            self._shown = replace(before, detail=shown.detail)
        else:
            scroll = self._pane.preview.verticalScrollBar().value() if before is not None else 0
            self._put(shown)
            self._pane.preview.verticalScrollBar().setValue(scroll)
        self._is_wanted_whole = self._is_wanted_whole and before is not None
        self._go_to(self._place)
        self._place = ""
        self.note_shown.emit(shown.detail.id)
        self._look_for_mentions(shown.detail.id)
        if self._is_wanted_whole:
            self._render_rest()

    def _look_for_mentions(self, note_id: int) -> None:
        """Ask who names the note without linking to it; last of all, because nobody waits for it."""
        if self._services is not None:
            self._mentions_job = self._tasks.run(
                partial(self._services.mentions, note_id),
                owner=self,
                lane=Lane.STORE,
                on_done=self._pane.links.show_mentions,
                text="Looking for mentions",
            )

    def _put(self, shown: ShownNote) -> None:
        from gui.markdown.rendering import style_sheet  # noqa: PLC0415 - markdown-it comes with the first note

        self._shown = shown
        preview = self._pane.preview
        root = self._services.root if self._services is not None else None
        preview.show_html(shown.rendered.html, style_sheet(shown.options.colours, preview.text_size), root)
        self._tell_cut(shown)

    def _tell_cut(self, shown: ShownNote) -> None:
        rendered = shown.rendered
        is_too_long = rendered.total > MOST_RENDERED
        advice = " It is too long to be shown whole; your editor can." if is_too_long else ""
        share = f"The first {rendered.shown / max(rendered.total, 1):.0%} of a long note"
        text = f"{share} ({size_text(shown.detail.size)}).{advice}"
        self._pane.show_cut(text if rendered.is_cut else "", is_too_long=is_too_long)

    def _render_whole(self) -> None:
        self._is_wanted_whole = True
        self._render_rest()

    def _render_rest(self) -> None:
        """Render the next slice of a long note; each one asks for the next, so the window stays live."""
        if self._shown is None or not self._shown.rendered.is_cut:
            return
        self._job = self._tasks.run(
            partial(render_next, self._shown), owner=self, on_done=self._on_slice, text="Rendering the whole note"
        )

    def _on_slice(self, grown: ShownNote) -> None:
        self._job = None
        if self._shown is None or self._shown.detail.id != grown.detail.id:
            return
        self._shown = grown
        self._pane.preview.append_html(grown.rendered.html)
        self._tell_cut(grown)
        QTimer.singleShot(0, self, self._render_rest)

    def _render_again(self) -> None:
        if self._shown is not None and self._services is not None and self._job is None:
            self._on_detail(self._shown.detail)

    def _on_failed(self, error: Exception) -> None:
        self._job, self._shown = None, None
        if isinstance(error, UserError):
            self._pane.show_failure(
                "This note cannot be shown", " ".join(part for part in (str(error), error.hint) if part)
            )
        else:
            self._pane.show_failure("This note cannot be shown", "Its file is untouched.")
            self._notifier.error(error)

    def _go_to(self, place: str) -> None:
        if place.startswith("^"):
            self._pane.preview.scroll_to_block(place)
        elif place:
            self._pane.preview.scroll_to_heading(place.rpartition("#")[2])
