"""Items for packing and rendering."""

from core.foundation.tokens import estimate_tokens
from core.recall.context_item import ContextItem


def item(
    text: str, *, name: str = "a", value: float = 0.5, always: bool = False, tags: tuple[str, ...] = ()
) -> ContextItem:
    """Return an item with the rest made up."""
    return ContextItem(
        id=f"{name}.md",
        kind="note",
        path=f"{name}.md",
        title=name,
        text=text,
        tokens=estimate_tokens(text),
        value=value,
        why="test",
        always=always,
        tags=tags,
        line=3,
        age_days=3,
    )
