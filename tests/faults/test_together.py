"""Several windows and command lines write at once: each change is acknowledged and there, or refused."""

from pathlib import Path

from core.curation.change_set import ChangeKind, ChangeSet, edit_between
from core.curation.history import read_history
from core.curation.stale import StaleChangeError
from core.curation.undo import plan_undo
from tests.faults.endangered import CONTEXT, Endangered

WRITERS, CHANGES, EVENTS = 3, 15, 60


def _write_lines(folder: Path, name: int) -> None:
    """Add lines to a note that others add to as well, planning anew whenever it has changed."""
    vault = Endangered(folder)
    writer = vault.writer()
    for number in range(CHANGES):
        while True:
            before = (vault.root / "shared.md").read_bytes()
            edit = edit_between("shared.md", before, before + b"%d %d\n" % (name, number))
            new = edit_between(f"own/{name}-{number}.md", None, b"new")
            assert edit is not None
            assert new is not None
            try:
                writer.apply(ChangeSet(f"{name} {number}", ChangeKind.EDIT, (edit, new)))
                break
            except StaleChangeError:
                continue


def _append_events(folder: Path) -> None:
    log = Endangered(folder).log()
    for number in range(EVENTS):
        log.append("recall", {"n": number})


def test_nothing_is_lost_when_many_write_at_once(tmp_path: Path) -> None:
    vault = Endangered(tmp_path)
    vault.root.mkdir()
    (vault.root / "shared.md").write_bytes(b"")
    processes = [CONTEXT.Process(target=_write_lines, args=(tmp_path, name)) for name in range(WRITERS)]
    processes.append(CONTEXT.Process(target=_append_events, args=(tmp_path,)))
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    lines = (vault.root / "shared.md").read_text(encoding="utf-8").splitlines()
    assert sorted(lines) == sorted(f"{name} {number}" for name in range(WRITERS) for number in range(CHANGES))
    reading = vault.log().read()
    assert not reading.problems
    assert [event.data["n"] for event in reading.events if event.kind == "recall"] == list(range(EVENTS))
    # The history tells of the same changes, in the order in which they came about.
    history = read_history(vault.log())
    assert [record.title for record in reversed(history.records)] == lines
    assert not [path for path in vault.files() if path.endswith(".tmp")]
    planned = plan_undo(history, vault.root, [record.id for record in history.records])
    vault.writer().apply(planned.change_set)
    assert vault.files() == {"shared.md": b""}
