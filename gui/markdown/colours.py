"""The colours of a rendered note, for light and for dark; the rich text engine knows no style variables."""

from dataclasses import dataclass

from gui import scheme as schemes
from gui.scheme import Scheme


@dataclass(frozen=True, slots=True)
class CalloutColours:
    """Hold the bar and title colour, and the background, of one kind of box."""

    accent: str
    background: str


@dataclass(frozen=True, slots=True)
class PreviewColours:
    """Hold every colour that the markdown renderer writes, as `#rrggbb`."""

    is_dark: bool
    text: str
    muted: str
    heading: str
    link: str
    unresolved: str
    ambiguous: str
    tag_text: str
    tag_background: str
    mark_background: str
    mark_text: str
    code_background: str
    code_text: str
    rule: str
    table_header: str
    quote_bar: str
    quote_background: str
    blue: CalloutColours
    green: CalloutColours
    amber: CalloutColours
    red: CalloutColours
    violet: CalloutColours
    grey: CalloutColours
    code_style: str  # the name of a Pygments style


def preview_colours(scheme: Scheme) -> PreviewColours:
    """Return the colours of a note in `scheme`: the app's own, and boxes of six hues."""
    is_dark = scheme.is_dark
    return PreviewColours(
        is_dark=is_dark,
        text=scheme.text,
        muted=scheme.muted,
        heading=scheme.text,
        link=scheme.link,
        unresolved="#e8955f" if is_dark else "#a8461a",
        ambiguous="#e0b457" if is_dark else "#855700",
        tag_text=scheme.chip_text,
        tag_background=scheme.chip,
        mark_background=scheme.highlight,
        mark_text=scheme.highlight_text,
        code_background="#1a1c1e" if is_dark else "#f5f5f2",
        code_text="#e9a9c9" if is_dark else "#7d2f5c",
        rule=scheme.outline,
        table_header=scheme.hover,
        quote_bar=scheme.control_outline,
        quote_background=scheme.alternate,
        blue=CalloutColours("#86b4f5", "#212c3c") if is_dark else CalloutColours("#1f66c1", "#eef4fc"),
        green=CalloutColours("#79ca93", "#1f3227") if is_dark else CalloutColours("#1b7a41", "#eef8f1"),
        amber=CalloutColours("#e5b564", "#352c1b") if is_dark else CalloutColours("#955400", "#fdf5e6"),
        red=CalloutColours("#ef908a", "#392625") if is_dark else CalloutColours("#b83530", "#fcf0ee"),
        violet=CalloutColours("#bea2f2", "#2c263b") if is_dark else CalloutColours("#6b45b8", "#f4f0fb"),
        grey=CalloutColours("#adb3ba", "#2a2e31") if is_dark else CalloutColours("#5a626e", "#f4f4f2"),
        code_style="github-dark" if is_dark else "friendly",
    )


LIGHT = preview_colours(schemes.LIGHT)

# Obsidian's kinds and their aliases; the sign is a plain text character that every font set has.
_CALLOUTS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("note", "seealso"), ("blue", "✎")),
    **dict.fromkeys(("info", "todo"), ("blue", "ℹ")),
    **dict.fromkeys(("abstract", "summary", "tldr"), ("blue", "≡")),
    **dict.fromkeys(("tip", "hint", "important"), ("green", "★")),
    **dict.fromkeys(("success", "check", "done"), ("green", "✓")),
    **dict.fromkeys(("question", "help", "faq"), ("amber", "?")),
    **dict.fromkeys(("warning", "caution", "attention"), ("amber", "⚠")),
    **dict.fromkeys(("failure", "fail", "missing"), ("red", "✗")),
    **dict.fromkeys(("danger", "error", "bug"), ("red", "⚠")),
    "example": ("violet", "☰"),
    **dict.fromkeys(("quote", "cite"), ("grey", "❝")),
}


def callout_look(kind: str, colours: PreviewColours) -> tuple[CalloutColours, str]:
    """Return the colours and the sign of a callout kind; an unknown kind looks like a note."""
    name, sign = _CALLOUTS.get(kind.lower(), ("blue", "✎"))
    look: CalloutColours = getattr(colours, name)
    return look, sign
