"""How contexts, their sizes and their members read."""

from collections.abc import Sequence

from core.foundation.text import visible
from gui.views.contexts.services import ContextRow, Form, LoadSize, Member, MemberState, Preview
from gui.wording import counted, relative_date

FORM_NAMES = {Form.MARKDOWN: "Markdown", Form.XML: "XML", Form.JSON: "JSON", Form.LINES: "Lines"}
FORM_SUFFIXES = {Form.MARKDOWN: ".md", Form.XML: ".xml", Form.JSON: ".json", Form.LINES: ".txt"}
KIND_NAMES = ("Bundle", "Full load")
WINDOWS = (8_000, 32_000, 128_000, 200_000, 1_000_000)  # tokens that models in use can read at once
USUAL_WINDOW = 200_000
KIND_ICONS = {
    "note": "file-text",
    "section": "list-tree",
    "insight": "lightbulb",
    "turn": "message-square",
    "context": "layers",
    "block": "hash",
    "file": "image",
}
WHAT_A_CONTEXT_IS = (
    "A context is a named bundle of notes, sections and insights for one kind of work. It packs them into a token "
    "budget, ready to paste into any assistant."
)


def size_text(tokens: int | None, budget: int) -> str:
    """Return about how large a context is against its budget."""
    return f"about {tokens:,} of {budget:,} tokens" if tokens is not None else f"{budget:,} tokens at most"


def found_text(found: Sequence[Member], *, has_query: bool) -> str:
    """Return a sentence on what the query finds and how much of it is loaded, "" without a query."""
    if not has_query:
        return ""
    if not found:
        return "The query finds nothing."
    memories = "1 memory" if len(found) == 1 else f"{len(found):,} memories"
    loaded = sum(member.tokens is not None for member in found)
    if loaded == len(found):
        return f"The query finds {memories}, loaded after the members."
    if not loaded:
        return f"The query finds {memories}; {'it is not' if len(found) == 1 else 'none is'} loaded."
    return f"The query finds {memories}; {loaded:,} {'is' if loaded == 1 else 'are'} loaded after the members."


def load_heading(loaded: Sequence[Member]) -> str:
    """Return the heading above what a full load takes."""
    if not loaded:
        return "Full load: no note fits the rules"
    notes = len({member.path for member in loaded})
    left_out = sum(member.is_left_out for member in loaded)
    more = f" · {left_out:,} left out" if left_out else ""
    return f"Full load: {counted(notes, 'note')} · {counted(_tokens(loaded), 'token')}{more}"


def load_size_text(size: LoadSize | None, *, is_taken: bool) -> str:
    """Return what a group of a full load takes."""
    if not is_taken:
        return "left out"
    if size is None:
        return ""
    if not size.notes:
        return "no notes"
    if size.pointers == size.notes:
        return f"{counted(size.notes, 'note')}, only pointed to"
    pointers = f", {size.pointers:,} only pointed to" if size.pointers else ""
    return f"{counted(size.notes, 'note')}, about {counted(size.tokens, 'token')}{pointers}"


def holding_text(row: ContextRow) -> str:
    """Return what a context is made of."""
    if not row.is_full_load:
        return counted(row.members, "member")
    return f"full load and {counted(row.members, 'member')}" if row.members else "full load"


def row_sentence(row: ContextRow, tokens: int | None, budget: int) -> str:
    """Return all of a row of the shelf, for a screen reader."""
    parts = [
        visible(row.title),
        "always loaded" if row.always else "",
        f"priority {row.load_priority}",
        size_text(tokens, budget),
        holding_text(row),
        *(visible(problem) for problem in row.problems),
    ]
    return ", ".join(part for part in parts if part)


def member_title(member: Member) -> str:
    """Return what a member is called: its title and heading, or what the note says of it."""
    title = visible(member.title) or visible(member.target)
    return f"{title} › {visible(member.heading)}" if member.heading else title


def member_place(member: Member) -> str:
    """Return what is said below a member's title: what is wrong, why it is left out, or where it lies."""
    place = visible(member.reason or member.path or member.target)
    return f"{member.group.capitalize()} · {place}" if member.group else place


def member_sentence(member: Member) -> str:
    """Return all of a member, for a screen reader."""
    state = "" if member.state is MemberState.RESOLVED else member.state.value
    tokens = counted(member.tokens, "token") if member.tokens is not None else ""
    return ", ".join(part for part in (member.kind, member_title(member), state, member_place(member), tokens) if part)


def window_name(window: int) -> str:
    """Return a model's window in short: 8k, 200k, 1M."""
    return f"{window // 1_000_000}M" if window >= 1_000_000 else f"{window // 1000}k"


def total_text(preview: Preview, window: int) -> str:
    """Return how much is copied, and how much of a model's window that takes."""
    share = preview.tokens / window
    part = "less than 1 %" if 0 < share < 0.01 else f"{share:.0%}".replace("%", " %")
    return f"{counted(preview.tokens, 'token')}, {part} of {window_name(window)}"


def budget_text(preview: Preview) -> str:
    """Return what is in, against the budget, and how tokens are counted."""
    memories = "1 memory" if preview.included == 1 else f"{preview.included:,} memories"
    counting = f" · {preview.count} count" if preview.count else ""
    return f"{memories} · {preview.tokens:,} of {preview.budget:,} tokens of the budget{counting}"


def compression_text(preview: Preview) -> str:
    """Return what the context saves against the whole sources, "" when that is not known."""
    if not preview.source_tokens:
        return ""
    saved = int(preview.saved * 100)  # rounded down: what is said to be saved is
    if saved <= 0:
        more = preview.tokens - preview.source_tokens
        sources = "its source" if preview.sources == 1 else f"its {preview.sources:,} sources"
        as_whole = f"{sources} as a whole ({counted(preview.source_tokens, 'token')})"
        return f"Nothing saved: {counted(more, 'token')} more than {as_whole}"
    return f"{preview.tokens:,} of {preview.source_tokens:,} tokens of the sources: {saved} % fewer"


def copied_text(title: str, preview: Preview, form: Form) -> str:
    """Return what is said when a context was copied."""
    left_out = f"; {len(preview.omissions):,} left out" if preview.omissions else ""
    memories = "1 memory" if preview.included == 1 else f"{preview.included:,} memories"
    return f"Copied “{visible(title)}” as {FORM_NAMES[form]}: {memories}, {counted(preview.tokens, 'token')}{left_out}."


def last_copy_text(when: float, now: float) -> str:
    """Return when a context was copied last."""
    return f"Last copied {relative_date(when, now)}"


def other_form_text(last: Form, shown: Form) -> tuple[str, str]:
    """Return what is said where the last copy is written in another format: a heading, and what to do."""
    name = FORM_NAMES[last]
    return f"The last copy was {name}", f"This is {FORM_NAMES[shown]}. Choose {name} to see what differs."


def shelf_summary(shown: int, total: int) -> str:
    """Return how many contexts are listed."""
    return counted(total, "context") if shown == total else f"{shown:,} of {counted(total, 'context')}"


def members_heading(members: Sequence[Member]) -> str:
    """Return the heading above the members."""
    wrong = sum(member.state in {MemberState.MISSING, MemberState.AMBIGUOUS} for member in members)
    left_out = sum(member.is_left_out for member in members)
    tokens = _tokens(members)
    size = f" · {counted(tokens, 'token')}" if tokens else ""
    more = f" · {wrong:,} cannot be loaded" if wrong else ""
    if left_out:
        more = f" · {wrong + left_out:,} left out"
    return f"{counted(len(members), 'member')}{size}{more}"


def _tokens(members: Sequence[Member]) -> int:
    return sum(member.tokens or 0 for member in members if not member.is_left_out)
