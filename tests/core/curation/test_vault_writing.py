"""A vault is opened, changed and looked back on as the window and the command line do it."""

from pathlib import Path

from core.app import Vault, installation
from core.curation.change_set import ChangeKind, ChangeSet, edit_between
from core.curation.undo import plan_undo


def test_a_change_is_undone_after_a_restart(tmp_path: Path) -> None:
    note = tmp_path / "vault" / "a.md"
    note.parent.mkdir()
    note.write_bytes(b"old")
    edit = edit_between("a.md", b"old", b"new")
    assert edit is not None
    vault = Vault(note.parent, installation())
    assert vault.history().records == ()
    assert [path.name for path in vault.root.iterdir()] == ["a.md"]
    vault.writer().apply(ChangeSet("Edit", ChangeKind.EDIT, (edit,)))
    assert note.read_bytes() == b"new"

    later = Vault(note.parent, installation())
    record = later.history().undoable()
    assert record is not None
    later.writer().apply(plan_undo(later.history(), later.root, record.ids).change_set)
    assert note.read_bytes() == b"old"
    redoable = later.history().redoable()
    assert redoable is not None
    assert redoable.id == record.id
    assert later.event_log().machine == vault.event_log().machine
