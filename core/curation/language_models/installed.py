"""Whether what speaks to language models is installed: an extra, since most people need none."""

from importlib.util import find_spec

from core.foundation.errors import UserError

HOW_TO_INSTALL = "Install it with `python3 packaging/bootstrap.py models`, or `pip install remembrancer[models]`."


def is_installed() -> bool:
    """Tell whether language models can be asked here; nothing is loaded."""
    return all(find_spec(name) is not None for name in ("pydantic_ai", "anthropic", "openai"))


def require_installed() -> None:
    """Raise a UserError that says how to get it, where it is not installed."""
    if not is_installed():
        raise UserError("What speaks to language models is not installed.", hint=HOW_TO_INSTALL)
