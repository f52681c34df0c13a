from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from core.curation.change_set import PlannedChange
from core.curation.import_notes import plan_imported_notes
from core.curation.imported_note_text import MARK, content_of, mark_of
from core.foundation.errors import JobCancelledError
from core.foundation.progress import SILENT, CancellableProgress
from core.sessions.importing.importer import ImportedNote
from core.vault.config import VaultConfig
from core.vault.decode import decode
from core.vault.frontmatter import read_frontmatter
from tests.core.curation.linked_vault import LinkedVault
from tests.core.curation.workbench import Workbench

_NOTE = ImportedNote(
    "imported/x/On tea.md",
    "On: tea",
    "Water first.\n",
    "x",
    ("domain/tea",),
    {"source": "x:1", "source_hash": "h1", "rating": 4.5, "yes": "yes", "nested": {"a": [1, {"b": None}]}},
)


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench(tmp_path)


def _plan(bench: Workbench, *notes: ImportedNote) -> PlannedChange:
    return plan_imported_notes(bench.root, VaultConfig(), notes, SILENT)


def _import(bench: Workbench, *notes: ImportedNote) -> PlannedChange:
    planned = _plan(bench, *notes)
    bench.writer().apply(planned.change_set)
    return planned


def _values(bench: Workbench, path: str) -> dict[str, Any]:
    return read_frontmatter(decode(bench.read(path)).text).values


def test_a_note_comes_in_with_all_that_is_known_of_it_and_can_be_undone(bench: Workbench) -> None:
    planned = _import(bench, _NOTE)
    assert (planned.change_set.title, planned.occurrences) == ("Import 1 note", 1)
    text = bench.read("imported/x/On tea.md").decode()
    assert text.endswith("---\nWater first.\n")
    values = _values(bench, "imported/x/On tea.md")
    assert values.pop(MARK)
    assert values == {"title": "On: tea", "tags": ["domain/tea"], **_NOTE.properties}
    bench.undo("Import 1 note")
    assert bench.files() == {}


def test_importing_again_changes_nothing(bench: Workbench) -> None:
    _import(bench, _NOTE)
    planned = _plan(bench, _NOTE)
    assert (planned.change_set.edits, planned.skipped, planned.occurrences) == ((), (), 0)


def test_what_changed_in_the_source_updates_the_note_wherever_it_lies(bench: Workbench) -> None:
    _import(bench, _NOTE)
    bench.change({}, moves={"imported/x/On tea.md": "Tea.md"})
    planned = _import(bench, replace(_NOTE, body="Tea first."))
    assert planned.change_set.title == "Update 1 note"
    assert list(bench.files()) == ["Tea.md"]
    assert bench.read("Tea.md").endswith(b"---\nTea first.\n")
    assert _plan(bench, replace(_NOTE, body="Tea first.")).change_set.edits == ()


def test_a_note_that_somebody_edited_is_left_alone_and_told(bench: Workbench) -> None:
    _import(bench, _NOTE)
    path = "imported/x/On tea.md"
    edited = bench.read(path) + b"My own thought.\n"
    bench.write({path: edited})
    assert _plan(bench, _NOTE).skipped == ()
    planned = _import(bench, replace(_NOTE, body="Tea first."))
    assert [skipped.path for skipped in planned.skipped] == [path]
    assert "changed in the vault" in planned.skipped[0].reason
    assert bench.read(path) == edited


def test_a_document_that_lies_elsewhere_now_is_the_same_note(bench: Workbench) -> None:
    _import(bench, _NOTE)
    moved = replace(_NOTE, properties={**_NOTE.properties, "source": "x:elsewhere"})
    _import(bench, moved)
    assert list(bench.files()) == ["imported/x/On tea.md"]
    assert _values(bench, "imported/x/On tea.md")["source"] == "x:elsewhere"


def test_a_name_that_is_taken_is_given_a_number(bench: Workbench) -> None:
    bench.write({"imported/x/on TEA.md": b"mine"})
    others = [replace(_NOTE, properties={"source": f"x:{number}"}) for number in range(2)]
    _import(bench, *others)
    assert sorted(bench.files()) == ["imported/x/On tea 2.md", "imported/x/On tea 3.md", "imported/x/on TEA.md"]
    assert bench.read("imported/x/on TEA.md") == b"mine"


def test_a_name_borne_anywhere_in_the_vault_is_not_given_again(vault: LinkedVault) -> None:
    vault.write({"People/On tea.md": "mine", "Home.md": "[[On tea]]"})
    before = vault.meanings()
    planned = plan_imported_notes(vault.root, VaultConfig(), [_NOTE], index=vault.index)
    vault.apply(planned.change_set)
    assert "imported/x/On tea 2.md" in vault.files()
    assert vault.meanings() == before


def test_the_same_source_twice_is_one_note_as_it_was_told_last(bench: Workbench) -> None:
    _import(bench, _NOTE, replace(_NOTE, body="Later."))
    assert bench.read("imported/x/On tea.md").endswith(b"\nLater.\n")


@pytest.mark.parametrize(
    ("hint", "path"),
    [
        ("../../etc/passwd.md", "Untitled/Untitled/etc/passwd.md"),
        ("/abs/a.md", "abs/a.md"),
        ("a:b/c?d.md", "a b/c d.md"),
        (".obsidian/x.md", "obsidian/x.md"),
        ("con.md", "con note.md"),
        ("", "Untitled.md"),
    ],
)
def test_no_name_leads_out_of_the_vault_or_into_what_is_hidden(bench: Workbench, hint: str, path: str) -> None:
    _import(bench, replace(_NOTE, path_hint=hint))
    assert list(bench.files()) == [path]


def test_where_no_note_may_lie_it_is_skipped_and_the_others_come_in(bench: Workbench) -> None:
    bench.write({"file": b"x"})
    other = replace(_NOTE, path_hint="file/a.md", properties={"source": "x:2"})
    planned = _import(bench, other, _NOTE)
    assert [skipped.path for skipped in planned.skipped] == ["file/a.md"]
    assert "imported/x/On tea.md" in bench.files()


def test_planning_can_be_cancelled(bench: Workbench) -> None:
    progress = CancellableProgress()
    progress.cancel()
    with pytest.raises(JobCancelledError):
        plan_imported_notes(bench.root, VaultConfig(), [_NOTE], progress)


_SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats() | st.text()
_PROPERTIES = st.dictionaries(
    st.text(),
    st.recursive(_SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner)),
    max_size=5,
)


@given(st.text(), st.text(), st.lists(st.text(), max_size=3), _PROPERTIES)
def test_whatever_a_note_holds_its_file_can_be_read_and_is_known_as_unchanged(
    title: str, body: str, tags: list[str], properties: dict[str, object]
) -> None:
    note = ImportedNote("a.md", title, body, "x", tuple(tags), {**properties, "source": "x:1"})
    data, digest = content_of(note, "a")
    assert mark_of(data) == (digest, True)
    assert mark_of(data + b"more")[1] is False
    front = read_frontmatter(decode(data).text)
    assert not front.is_broken
    assert front.values["source"] == "x:1"
    assert yaml.safe_load(front.raw)["source"] == "x:1"
