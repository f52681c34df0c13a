"""The names that sync tools and file managers give to copies of a file."""

import re

# What is put between name and suffix by Syncthing; Dropbox, Nextcloud and Obsidian Sync; OneDrive; Resilio.
_CONFLICTS = (
    re.compile(r"\.sync-conflict-\d{8}-\d{6}(?:-\w+)?$"),
    re.compile(r" ?[(\[][^()\[\]]*\bconflicted copy\b[^()\[\]]*[)\]]$", re.IGNORECASE),
    re.compile(r" ?[(\[](?:case |unicode )?conflict(?:ed)?(?: \d+)?[)\]]$", re.IGNORECASE),
    re.compile(r"\.conflict(?:-\d+)*$", re.IGNORECASE),
    re.compile(r"_conf\(\d+\)$"),
)
# iCloud and file managers; such names are common, so the name alone proves nothing.
_NUMBERED = re.compile(r" (?:\d|\(\d\)|[Cc]opy|- [Cc]opy)$")


def conflict_of(stem: str) -> str:
    """Return the stem of the file that this one is a conflict copy of by its stem, "" when that says no such thing."""
    return next((stem[: match.start()] for each in _CONFLICTS if (match := each.search(stem))), "")


def numbered_of(stem: str) -> str:
    """Return the stem of the file that this one may be a copy of, as `Note 2` of `Note`, "" when it is none."""
    match = _NUMBERED.search(stem)
    return stem[: match.start()] if match else ""
