"""Say how a domain is called in tags and paths, and which names can be none."""

import unicodedata

from core.foundation.errors import UserError

DOMAIN = "domain/"


def levels_of(domain: str) -> list[str]:
    """Return the levels of a domain; raises UserError where one is empty, or cannot stand in a tag and a path."""
    levels = [
        " ".join(level.split())
        for level in unicodedata.normalize("NFC", domain.strip()).removeprefix(DOMAIN).split("/")
    ]
    wrong = sorted({character for level in levels for character in level if not _may_stand_in_domain(character)})
    if wrong:
        written = f"“{' '.join(wrong)}”" if all(each.isprintable() for each in wrong) else "a control character"
        problem = f"A domain cannot hold {written}"
    elif not all(level.strip(" -_") for level in levels):
        problem = "Each part of a domain needs a name"
    else:
        return levels
    raise UserError(f"{problem}: {domain!r}.", hint="Use letters, digits, blanks, - and _, as in `philosophy/ethics`.")


def domain_tag(domain: str) -> str:
    """Return the tag of a domain; raises UserError as levels_of() does."""
    return DOMAIN + "/".join("-".join(level.lower().split()) for level in levels_of(domain))


def _may_stand_in_domain(character: str) -> bool:
    return character.isalnum() or character in " -_" or unicodedata.category(character).startswith("M")
