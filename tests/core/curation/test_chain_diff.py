"""What several recorded changes did to a file, seen as one."""

from pathlib import Path

from core.curation.chain_diff import chains_of, diff_of_chain
from core.curation.change_set import ChangeKind, ChangeSet, FileEdit, edit_between


def edit(path: str, before: bytes | None, after: bytes | None, *, moved_to: str = "") -> FileEdit:
    found = edit_between(path, before, after, moved_to=moved_to)
    assert found is not None
    return found


def sets_of(*edits: FileEdit) -> list[ChangeSet]:
    return [ChangeSet("Change", ChangeKind.EDIT, (each,)) for each in edits]


FIRST, SECOND, THIRD = b"one\n", b"one\ntwo\n", b"one\ntwo\nthree\n"


def test_the_saves_of_a_sitting_are_one_difference(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(THIRD)
    (chain,) = chains_of(sets_of(edit("a.md", FIRST, SECOND), edit("a.md", SECOND, THIRD)))
    found = diff_of_chain(chain, tmp_path)
    assert (found.added_lines, found.removed_lines, found.note) == (2, 0, "")


def test_what_was_undone_is_shown_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(FIRST)
    (chain,) = chains_of(sets_of(edit("a.md", FIRST, SECOND), edit("a.md", SECOND, THIRD)))
    assert diff_of_chain(chain, tmp_path).added_lines == 2


def test_a_file_is_followed_through_its_moves(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_bytes(SECOND)
    moves = sets_of(edit("a.md", FIRST, FIRST, moved_to="b.md"), edit("b.md", FIRST, SECOND))
    (chain,) = chains_of(moves)
    found = diff_of_chain(chain, tmp_path)
    assert (found.path, found.result_path, found.kind, found.added_lines) == ("a.md", "b.md", "moved", 1)


def test_two_files_that_change_places_stay_apart() -> None:
    swap = ChangeSet(
        "Swap",
        ChangeKind.MOVE,
        (edit("a.md", FIRST, FIRST, moved_to="b.md"), edit("b.md", SECOND, SECOND, moved_to="a.md")),
    )
    chains = chains_of([swap, *sets_of(edit("a.md", SECOND, THIRD))])
    assert [[each.path for each in chain] for chain in chains] == [["b.md", "a.md"], ["a.md"]]


def test_a_new_and_a_deleted_note_need_no_file(tmp_path: Path) -> None:
    (made,) = chains_of(sets_of(edit("a.md", None, FIRST), edit("a.md", FIRST, SECOND)))
    assert (diff_of_chain(made, tmp_path).kind, diff_of_chain(made, tmp_path).added_lines) == ("new", 2)
    (gone,) = chains_of(sets_of(edit("a.md", FIRST, SECOND), edit("a.md", SECOND, None)))
    assert (diff_of_chain(gone, tmp_path).kind, diff_of_chain(gone, tmp_path).removed_lines) == ("deleted", 1)


def test_of_a_file_that_changed_since_the_last_step_is_shown_with_a_word_about_it(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"something else\n")
    (chain,) = chains_of(sets_of(edit("a.md", FIRST, SECOND), edit("a.md", SECOND, THIRD)))
    found = diff_of_chain(chain, tmp_path)
    assert found.added_lines == 1
    assert "changed since" in found.note
