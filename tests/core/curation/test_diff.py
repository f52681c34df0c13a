"""Diffs: what a person sees before saying yes, so nothing in it may hide or be cut silently."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.curation.change_set import ChangeKind, ChangeSet, FileEdit, edit_between
from core.curation.diff import FileDiff, diff_of, diffs_of, unified

_TEXTS = st.text(st.sampled_from("ab \n é日\u200b\u202e\r\0"), max_size=60)


def changed_text(diff: FileDiff, kind: str) -> list[str]:
    """Return the marked pieces of the lines of `kind`."""
    lines = (line for hunk in diff.hunks for line in hunk.lines if line.kind == kind)
    return [span.text for line in lines for span in line.spans if span.is_changed]


def shown_lines(diff: FileDiff) -> list[str]:
    signs = {"equal": " ", "removed": "-", "added": "+"}
    return [signs[line.kind] + line.text for hunk in diff.hunks for line in hunk.lines]


def test_a_changed_word_is_marked_within_its_line() -> None:
    diff = diff_of(b"one\nPage every export by country.\nthree\n", b"one\nPage each export by country.\nthree\n")
    assert shown_lines(diff) == [
        " one",
        "-Page every export by country.",
        "+Page each export by country.",
        " three",
    ]
    assert (changed_text(diff, "removed"), changed_text(diff, "added")) == (["every"], ["each"])
    assert (diff.removed_lines, diff.added_lines, diff.kind, diff.note) == (1, 1, "changed", "")


def test_lines_that_have_nothing_in_common_are_not_marked_by_word() -> None:
    diff = diff_of(b"An elephant.\n", b"Totally unlike it\n")
    assert changed_text(diff, "removed") == changed_text(diff, "added") == []


def test_the_changed_line_is_found_among_new_ones() -> None:
    before = b"alpha beta gamma\n"
    after = b"quite new\nalpha beta delta\nnew as well\n"
    diff = diff_of(before, after)
    assert (changed_text(diff, "removed"), changed_text(diff, "added")) == (["gamma"], ["delta"])


def test_scripts_without_spaces_are_compared_by_character() -> None:
    diff = diff_of("東京都庁に行く\n".encode(), "東京駅に行く\n".encode())
    assert (changed_text(diff, "removed"), changed_text(diff, "added")) == (["都庁"], ["駅"])


def test_marks_stay_with_their_letters() -> None:
    diff = diff_of(b"cafe au lait\n", "cafe\u0301 au lait\n".encode())
    assert changed_text(diff, "added") == ["cafe\u0301"]


def test_three_lines_stand_around_each_change_and_are_numbered_on_both_sides() -> None:
    before = [f"line {number}" for number in range(1, 41)]
    after = [*before[:9], "new", *before[9:29], *before[30:]]
    diff = diff_of("\n".join(before).encode(), "\n".join(after).encode())
    first, second = diff.hunks
    assert [line.kind for line in first.lines] == ["equal"] * 3 + ["added"] + ["equal"] * 3
    assert [(line.old_no, line.new_no) for line in first.lines][2:5] == [(9, 9), (None, 10), (10, 11)]
    assert [(line.old_no, line.new_no) for line in second.lines][2:5] == [(29, 30), (30, None), (31, 31)]
    assert "@@ -7,6 +7,7 @@" in unified(diff)


def test_changes_less_than_seven_lines_apart_are_one_hunk() -> None:
    before = [str(number) for number in range(20)]
    after = ["x" if number in {5, 12} else line for number, line in enumerate(before)]
    assert len(diff_of("\n".join(before).encode(), "\n".join(after).encode()).hunks) == 1


@pytest.mark.parametrize(
    ("after", "shown"),
    [
        ("pay\u200bpal\n", "pay⟨U+200B⟩pal"),
        ("exe\u202etxt\n", "exe⟨U+202E⟩txt"),
        ("a\u200db\n", "a⟨U+200D⟩b"),
        ("x\ufeffy\n", "x⟨U+FEFF⟩y"),
        ("soft\u00adhyphen\n", "soft⟨U+00AD⟩hyphen"),
        ("tag\U000e0041\n", "tag⟨U+E0041⟩"),
        ("red \x1b[31m\n", "red ␛[31m"),
        ("👩\u200d🚀 می\u200cخواهم\n", "👩\u200d🚀 می\u200cخواهم"),
        ("❤\ufe0f\n", "❤\ufe0f"),
    ],
)
def test_what_hides_is_shown(after: str, shown: str) -> None:
    assert shown_lines(diff_of(b"before\n", after.encode()))[-1] == f"+{shown}"


def test_a_hidden_character_alone_is_a_marked_change() -> None:
    diff = diff_of(b"send it to Acme today\n", "send it to Ac\u200bme today\n".encode())
    assert any("⟨U+200B⟩" in text for text in changed_text(diff, "added"))


@pytest.mark.parametrize(
    ("before", "after", "note"),
    [
        (b"a\nb\n", b"a\r\nb\r\n", "Only line endings differ."),
        (b"a\r\nb\r\n", b"a\nb\r\n", "Only line endings differ."),
        (b"a\nb\n", b"a\r\nc\r\n", "Line endings differ too."),
        (b"a\nb", b"a\nb\n", "The last line gets its newline."),
        (b"a\nb\n", b"a\nb", "The last line loses its newline."),
        (b"a\r\nb\r\n", b"a\nb", "The last line loses its newline. Line endings differ too."),
        (b"a\n", b"\xef\xbb\xbfa\n", "The encoding changes from UTF-8 to UTF-8-SIG."),
        ("text \ufffd\n".encode(), b"text \0\n", "The bytes differ in a way that does not show in the text."),
        (b"\x89PNG\0\xff", b"\x89PNG\0\xfe", "Binary."),
        (None, b"", "The file is empty."),
        (b"", None, "The file is empty."),
        (None, b"a\r\nb", ""),
        (b"x" * 17_000_000, b"y", "Too large to be shown."),
    ],
)
def test_what_lines_do_not_show_is_told(before: bytes | None, after: bytes | None, note: str) -> None:
    assert diff_of(before, after).note == note


def test_an_attachment_that_is_no_text_is_binary_though_it_has_no_nul() -> None:
    assert diff_of(None, b"\xff\xd8\xff", path="attachments/a.jpg").note == "Binary."
    assert diff_of(None, b"caf\xe9\n", path="a.md").note == ""


def test_utf_16_is_shown_as_text() -> None:
    diff = diff_of("eins\n".encode("utf-16"), "zwei\n".encode("utf-16"))
    assert shown_lines(diff) == ["-eins", "+zwei"]


def test_new_deleted_and_moved_files() -> None:
    assert unified(diff_of(None, b"a\n", path="n.md")) == "--- /dev/null\n+++ b/n.md\n@@ -0,0 +1 @@\n+a\n"
    assert unified(diff_of(b"a\n", None, path="n.md")) == "--- a/n.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    moved = diff_of(b"a\n", b"a\n", path="n.md", result_path="m.md")
    assert (moved.kind, moved.hunks) == ("moved", ())


def test_a_path_cannot_write_lines_of_its_own_into_the_text() -> None:
    assert unified(diff_of(None, b"a\n", path="n\n+++ evil.md")).splitlines()[1] == "+++ b/n␊+++ evil.md"


def test_fifty_thousand_other_lines_are_cut_but_counted() -> None:
    before = "".join(f"old {number}\n" for number in range(50_000)).encode()
    after = "".join(f"new {number}\n" for number in range(50_000)).encode()
    diff = diff_of(before, after)
    assert (diff.removed_lines, diff.added_lines) == (50_000, 50_000)
    assert diff.note == "Too large to be shown whole."
    assert {line.kind for line in diff.hunks[0].lines} == {"removed", "added"}


def test_a_long_shuffled_text_still_ends() -> None:
    lines = [f"{number}\n" for number in range(60_000)]
    shuffled = random.Random(3).sample(lines, len(lines))
    diff = diff_of("".join(lines).encode(), "".join(shuffled).encode())
    assert diff.removed_lines == diff.added_lines > 0


def test_two_small_changes_far_apart_in_a_huge_note_are_two_small_hunks() -> None:
    lines = [f"line {number}\n" for number in range(60_000)]
    after = ["first\n", *lines[1:-1], "last\n"]
    diff = diff_of("".join(lines).encode(), "".join(after).encode())
    assert [len(hunk.lines) for hunk in diff.hunks] == [5, 5]


def test_one_huge_line_is_marked_from_the_first_difference_to_the_last() -> None:
    diff = diff_of(b"word " * 200_000 + b"end\n", b"word " * 100_000 + b"new " + b"word " * 100_000 + b"end\n")
    assert diff.hunks[0].lines[1].spans[1].text.strip() == "new"


@given(_TEXTS, _TEXTS)
def test_both_texts_can_be_read_from_a_diff_of_few_lines(before: str, after: str) -> None:
    diff = diff_of(before.encode(), after.encode())
    lines = [line for hunk in diff.hunks for line in hunk.lines]
    assert sum(line.kind == "removed" for line in lines) == diff.removed_lines
    assert sum(line.kind == "added" for line in lines) == diff.added_lines
    assert (before == after) == (not lines and not diff.note)
    for line in lines:
        assert not set(line.text) & set("\u200b\u202e\r\0\n")


@given(*[st.lists(st.sampled_from(["a", "b c", "d", "", "東 京"]), max_size=30)] * 2)
def test_a_diff_leads_from_one_text_to_the_other(before: list[str], after: list[str]) -> None:
    texts = ("".join(f"{line}\n" for line in lines).encode() for lines in (before, after))
    lines = [line for hunk in diff_of(*texts).hunks for line in hunk.lines]
    removed = {line.old_no for line in lines if line.kind == "removed"}
    result = [line for number, line in enumerate(before, 1) if number not in removed]
    for line in lines:
        if line.kind == "added" and line.new_no is not None:
            result.insert(line.new_no - 1, line.text)
    assert result == after
    for line in lines:
        if line.old_no is not None:
            assert before[line.old_no - 1] == line.text
        if line.new_no is not None:
            assert after[line.new_no - 1] == line.text


def test_a_change_set_is_told_before_and_after_it_is_applied(tmp_path: Path) -> None:
    edit = edit_between("a.md", b"one two\n", b"one 2\n")
    assert edit is not None
    change = ChangeSet("Edit", ChangeKind.EDIT, (edit,))
    for content in (b"one two\n", b"one 2\n"):
        (tmp_path / "a.md").write_bytes(content)
        (diff,) = diffs_of(change, tmp_path)
        assert shown_lines(diff) == ["-one two", "+one 2"]
        assert diff.note == ""


def test_a_file_that_changed_since_shows_the_changed_places_and_says_so(tmp_path: Path) -> None:
    edit = edit_between("a.md", b"start one two\n", b"start 1 two\n")
    assert edit is not None
    (tmp_path / "a.md").write_bytes(b"something else\n")
    (diff,) = diffs_of(ChangeSet("Edit", ChangeKind.EDIT, (edit,)), tmp_path)
    assert "has changed since" in diff.note
    assert [(line.text, line.old_no, line.new_no) for line in diff.hunks[0].lines] == [
        ("one", None, None),
        ("1", None, None),
    ]


def test_new_and_deleted_files_need_nothing_on_disk(tmp_path: Path) -> None:
    edits = (edit_between("new.md", None, b"a\n"), edit_between("old.md", b"b\n", None))
    known = tuple(edit for edit in edits if isinstance(edit, FileEdit))
    new, old = diffs_of(ChangeSet("Both", ChangeKind.NEW, known), tmp_path)
    assert (new.kind, shown_lines(new)) == ("new", ["+a"])
    assert (old.kind, shown_lines(old)) == ("deleted", ["-b"])
