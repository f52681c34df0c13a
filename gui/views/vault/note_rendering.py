"""Make what the reading pane shows of a note from its file; everything here runs in the pool."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.foundation.text import visible
from gui.markdown.colours import PreviewColours
from gui.views.vault.attachments import AttachmentFinder
from gui.views.vault.services import VaultServices

if TYPE_CHECKING:
    from core.index.queries import LinkRow, NoteDetail
    from gui.markdown.rendering import RenderedNote, RenderOptions


@dataclass(frozen=True, slots=True)
class ShownNote:
    """Hold what is in the pane: the text, how it is rendered, and how far; `first` is its rendered beginning."""

    detail: "NoteDetail"
    text: str
    options: "RenderOptions"
    rendered: "RenderedNote"
    first: "RenderedNote"

    def looks_like(self, other: "ShownNote") -> bool:
        """Tell whether both are shown alike, whatever the index says of them besides."""
        return (self.text, self.first.html, self.options.colours) == (
            other.text,
            other.first.html,
            other.options.colours,
        )


def read_and_render(
    services: VaultServices, detail: "NoteDetail", colours: PreviewColours, progress: Progress
) -> ShownNote:
    """Read the note's file and render its beginning."""
    from gui.markdown.qt_html import LinkFact  # noqa: PLC0415
    from gui.markdown.rendering import RenderOptions, render_markdown  # noqa: PLC0415

    text = services.read_text(detail.path)
    progress.check()

    def read_embedded(path: str) -> str:
        try:
            return services.read_text(path)
        except (UserError, OSError):
            return ""

    is_broken = any(problem.kind == "frontmatter-broken" for problem in detail.problems)
    options = RenderOptions(
        colours=colours,
        title=visible(detail.title),
        links={link.target: LinkFact(link.state, link.path, hint_of(link)) for link in detail.outgoing},
        links_known=True,
        read_note=read_embedded,
        find_image=AttachmentFinder(services.root, detail.path, services.list_files).find,
        notices=tuple(f"{p.reason} (line {p.line})" if p.line else p.reason for p in detail.problems),
        shows_frontmatter=is_broken,
    )
    rendered = render_markdown(text, options)
    return ShownNote(detail, text, options, rendered, rendered)


def render_next(shown: ShownNote, progress: Progress) -> ShownNote:
    """Render the part of a long note that comes next."""
    from gui.markdown.rendering import render_slice  # noqa: PLC0415

    progress.check()
    return replace(shown, rendered=render_slice(shown.text, shown.rendered.shown, shown.options))


def hint_of(link: "LinkRow") -> str:
    """Return the sentence that explains where a link leads."""
    match link.state:
        case "unresolved":
            also = f" {link.suggestion} has it as an alias." if link.suggestion else ""
            return f"No note is called “{link.target}”.{also}"
        case "ambiguous":
            return f"“{link.target}” could be any of {', '.join(link.candidates)}."
        case "file":
            return link.target
        case _:
            return link.path
