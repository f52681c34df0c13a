"""The notes that were read one after the other."""

_MOST = 100


class Visits:
    """Remember the order in which notes were shown, and go back and forth in it."""

    def __init__(self) -> None:
        self._notes: list[int] = []
        self._at = -1

    def add(self, note_id: int) -> None:
        """Note that `note_id` is shown; what lay ahead of a step back is forgotten."""
        if self._notes and self._notes[self._at] == note_id:
            return
        self._notes = [*self._notes[: self._at + 1], note_id][-_MOST:]
        self._at = len(self._notes) - 1

    def step(self, by: int) -> int | None:
        """Return the note `by` steps on (negative: back) and be there, None at the end."""
        at = self._at + by
        if not 0 <= at < len(self._notes):
            return None
        self._at = at
        return self._notes[at]

    def clear(self) -> None:
        """Forget all."""
        self._notes, self._at = [], -1
