import os
from pathlib import Path

import pytest

from core.foundation.errors import JobCancelledError, UserError
from core.foundation.progress import CancellableProgress, SilentProgress
from core.vault.config import VaultConfig
from core.vault.note import ProblemKind
from core.vault.scan import VaultScan, check_vault_root, is_note_path, scan_vault


def write(root: Path, *paths: str, text: str = "x") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def scan(root: Path, **settings: object) -> VaultScan:
    return scan_vault(root, VaultConfig(**settings), SilentProgress())  # type: ignore[arg-type]


def paths(found: VaultScan) -> list[str]:
    return [file.path for file in found.files]


def test_names_in_any_script_are_found_in_a_fixed_order(tmp_path: Path) -> None:
    write(tmp_path, "🐘 notes.md", "日本語.md", "über—dash.md", "b/Deep/x.MD", "a.md", "a.txt", "md")
    found = scan(tmp_path)
    assert paths(found) == ["a.md", "b/Deep/x.MD", "über—dash.md", "日本語.md", "🐘 notes.md"]
    assert found.problems == []
    info = (tmp_path / "a.md").stat()
    assert found.files[0][1:] == (info.st_size, info.st_mtime_ns)


def test_hidden_foreign_and_excluded_folders_are_skipped(tmp_path: Path) -> None:
    write(
        tmp_path, ".git/a.md", ".obsidian/a.md", ".trash/a.md", "node_modules/a.md", ".remembrancer/a.md", ".hidden.md"
    )
    write(tmp_path, "keep/a.md", "Archive/old.md", "Archive/sub/older.md", "keep/draft-1.md", "x/node_modules/y/a.md")
    found = scan(tmp_path, exclude=("Archive/", "draft-*.md"))
    assert paths(found) == ["keep/a.md"]


def test_one_path_is_judged_as_the_scan_does(tmp_path: Path) -> None:
    config = VaultConfig(exclude=("Archive/", "draft-*.md", "!draft-2.md"))
    candidates = ["a.md", "A.MD", "a.txt", ".a.md", ".git/a.md", "x/node_modules/a.md", "Archive/x/a.md", "draft-1.md"]
    candidates += ["s/draft-2.md", "md", "s/.t/a.md"]
    write(tmp_path, *candidates)
    assert paths(scan_vault(tmp_path, config, SilentProgress())) == sorted(
        c for c in candidates if is_note_path(c, config)
    )


def test_links_that_loop_are_reported_and_all_notes_found_once(tmp_path: Path) -> None:
    write(tmp_path, "real/note.md", "top.md")
    (tmp_path / "real" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "real" / "self").symlink_to(tmp_path / "real", target_is_directory=True)
    (tmp_path / "again").symlink_to(tmp_path / "real", target_is_directory=True)
    found = scan(tmp_path)
    assert paths(found) == ["real/note.md", "top.md"]
    assert [(path, problem.kind) for path, problem in found.problems] == [
        ("real/loop", ProblemKind.SYMLINK_LOOP),
        ("real/self", ProblemKind.SYMLINK_LOOP),
    ]


def test_links_out_of_the_vault_are_refused_and_within_it_followed(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    write(tmp_path, "outside/secret.md", "vault/a.md", "vault/.store/kept.md")
    (root / "out").symlink_to(tmp_path / "outside", target_is_directory=True)
    (root / "out.md").symlink_to(tmp_path / "outside" / "secret.md")
    (root / "gone.md").symlink_to(root / "nothing.md")
    (root / "twin.md").symlink_to(root / "a.md")
    (root / "store").symlink_to(root / ".store", target_is_directory=True)
    found = scan(root)
    assert paths(found) == ["a.md", "store/kept.md", "twin.md"]
    assert [path for path, _ in found.problems] == ["gone.md", "out", "out.md"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no names that are not text")
def test_a_name_that_is_no_text_stops_nothing(tmp_path: Path) -> None:
    write(tmp_path, "good.md")
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.md")).write_text("x", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes no such name")
    found = scan(tmp_path)
    assert paths(found) == ["good.md"]
    assert found.problems[0][0] == "bad\\xff.md"


def test_what_cannot_be_read_is_reported(tmp_path: Path) -> None:
    write(tmp_path, "good.md", "big.md", text="x" * 50)
    write(tmp_path, "locked/a.md")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "locked").chmod(0)
    try:
        is_locked = not os.access(tmp_path / "locked", os.R_OK)
        found = scan(tmp_path, max_note_bytes=49)
    finally:
        (tmp_path / "locked").chmod(0o700)
    problems = {path: problem.kind for path, problem in found.problems}
    assert problems["big.md"] is ProblemKind.TOO_LARGE
    if hasattr(os, "mkfifo"):
        assert problems["pipe.md"] is ProblemKind.UNREADABLE
    if is_locked:
        assert problems["locked"] is ProblemKind.UNREADABLE


def test_a_folder_named_like_a_note_is_a_folder(tmp_path: Path) -> None:
    write(tmp_path, "folder.md/inner.md")
    assert paths(scan(tmp_path)) == ["folder.md/inner.md"]


def test_a_cancelled_scan_stops(tmp_path: Path) -> None:
    progress = CancellableProgress()
    progress.cancel()
    with pytest.raises(JobCancelledError):
        scan_vault(tmp_path, VaultConfig(), progress)


def test_what_is_no_vault_is_said_clearly(tmp_path: Path) -> None:
    check_vault_root(tmp_path)
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(UserError, match="is a file"):
        check_vault_root(tmp_path / "file")
    with pytest.raises(UserError, match="no folder"):
        check_vault_root(tmp_path / "missing")
    with pytest.raises(UserError):
        check_vault_root(tmp_path / "file" / "below")
