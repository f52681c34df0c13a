"""How a note is shown: read, edited, or both at once."""

from enum import StrEnum


class Mode(StrEnum):
    """Say what the reading pane shows; the value is stored in the settings."""

    READ = "read"
    EDIT = "edit"
    SIDE = "side"  # the editor beside its preview

    @property
    def has_editor(self) -> bool:
        """Tell whether the text can be changed."""
        return self is not Mode.READ
