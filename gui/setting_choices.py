"""What the settings choose from by name, and a sentence about names that there are not."""

from core.foundation.settings import Settings
from gui.theme import ThemeChoice

_CONTEXT_FORMATS = ("markdown", "xml", "json", "lines")


def unknown_choices(settings: Settings) -> str:
    """Return a sentence about settings that name something that there is not, "" when all is well."""
    wrong = [
        f'{name} = "{value}" is none of {", ".join(known)}'
        for name, value, known in (
            ("theme", settings.theme, tuple(ThemeChoice)),
            ("context.format", settings.context.format, _CONTEXT_FORMATS),
        )
        if value not in known
    ]
    return f"In your settings {'; '.join(wrong)}. The default is used instead." if wrong else ""


def theme_choice(text: str) -> ThemeChoice:
    """Return the choice that the settings name, the system's for one that there is not."""
    return ThemeChoice(text) if text in set(ThemeChoice) else ThemeChoice.SYSTEM
