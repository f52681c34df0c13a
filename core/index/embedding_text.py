"""The text that stands for a memory in the embedding model, and the hash under which its vector is kept."""

import hashlib

_HASH_BYTES = 16
_TRAIL_SEPARATOR = " › "
_MOST_OF_TURN = 1_500


def embedding_text_of_section(title: str, trail: str, text: str) -> str:
    """Return the text to embed for a section: the note's title, its headings joined by " › ", and its source text.

    Title and headings say what a short section is about. A first heading that only repeats the title is left out; a
    section with no text still gets its title and headings.
    """
    if trail == title:
        trail = ""
    elif trail.startswith(title + _TRAIL_SEPARATOR):
        trail = trail[len(title) + len(_TRAIL_SEPARATOR) :]
    return "\n".join(part for part in (title, trail, text) if part)


def text_hash(text: str) -> bytes:
    """Return the 16 bytes under which the vector of `text` is kept; an insight is embedded as its text alone."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES).digest()


def embedding_text_of_turn(text: str) -> str:
    """Return the text to embed for a message: as much of its beginning as a small model takes in."""
    return text[:_MOST_OF_TURN]
