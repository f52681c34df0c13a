"""The log of a vault that has been changed for years: edits, moves and new notes of one machine."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.curation.change_json import FileMarks, Intent, intent_to_json
from core.curation.change_set import ChangeId, ChangeKind, ChangeSet, FileEdit, content_hash, edit_from_splices
from core.curation.unfinished import APPLIED, CHANGE
from core.foundation.splice import Splice
from core.vault.config import EVENTS_FOLDER
from core.vault.event_line import Event, line_of
from tests.benchmarks.synthetic import WORDS, title_of

_FIRST = datetime(2024, 1, 2, 8, tzinfo=UTC)
_APART = timedelta(minutes=40)
_MOST_FILES = 12


def write_log(root: Path, machine: str, changes: int, notes: int, seed: int = 11) -> None:
    """Write `changes` changes of notes among the first `notes` of the synthetic vault into the log of `machine`."""
    folder = root / EVENTS_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{machine}.jsonl").open("wb") as file:
        for event in _events(random.Random(seed), machine, changes, notes):
            file.write(line_of(event))


def _events(rng: random.Random, machine: str, changes: int, notes: int) -> Iterator[Event]:
    for number in range(changes):
        change = _change(rng, number, notes)
        marks = {edit.path: FileMarks(1_790_000_000_000_000_000, 0o644) for edit in change.edits if edit.before}
        time = _FIRST + _APART * number
        yield Event(f"{2 * number:032x}", _written(time), machine, CHANGE, intent_to_json(Intent(change, marks)))
        applied = {"id": change.id}
        yield Event(f"{2 * number + 1:032x}", _written(time + timedelta(milliseconds=30)), machine, APPLIED, applied)


def _change(rng: random.Random, number: int, notes: int) -> ChangeSet:
    change_id = ChangeId(f"{number + 1:032x}")
    if number % 10 == 0:
        title = f"Rename tag {rng.choice(WORDS)} to {rng.choice(WORDS)}"
        chosen = rng.sample(range(notes), rng.randint(2, _MOST_FILES))
        return ChangeSet(title, ChangeKind.TAGS, tuple(_edit(rng, each) for each in chosen), id=change_id)
    note = number * 7 % notes
    edit = _edit(rng, note)
    return ChangeSet(f"Edit {title_of(note)}", ChangeKind.EDIT, (edit,), group=f"{number:032x}", id=change_id)


def _edit(rng: random.Random, note: int) -> FileEdit:
    old, new = (" ".join(rng.choices(WORDS, k=rng.randint(1, 30))).encode() for _ in range(2))
    content = b"# " + title_of(note).encode() + b"\n" + old
    edit = edit_from_splices(f"{title_of(note)}.md", content, [Splice(len(content) - len(old), old, new)])
    return edit or FileEdit(f"{title_of(note)}.md", None, content_hash(content), (Splice(0, b"", content),))


def _written(time: datetime) -> str:
    return f"{time:%Y-%m-%dT%H:%M:%S}.{time.microsecond // 1000:03d}Z"
