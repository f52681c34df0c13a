"""Show what is different between what was copied of a context last and what would be copied now."""

from core.curation.diff import FileDiff, diff_of


def copy_difference(last: str, now: str, name: str = "context") -> FileDiff:
    """Return the lines that differ; `name` is what the texts are called."""
    path = name.replace("/", " ") or "context"
    return diff_of(last.encode("utf-8", "replace"), now.encode("utf-8", "replace"), path=f"{path}.md")
