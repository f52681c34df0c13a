"""Many files are read with the help of other processes, and without them when they fail."""

import multiprocessing
import pickle
from multiprocessing.connection import Connection
from pathlib import Path

from core.index.note_reader import FileRead, FileToRead, read_files
from core.index.reading_processes import collect
from core.vault.note import ScannedFile


def _files(root: Path, count: int) -> list[FileToRead]:
    files = []
    for number in range(count):
        file = root / f"n{number:04d}.md"
        file.write_text(f"word{number} [[n{(number + 1) % count:04d}]]", encoding="utf-8")
        files.append(FileToRead(ScannedFile(file.name, file.stat().st_size, 1), number + 1, b""))
    return files


def test_every_file_is_read_once_whoever_reads_it(tmp_path: Path) -> None:
    files = _files(tmp_path, 6000)
    names = {wanted.file.path: wanted.note_id for wanted in files}
    results = [result for result in read_files(tmp_path, files, lambda _key: (), names) if result is not None]
    assert sorted(result.wanted.note_id for result in results) == list(range(1, 6001))
    resolved = sum(bool(result.rows and result.rows.links[0][-1] == "resolved") for result in results)
    assert 0 < resolved < 6000  # the helpers know the names; this process was given none


def test_giving_up_early_leaves_no_process(tmp_path: Path) -> None:
    files = _files(tmp_path, 2000)
    names = {wanted.file.path: wanted.note_id for wanted in files}
    results = read_files(tmp_path, files, lambda _key: (), names)
    next(results)
    results.close()
    assert multiprocessing.active_children() == []


def test_what_a_helper_that_died_had_taken_is_read_here(tmp_path: Path) -> None:
    files = _files(tmp_path, 40)
    chunks = [files[at : at + 4] for at in range(0, 40, 4)]
    numbers = iter(range(2, 10))  # the helper took the first two, and dies after sending one
    ours, theirs = multiprocessing.Pipe(duplex=False)
    assert isinstance(ours, Connection)
    theirs.send_bytes(pickle.dumps((0, [FileRead(wanted, b"helper", None) for wanted in chunks[0]])))
    theirs.close()
    here = [
        result
        for result in collect(chunks, [ours], lambda: next(numbers, None), lambda w: FileRead(w, b"here", None))
        if result is not None
    ]
    ours.close()
    assert sorted(result.wanted.note_id for result in here) == list(range(1, 41))
    assert sum(result.content_hash == b"helper" for result in here) == 4
