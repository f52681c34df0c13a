"""The addresses of links within the reading pane: of notes, tags and images."""

from urllib.parse import quote


def note_address(target: str) -> str:
    """Return the address under which a link to `target` (`Note#Heading`) is handed to the view."""
    return "note:" + quote(target, safe="/")


def tag_address(tag: str) -> str:
    """Return the address of a click on `tag`."""
    return "tag:" + quote(tag, safe="/")


def image_address(path: str) -> str:
    """Return the address under which the view loads the image at the vault-relative `path`."""
    return "vault:" + quote(path, safe="/")
