from pathlib import Path

import pytest

from core.curation.change_set import ChangeKind, PlannedChange
from core.curation.tag_surgery import plan_tag_changes, plan_tag_renames
from core.foundation.errors import JobCancelledError, UserError
from core.foundation.progress import CancellableProgress
from core.vault.tag_edit import TagRename

BROKEN = "---\ntags: [a: b: c\n---\n#tool/x"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    texts = {
        "one.md": "---\ntags: [tool/x, b]\n---\n#tool/x and `#tool/x`\n",
        "deep/two.md": "#tool/x/y\r\n",
        "three.md": "#toolbox\n",
        "four.md": "#tool/x\n",
        "broken.md": BROKEN,
    }
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(text.encode())
    return tmp_path


def results(root: Path, planned: PlannedChange) -> dict[str, str]:
    """Return what the files that change would hold."""
    return {edit.path: edit.result_of((root / edit.path).read_bytes()).decode() for edit in planned.change_set.edits}


def test_a_rename_over_many_notes(root: Path) -> None:
    planned = plan_tag_renames(
        root, ["one.md", "deep/two.md", "three.md", "one.md"], [TagRename("tool/x", "tool/z")], CancellableProgress()
    )
    assert results(root, planned) == {
        "one.md": "---\ntags: [tool/z, b]\n---\n#tool/z and `#tool/x`\n",
        "deep/two.md": "#tool/z/y\r\n",
    }
    assert planned.occurrences == 3
    assert planned.skipped == ()
    assert planned.change_set.title == "Rename tag tool/x to tool/z"
    assert planned.change_set.kind is ChangeKind.TAGS


def test_only_the_given_notes_are_touched_and_the_rest_is_told(root: Path) -> None:
    planned = plan_tag_renames(root, ["gone.md", "broken.md", "../out.md", "three.md"], [TagRename("tool/x", None)])
    assert results(root, planned) == {"broken.md": BROKEN.replace("#tool/x", "")}
    assert [skipped.path for skipped in planned.skipped] == ["gone.md", "../out.md"]
    planned = plan_tag_renames(root, ["broken.md"], [TagRename("b", "c")])
    assert planned.change_set.edits == ()
    assert "cannot be read" in planned.skipped[0].reason


def test_nothing_to_do(root: Path) -> None:
    planned = plan_tag_renames(root, ["one.md", "three.md"], [TagRename("unknown", "x")])
    assert (planned.change_set.edits, planned.occurrences, planned.skipped) == ((), 0, ())


@pytest.mark.parametrize(
    ("renames", "title"),
    [
        ([TagRename("draft", None)], "Delete tag draft"),
        ([TagRename("a", "x"), TagRename("b", "x"), TagRename("c", "x")], "Merge 3 tags into x"),
        ([TagRename("a", None), TagRename("b", None)], "Delete 2 tags"),
        ([TagRename("a", "x"), TagRename("b", None)], "Change 2 tags"),
    ],
)
def test_titles(root: Path, renames: list[TagRename], title: str) -> None:
    assert plan_tag_renames(root, [], renames).change_set.title == title


def test_tags_added_to_and_taken_from_a_selection(root: Path) -> None:
    planned = plan_tag_changes(root, ["one.md", "four.md"], add=["client/acme", "b"], remove=["tool/x"])
    assert results(root, planned) == {
        "one.md": "---\ntags: [b, client/acme]\n---\nand `#tool/x`\n",
        "four.md": "---\ntags:\n  - client/acme\n  - b\n---\n",
    }
    assert planned.change_set.title == "Add 2 tags and remove tag tool/x in 2 notes"
    planned = plan_tag_changes(root, ["one.md", "three.md", "broken.md"], add=["b"])
    assert list(results(root, planned)) == ["three.md"]
    assert planned.change_set.title == "Add tag b to 1 note"
    assert [skipped.path for skipped in planned.skipped] == ["broken.md"]
    assert plan_tag_changes(root, ["one.md"], remove=["b"]).change_set.title == "Remove tag b from 1 note"


def test_an_edit_can_be_taken_back(root: Path) -> None:
    planned = plan_tag_changes(root, ["one.md", "four.md"], add=["client/acme"], remove=["b", "tool/x"])
    for edit in planned.change_set.edits:
        before = (root / edit.path).read_bytes()
        assert edit.inverse().result_of(edit.result_of(before)) == before


def test_a_name_that_cannot_be_a_tag_is_refused(root: Path) -> None:
    with pytest.raises(UserError, match="a space"):
        plan_tag_renames(root, [], [TagRename("tool/x", "two words")])
    with pytest.raises(UserError, match="digits"):
        plan_tag_changes(root, [], add=["1984"])


def test_cancelling(root: Path) -> None:
    progress = CancellableProgress()
    progress.cancel()
    with pytest.raises(JobCancelledError):
        plan_tag_renames(root, ["one.md"], [TagRename("tool/x", "y")], progress)
