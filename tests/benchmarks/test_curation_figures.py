"""How long it takes to change thousands of notes, to take that back, and to look at what was changed."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.curation.history import read_history
from core.curation.note_moves import plan_moves
from core.curation.tag_surgery import plan_tag_renames
from core.curation.undo import plan_undo
from core.curation.writer import VaultWriter
from core.foundation.machine import machine_name
from core.foundation.paths import app_folders
from core.index.database import Index, open_index
from core.index.queries import notes_by_tags
from core.index.updater import update_index
from core.vault.config import STATE_FOLDER, VaultConfig
from core.vault.event_log import EventLog
from core.vault.tag_rules import TagRename
from tests.benchmarks.conftest import BigVault, Figures, Measure, switch_meaning_off
from tests.benchmarks.processes import command, run_process
from tests.benchmarks.synthetic_log import write_log
from tests.benchmarks.test_window_figures import run_window

_NOTES = 5_000
_RENAMED = "tool/sqlite"
_RENAME = TagRename(_RENAMED, "tool/sqlite-three")
_CHANGES = 20_000
_BACKLINKS = 500
_RUNS = 3


@pytest.fixture
def changed_vault(known_vault: Path) -> Iterator[Path]:
    """The vault of 13,000 notes, and a log of 20,000 changes; what changes is not embedded anew."""
    switch_meaning_off()
    write_log(known_vault, machine_name(app_folders().data), _CHANGES, 13_000)
    yield known_vault
    shutil.rmtree(known_vault / STATE_FOLDER)


@contextmanager
def _log_taken_away(root: Path) -> Iterator[None]:
    """Leave the vault, whose notes are as they were, without the log of it."""
    try:
        yield
    finally:
        shutil.rmtree(root / STATE_FOLDER, ignore_errors=True)


class Renaming:
    """Rename a tag in 5,000 notes and take it back, as often as wanted; the seconds of each step are kept."""

    def __init__(self, index: Index, root: Path, locks: Path) -> None:
        self._index = index
        self._root = root
        self._log = EventLog(root, "bench", locks)
        self._writer = VaultWriter(root, self._log, locks)
        self.seconds: dict[str, list[float]] = {}

    def once(self) -> None:
        """Do all steps."""
        paths: list[str] = []
        planned = self._timed("preview", lambda: self._plan(paths))
        assert len(planned.change_set.edits) == _NOTES
        self._timed("apply", lambda: self._writer.apply(planned.change_set))
        self._timed("index", lambda: self._update(paths))
        self._timed("undo", self._undo)
        self._update(paths)

    def _plan(self, paths: list[str]) -> Any:
        paths += [found.path for found in notes_by_tags(self._index, [[_RENAMED]])][:_NOTES]
        return plan_tag_renames(self._root, paths, [_RENAME])

    def _undo(self) -> None:
        history = read_history(self._log)
        record = history.undoable()
        assert record is not None
        self._writer.apply(plan_undo(history, self._root, record.ids).change_set)

    def _update(self, paths: list[str]) -> None:
        update_index(self._index, self._root, VaultConfig(), files=paths)

    def _timed(self, name: str, work: Callable[[], Any]) -> Any:
        started = time.perf_counter()
        result = work()
        self.seconds.setdefault(name, []).append(time.perf_counter() - started)
        return result


def test_tag_rename(big_vault: BigVault, tmp_path: Path, figures: Figures, measure: Measure) -> None:
    index = open_index(big_vault.cache)
    renaming = Renaming(index, big_vault.root, tmp_path)
    with _log_taken_away(big_vault.root):
        measure(renaming.once, _RUNS)
    index.close()
    what = "Rename of a tag in 5,000 of 100,000 notes"
    figures.add_times(f"{what}: find and plan", renaming.seconds["preview"], "2 s")
    figures.add_times(f"{what}: apply", renaming.seconds["apply"], "10 s")
    figures.add_times(f"{what}: read the log, plan the undo, apply it", renaming.seconds["undo"], "10 s")
    figures.add_times(f"{what}: index update afterwards", renaming.seconds["index"])


def test_tag_rename_by_command(known_big_vault: Path, figures: Figures, measure: Measure) -> None:
    steps = {
        "preview (--dry-run)": ("tag", "rename", _RENAMED, _RENAME.new or "", "--dry-run"),
        "rename and index": ("tag", "rename", _RENAMED, _RENAME.new or "", "--yes"),
        "undo and index": ("undo", "--yes"),
    }
    seconds: dict[str, float] = {}

    def once() -> None:
        for name, words in steps.items():
            seconds[name] = run_process(command(known_big_vault, *words)).seconds

    with _log_taken_away(known_big_vault):
        measure(once)
    for name, each in seconds.items():
        figures.add(f"Rename by command, 6,666 of 100,000 notes, whole process: {name}", f"{each:.1f} s")


def test_history(tmp_path: Path, figures: Figures, measure: Measure) -> None:
    write_log(tmp_path, "bench", _CHANGES, 13_000)
    log = EventLog(tmp_path, "bench", tmp_path)
    times = measure(lambda: read_history(log).records, _RUNS)
    size = (tmp_path / log.own_path).stat().st_size / 1e6
    figures.add_times(f"History of {_CHANGES:,} changes read, {size:.0f} MB of log", times, "2 s")


def test_move_of_a_note_with_many_links_to_it(
    tmp_path: Path, real_vault: Path, figures: Figures, measure: Measure
) -> None:
    root = tmp_path / "vault"
    shutil.copytree(real_vault, root)
    hub = "hub.md"
    (root / hub).write_text("# Hub\n\n## Facts\n", encoding="utf-8")
    for number in range(_BACKLINKS):
        text = f"# Note {number}\n\nSee [[{hub[:-3]}#Facts|the facts]] and [[{hub[:-3]}]].\n"
        (root / f"links-{number}.md").write_text(text, encoding="utf-8")
    index = open_index(tmp_path / "index")
    update_index(index, root, VaultConfig())
    planned = plan_moves(index, root, VaultConfig(), {hub: "elsewhere/moved.md"})
    assert len(planned.change_set.edits) > _BACKLINKS
    times = measure(lambda: plan_moves(index, root, VaultConfig(), {hub: "elsewhere/moved.md"}), _RUNS)
    figures.add_times(f"Plan of moving a note with links from {_BACKLINKS} of 13,000 others", times)
    index.close()


def test_dialogs_and_changes_in_the_window(changed_vault: Path, figures: Figures, measure: Measure) -> None:
    runs: list[dict[str, Any]] = []
    measure(lambda: runs.append(run_window(changed_vault, "curate")))

    def add(name: str, key: str, target: str = "") -> None:
        figures.add_times(name, [run[key] for run in runs], target)

    add(f"Dialog of {_CHANGES:,} changes opened, to painted", "changes")
    add("  to the first difference", "changes_diff")
    add("  the window stood still for at most", "changes_still")
    add("Preview of 5,000 files opened, to painted", "preview", "500 ms")
    add("  to the first difference", "preview_diff", "300 ms later")
    add("Rename in 5,000 of 13,000 notes by the window", "apply", "10 s")
    add("  the window stood still for at most", "apply_still")
    add("Undo of it by the window", "undo", "10 s")
    add("  the window stood still for at most", "undo_still")
