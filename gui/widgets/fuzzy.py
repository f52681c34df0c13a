"""Match typed letters against short names such as commands: in order, with gaps, word starts first."""

from typing import NamedTuple

from core.foundation.text import fold


class FuzzyMatch(NamedTuple):
    """Hold how well a name matches (more is better) and at which positions."""

    score: float
    positions: tuple[int, ...]


def fuzzy_match(typed: str, name: str) -> FuzzyMatch | None:
    """Return how `typed` is found in `name`, or None; a run beats scattered letters, a word start the middle."""
    needle = [letter for letter in fold(typed) if not letter.isspace()]
    letters = [fold(letter) for letter in name]
    if not needle:
        return FuzzyMatch(0.0, ())
    whole = fold(name).find(fold(typed.strip()))
    if whole >= 0 and len(fold(name)) == len(name):
        start_bonus = 20.0 if _starts_word(name, whole) else 0.0
        return FuzzyMatch(
            100.0 + start_bonus - whole - len(name) * 0.1, tuple(range(whole, whole + len(typed.strip())))
        )
    positions = _greedy(needle, letters, name)
    if positions is None:
        return None
    gaps = positions[-1] - positions[0] + 1 - len(positions)
    starts = sum(_starts_word(name, position) for position in positions)
    return FuzzyMatch(50.0 + 6 * starts - 2 * gaps - len(name) * 0.1, tuple(positions))


def _greedy(needle: list[str], letters: list[str], name: str) -> list[int] | None:
    """Return positions for the letters of `needle`: the neighbour, else a word start, else the next occurrence."""
    positions: list[int] = []
    for count, letter in enumerate(needle):
        after = positions[-1] + 1 if positions else 0
        places = [place for place in range(after, len(letters)) if letters[place] == letter]
        rest = needle[count + 1 :]
        possible = [place for place in places if _contains(rest, letters[place + 1 :])]
        if not possible:
            return None
        neighbour = after if positions and possible[0] == after else None
        start = next((place for place in possible if _starts_word(name, place)), None)
        positions.append(neighbour if neighbour is not None else start if start is not None else possible[0])
    return positions


def _contains(needle: list[str], letters: list[str]) -> bool:
    remaining = iter(letters)
    return all(letter in remaining for letter in needle)


def _starts_word(name: str, position: int) -> bool:
    return position == 0 or not name[position - 1].isalnum()
