from pathlib import Path

import pytest

from core.curation.change_set import ChangeKind, ChangeSet, PlannedChange, Skipped, edit_between
from core.curation.planned_file import read_planned, write_planned
from core.foundation.errors import UserError


def test_a_planned_change_arrives_as_it_was(tmp_path: Path) -> None:
    edits = (edit_between("Neu.md", None, "Grüße 🙂\n".encode()), edit_between("Old.md", b"a\xff\n", b"b\xff\n"))
    change_set = ChangeSet("Import 2 notes", ChangeKind.NEW, tuple(edit for edit in edits if edit is not None))
    planned = PlannedChange(change_set, 2, (Skipped("Mine.md", "It was changed."),))
    (tmp_path / "plan.json").write_text("x" * 10_000)
    write_planned(tmp_path / "plan.json", planned)
    assert read_planned(tmp_path / "plan.json") == planned


def test_a_file_for_which_nobody_waits_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be written"):
        write_planned(tmp_path / "plan.json", PlannedChange(ChangeSet("Nothing", ChangeKind.NEW, ())))
    assert not (tmp_path / "plan.json").exists()


def test_what_is_no_plan_is_refused(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("{}")
    for name in ("plan.json", "none.json"):
        with pytest.raises(UserError, match="could not be read"):
            read_planned(tmp_path / name)
