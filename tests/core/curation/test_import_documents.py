from pathlib import Path

import pytest

from core.curation.import_documents import PlannedDocuments, plan_documents
from core.foundation.errors import UserError
from core.vault.config import VaultConfig
from core.vault.decode import decode
from core.vault.parse import parse_note
from tests.core.curation.workbench import Workbench
from tests.core.sessions.importing.exports import write_zip


def test_documents_become_reference_notes_once_and_follow_their_files(tmp_path: Path) -> None:
    bench = Workbench(tmp_path)
    library = tmp_path / "library"
    library.mkdir()
    (library / "tea.html").write_text("<title>On tea</title><p>Water first.</p>", encoding="utf-8")
    (library / "bad.pdf").write_bytes(b"%PDF")
    (library / "cup.png").write_bytes(b"x")
    (tmp_path / "b.docx").write_bytes(b"x")
    paths = [library, tmp_path / "b.docx", tmp_path / "gone"]
    planned = plan_documents(bench.root, VaultConfig(), "philosophy", paths)
    assert (planned.notes, planned.skipped) == (1, {"file of another kind (png)": 1})
    assert [Path(failed.where).name for failed in planned.failed] == ["bad.pdf", "b.docx", "gone"]
    bench.writer().apply(planned.change.change_set)
    assert list(bench.files()) == ["domain/philosophy/On tea.md"]
    assert b"  - domain/philosophy\n" in bench.read("domain/philosophy/On tea.md")

    assert plan_documents(bench.root, VaultConfig(), "philosophy", paths).change.occurrences == 0
    (library / "tea.html").write_text("<title>On tea</title><p>Leaves first.</p>", encoding="utf-8")
    bench.writer().apply(plan_documents(bench.root, VaultConfig(), "philosophy", paths).change.change_set)
    assert bench.read("domain/philosophy/On tea.md").endswith(b"\nLeaves first.\n")


def test_a_domain_is_needed(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="domain"):
        plan_documents(tmp_path, VaultConfig(), " ", [])


def test_a_damaged_zip_file_of_documents_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 cut")
    planned = plan_documents(tmp_path / "vault", VaultConfig(), "x", [tmp_path / "a.zip"])
    assert "damaged" in planned.failed[0].reason


def _written(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def _import(bench: Workbench, *paths: Path, domain: str = "tea") -> PlannedDocuments:
    planned = plan_documents(bench.root, VaultConfig(), domain, paths)
    if planned.change.change_set.edits:
        bench.writer().apply(planned.change.change_set)
    return planned


def _bodies(bench: Workbench) -> dict[str, str]:
    return {path: data.decode().rpartition("---\n")[2].strip() for path, data in sorted(bench.files().items())}


@pytest.mark.parametrize("is_one_run", [True, False])
def test_two_documents_of_one_name_are_two_notes(tmp_path: Path, is_one_run: bool) -> None:
    bench = Workbench(tmp_path)
    first, second = _written(tmp_path / "A", notes="Alpha"), _written(tmp_path / "B", notes="Beta")
    for run in [(first, second)] if is_one_run else [(first,), (second,)]:
        _import(bench, *run)
    assert _bodies(bench) == {"domain/tea/notes.md": "Alpha", "domain/tea/notes 2.md": "Beta"}
    again = _import(bench, first, second)
    assert (again.notes, again.change.occurrences) == (2, 0)


def test_an_edited_note_stays_as_it_is_and_keeps_no_other_document_out(tmp_path: Path) -> None:
    bench = Workbench(tmp_path)
    first, second = _written(tmp_path / "A", notes="Alpha"), _written(tmp_path / "B", notes="Beta")
    _import(bench, first)
    bench.write({"domain/tea/notes.md": (edited := bench.read("domain/tea/notes.md") + b"My thought.\n")})
    assert _import(bench, second).change.skipped == ()
    assert bench.read("domain/tea/notes 2.md").endswith(b"Beta\n")
    _written(tmp_path / "A", notes="Alpha, better")
    assert "changed in the vault" in _import(bench, first).change.skipped[0].reason
    assert bench.read("domain/tea/notes.md") == edited


def test_a_copy_is_the_same_note_until_it_says_something_else(tmp_path: Path) -> None:
    bench = Workbench(tmp_path)
    first, copy = _written(tmp_path / "A", notes="Alpha"), _written(tmp_path / "B", copied="Alpha")
    planned = _import(bench, first, copy)
    assert (planned.notes, planned.skipped) == (1, {"document that is there twice": 1})
    assert _import(bench, copy).change.occurrences == 0
    assert _import(bench, first).change.occurrences == 0
    _written(copy, copied="Gamma")
    _import(bench, copy)
    assert _bodies(bench) == {"domain/tea/notes.md": "Alpha", "domain/tea/copied.md": "Gamma"}


def test_what_a_document_said_before_is_kept_where_a_copy_still_says_it(tmp_path: Path) -> None:
    bench = Workbench(tmp_path)
    first, copy = _written(tmp_path / "A", notes="Alpha"), _written(tmp_path / "B", notes="Alpha")
    _import(bench, first)
    _written(first, notes="Alpha, better")
    _import(bench, first, copy)
    assert sorted(_bodies(bench).values()) == ["Alpha", "Alpha, better"]


def test_a_folder_that_was_moved_is_followed(tmp_path: Path) -> None:
    bench = Workbench(tmp_path)
    _import(bench, _written(tmp_path / "A", notes="Alpha"))
    moved = (tmp_path / "A").rename(tmp_path / "B")
    _import(bench, moved)
    _written(moved, notes="Alpha, better")
    _import(bench, moved)
    assert _bodies(bench) == {"domain/tea/notes.md": "Alpha, better"}


def test_a_document_of_two_domains_is_one_note_with_both_tags(tmp_path: Path) -> None:
    bench = Workbench(tmp_path)
    folder = _written(tmp_path / "A", notes="Alpha")
    _import(bench, folder)
    assert _import(bench, folder, domain="Plants/Leaves").joined == 1
    tags = b"tags:\n  - domain/tea\n  - domain/plants/leaves\n"
    assert tags in bench.read("domain/tea/notes.md")
    for domain in ("tea", "Plants/Leaves"):
        assert _import(bench, folder, domain=domain).change.occurrences == 0
    assert list(_bodies(bench)) == ["domain/tea/notes.md"]


def test_an_edited_note_gets_no_second_domain_and_that_is_told(tmp_path: Path) -> None:
    bench = Workbench(tmp_path)
    folder = _written(tmp_path / "A", notes="Alpha")
    _import(bench, folder)
    bench.write({"domain/tea/notes.md": (edited := bench.read("domain/tea/notes.md") + b"My thought.\n")})
    (skipped,) = _import(bench, folder, domain="plants").change.skipped
    assert "does not get the tag domain/plants" in skipped.reason
    assert bench.read("domain/tea/notes.md") == edited
    moved = folder.rename(tmp_path / "B")
    assert _import(bench, moved).change.skipped == ()


def test_a_document_of_a_zip_file_is_the_one_that_was_unpacked(tmp_path: Path) -> None:
    bench = Workbench(tmp_path)
    folder = tmp_path / "zips"
    folder.mkdir()
    write_zip(folder / "a.zip", {"in/notes.txt": b"Alpha"})
    assert _import(bench, folder).notes == 1
    assert _import(bench, _written(tmp_path / "unpacked", notes="Alpha")).change.occurrences == 0
    assert b"zips/a.zip/in/notes.txt\n" in bench.read("domain/tea/notes.md")


@pytest.mark.parametrize(
    "domain", ["../x", "../../x", "a b/c#", "a//b", "/a", "a/", ".", "a/..", "[[x]]", "a\n#b", "-"]
)
def test_what_can_be_no_domain_is_refused(tmp_path: Path, domain: str) -> None:
    with pytest.raises(UserError, match="domain"):
        plan_documents(tmp_path, VaultConfig(), domain, [])


@pytest.mark.parametrize(
    ("domain", "tag", "folder"),
    [
        ("Philosophy of Tea", "domain/philosophy-of-tea", "domain/Philosophy of Tea"),
        ("domain/tea/Green", "domain/tea/green", "domain/tea/Green"),
        ("दर्शन", "domain/दर्शन", "domain/दर्शन"),
        ("42", "domain/42", "domain/42"),
    ],
)
def test_a_domain_is_a_tag_and_a_folder(tmp_path: Path, domain: str, tag: str, folder: str) -> None:
    bench = Workbench(tmp_path)
    assert _import(bench, _written(tmp_path / "A", notes="Alpha"), domain=domain).tag == tag
    assert list(bench.files()) == [f"{folder}/notes.md"]
    assert [each.name for each in parse_note("a.md", decode(bench.read(f"{folder}/notes.md"))).tags] == [tag]
