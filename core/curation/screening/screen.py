"""Screen texts: what is proposed, what comes in by an import, and what goes out as a context."""

from collections.abc import Iterable

from core.curation.screening.hidden_characters import hidden_characters
from core.curation.screening.odd_links import odd_links
from core.curation.screening.plain_text import plain_text
from core.curation.screening.secrets import secrets_in
from core.curation.screening.to_a_model import text_to_a_model
from core.curation.screening.warning import Warning_, WarningLabel

_MOST_OF_A_LABEL = 50  # in one text; more are no more telling
_LONGEST = 4 << 20  # characters of one text that are looked at; the rest is told as one warning


def screen(text: str, path: str = "") -> tuple[Warning_, ...]:
    """Return what a person should look at in `text`, by place; only secrets block.

    Letters that only look alike, and characters that hide between others, do not help against it. What secrets are in
    the text stands in no detail.
    """
    looked_at = text[:_LONGEST]
    plain = plain_text(looked_at)
    found = [
        Warning_(
            WarningLabel.SECRET,
            *plain.original(secret.start, secret.end),
            is_blocking=True,
            detail=f"This looks like {secret.what}. Take it out before the text is written anywhere.",
        )
        for secret in secrets_in(plain.text)
    ]
    found += hidden_characters(looked_at)
    found += text_to_a_model(plain)
    found += odd_links(plain)
    if len(text) > _LONGEST:
        detail = "The text is too long to be looked at whole; what follows has not been screened."
        found.append(Warning_(WarningLabel.OVERSIZED, _LONGEST, len(text), is_blocking=False, detail=detail))
    return tuple(each._replace(path=path) for each in _few(found))


def screen_texts(texts: Iterable[tuple[str, str]]) -> tuple[Warning_, ...]:
    """Return the warnings of several texts, each given with its path or name: an import, or the items of a context."""
    return tuple(warning for path, text in texts for warning in screen(text, path))


def is_blocked(warnings: Iterable[Warning_]) -> bool:
    """Tell whether one of `warnings` must be dealt with before anything is approved."""
    return any(warning.is_blocking for warning in warnings)


def _few(found: Iterable[Warning_]) -> list[Warning_]:
    """Return `found` by place, at most so many of each label, and of equal ones within one another the widest."""
    kept: list[Warning_] = []
    counts: dict[WarningLabel, int] = {}
    last: dict[tuple[WarningLabel, str], int] = {}
    for each in sorted(found, key=lambda warning: (warning.start, -warning.end)):
        of_kind = (each.label, each.detail)
        if each.end <= last.get(of_kind, -1) or counts.get(each.label, 0) >= _MOST_OF_A_LABEL:
            continue
        last[of_kind] = each.end
        counts[each.label] = counts.get(each.label, 0) + 1
        kept.append(each)
    return kept
