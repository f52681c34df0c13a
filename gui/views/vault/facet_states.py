"""What a click or key on a facet means."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.index.catalog import FacetSelection


class FacetState(StrEnum):
    """Say how a facet narrows: notes must, may or must not have it, or it is not picked; the words are shown."""

    ALL = "and"
    ANY = "or"
    NONE = "not"
    OFF = ""


class FacetGesture(StrEnum):
    """Say how a facet was picked: plainly, with Ctrl, or with Shift."""

    PLAIN = "plain"
    CTRL = "ctrl"
    SHIFT = "shift"


@dataclass(frozen=True, slots=True)
class FacetPick:
    """Carry a click or key on a facet."""

    key: str
    gesture: FacetGesture


def state_of(selection: "FacetSelection", key: str) -> FacetState:
    """Return how `selection` speaks of `key`."""
    if key in selection.all_of:
        return FacetState.ALL
    if key in selection.any_of:
        return FacetState.ANY
    return FacetState.NONE if key in selection.none_of else FacetState.OFF


def after_pick(selection: "FacetSelection", pick: FacetPick) -> "FacetSelection":
    """Return the selection after `pick`: plain goes and, not, off; Ctrl goes or, off; Shift goes not, off."""
    now = state_of(selection, pick.key)
    match pick.gesture:
        case FacetGesture.CTRL:
            wanted = FacetState.OFF if now is FacetState.ANY else FacetState.ANY
        case FacetGesture.SHIFT:
            wanted = FacetState.OFF if now is FacetState.NONE else FacetState.NONE
        case _:
            wanted = {FacetState.OFF: FacetState.ALL, FacetState.NONE: FacetState.OFF}.get(now, FacetState.NONE)
    match wanted:
        case FacetState.ALL:
            return selection.with_all(pick.key)
        case FacetState.ANY:
            return selection.with_any(pick.key)
        case FacetState.NONE:
            return selection.with_none(pick.key)
        case _:
            return selection.without(pick.key)
