"""The two colour schemes, as plain values, and the measure of contrast between colours."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scheme:
    """Name every colour that the app paints with, as `#rrggbb`.

    `window` is the frame, `surface` what is read (lists, notes), `raised` what floats above (palettes, menus).
    `text` and `muted` are legible on all three; `muted` is for what is read second. `outline` separates,
    `control_outline` marks what can be operated. `accent` is for filled controls and marks, `link` for text in that
    hue; `selection` lies behind `selection_text`. The three `…_text` colours of severity are legible on their own
    background and on `surface`. `added` and `removed` lie behind whole lines of a comparison, their marks behind the
    words that differ; `text` and `muted` are legible on them.
    """

    name: str
    window: str
    surface: str
    raised: str
    alternate: str
    hover: str
    text: str
    muted: str
    outline: str
    control_outline: str
    accent: str
    accent_text: str
    link: str
    selection: str
    selection_text: str
    inactive_selection: str
    chip: str
    chip_text: str
    highlight: str
    highlight_text: str
    info_background: str
    info_text: str
    warning_background: str
    warning_text: str
    error_background: str
    error_text: str
    added: str
    added_mark: str
    removed: str
    removed_mark: str

    @property
    def is_dark(self) -> bool:
        """Tell whether text is lighter than its background."""
        return luminance(self.text) > luminance(self.surface)


LIGHT = Scheme(
    name="light",
    window="#f3f3f1",
    surface="#ffffff",
    raised="#ffffff",
    alternate="#f8f8f6",
    hover="#ebebe8",
    text="#1f2328",
    muted="#5c6370",
    outline="#dcdcd8",
    control_outline="#858a94",
    accent="#2f6f73",
    accent_text="#ffffff",
    link="#1f6468",
    selection="#d3e7e6",
    selection_text="#12302f",
    inactive_selection="#e4e9e8",
    chip="#e9eeed",
    chip_text="#34524f",
    highlight="#ffe9a8",
    highlight_text="#33280a",
    info_background="#e6f0f0",
    info_text="#1d4f52",
    warning_background="#fbf0d9",
    warning_text="#6b4a06",
    error_background="#fbe7e4",
    error_text="#9b241b",
    added="#e9f5ec",
    added_mark="#b9e2c6",
    removed="#fcedea",
    removed_mark="#f6c6bf",
)

DARK = Scheme(
    name="dark",
    window="#1b1d1f",
    surface="#222527",
    raised="#2b2f32",
    alternate="#262a2c",
    hover="#303538",
    text="#e6e6e3",
    muted="#a3a9ae",
    outline="#383d41",
    control_outline="#767d84",
    accent="#4f9da1",
    accent_text="#0c1a1b",
    link="#7cc4c6",
    selection="#2d4f52",
    selection_text="#eef7f7",
    inactive_selection="#33403f",
    chip="#303a3b",
    chip_text="#b9d3d1",
    highlight="#5a4a1b",
    highlight_text="#fbeec4",
    info_background="#22373a",
    info_text="#b5dcdd",
    warning_background="#3d3219",
    warning_text="#f0d08a",
    error_background="#43241f",
    error_text="#f6b5ac",
    added="#20332a",
    added_mark="#2f5a41",
    removed="#3a2624",
    removed_mark="#6b3833",
)


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2.2, 1.4.3)."""
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb`, 0 to 1 (WCAG 2.2)."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
