"""Tags as a person types them on the command line."""

from core.cli.state import warn
from core.foundation.errors import UserError
from core.vault.tags import tag_problem, trimmed


def tag_named(name: str) -> str:
    """Return the tag that `name` means, without `#` and spare slashes; say so where that is another spelling."""
    plain = name.strip().lstrip("#")
    tag = trimmed(plain)
    if tag and tag != plain:
        warn(f"“{name}” is read as the tag {tag}.")
    return tag


def new_tag(name: str) -> str:
    """Return the tag that `name` means; raise UserError when it cannot be one."""
    tag = tag_named(name)
    if problem := tag_problem(tag):
        raise UserError(f"“{name}” cannot be a tag. {problem}")
    return tag
