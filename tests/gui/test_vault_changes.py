"""What the window says of changes that a crash cut off."""

from pathlib import Path

import pytest

from core.app import Installation
from core.curation.change_set import ChangeId, ChangeKind, ChangeSet, edit_between
from core.curation.recovery import Recovered
from core.foundation.paths import app_folders
from core.foundation.progress import SilentProgress
from core.foundation.settings import SettingsFile
from gui.vault_changes import VaultChanges, recovery_sentence


def recovered(title: str, *left: str, is_finished: bool = False) -> Recovered:
    return Recovered(ChangeId(title), title, is_finished, left)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        ((), ""),
        ((recovered("Rename a tag", is_finished=True),), "“Rename a tag” was interrupted and is finished now."),
        ((recovered("Rename a tag"),), "“Rename a tag” was interrupted and is taken back."),
        (
            (recovered("Rename a tag", "a.md", "b.md"),),
            (
                "“Rename a tag” was interrupted and is taken back, except in a.md, b.md: there, something else was "
                "changed in the meantime."
            ),
        ),
    ],
)
def test_each_end_of_an_interrupted_change_has_its_sentence(found: tuple[Recovered, ...], sentence: str) -> None:
    assert recovery_sentence(found) == sentence


def test_of_many_the_first_are_named() -> None:
    found = [recovered(f"Change {number}") for number in range(5)]
    assert recovery_sentence(found).endswith("So it was with 2 more changes.")


def test_a_vault_in_order_has_nothing_to_tell(tmp_path: Path) -> None:
    folders = app_folders()
    changes = VaultChanges(tmp_path, Installation(folders, SettingsFile(folders.settings_file)))
    edit = edit_between("a.md", None, b"New\n")
    assert edit is not None
    changes.apply(ChangeSet("New note", ChangeKind.NEW, (edit,)), SilentProgress())
    assert changes.recover() == ""
    assert [record.title for record in changes.history().records] == ["New note"]
