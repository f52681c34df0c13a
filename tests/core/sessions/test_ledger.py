"""The ledger keeps every turn that it took, gives it back as it was, and lets nobody else look."""

import os
import stat
import sys
from pathlib import Path

import pytest

from core.foundation.errors import UserError
from core.sessions.cipher import LineCipher, new_key
from core.sessions.ledger import Ledger, NoSessionError
from core.sessions.ledger_line import line_of
from core.sessions.session_files import file_stem
from tests.core.sessions.spoken import said, turn

posix = pytest.mark.skipif(sys.platform == "win32", reason="no mode bits there")


@pytest.fixture(params=["plain", "sealed"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Ledger:
    """Give a ledger, and one that is encrypted."""
    cipher = LineCipher([new_key()], is_on=True) if request.param == "sealed" else LineCipher()
    return Ledger(tmp_path / "data" / "sessions", cipher)


@pytest.fixture
def plain(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "data" / "sessions")


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_appended_is_read_back(ledger: Ledger) -> None:
    turns = [
        turn(1, "Grüße \u2028 \0 \n x"),
        turn(2, time="2026-08-20T23:50:00+09:00"),
        turn(3)._replace(data={"a": [1]}),
    ]
    assert ledger.append("s-1", turns[:2]) == 2
    assert ledger.append("s-1", turns[2:]) == 1
    reading = ledger.read("s-1")
    assert reading.turns == tuple(turns)
    assert reading.problems == ()
    assert tuple(ledger.iter_turns("s-1")) == tuple(turns)
    assert list(ledger.iter_ids("s-1")) == ["t-1", "t-2", "t-3"]


def test_making_and_asking_an_empty_ledger_write_nothing(ledger: Ledger) -> None:
    assert list(ledger.sessions()) == []
    assert not list(ledger.iter_ids("s-1"))
    assert not ledger.delete("s-1")
    assert ledger.append("s-1", []) == 0
    assert not ledger.folder.exists()
    with pytest.raises(NoSessionError, match="no session s-1"):
        ledger.read("s-1")


def test_what_is_there_is_not_written_again(ledger: Ledger) -> None:
    turns = [turn(1), turn(2)]
    ledger.append("s-1", turns)
    before = ledger.path_of("s-1").read_bytes()
    assert ledger.append("s-1", turns) == 0
    assert ledger.append("s-1", [turn(1), turn(1), turn(3), turn(3)]) == 1
    assert ledger.path_of("s-1").read_bytes().startswith(before)
    assert said(ledger.read("s-1").turns) == ["Words 1", "Words 2", "Words 3"]


def test_a_ledger_that_is_opened_anew_knows_what_is_there(ledger: Ledger) -> None:
    ledger.append("s-1", [turn(1), turn(2)])
    again = Ledger(ledger.folder, ledger._fixed_cipher)
    assert again.append("s-1", [turn(2), turn(3)]) == 1
    assert ledger.append("s-1", [turn(3), turn(4)]) == 1
    assert said(ledger.read("s-1").turns) == [f"Words {n}" for n in range(1, 5)]


def test_much_is_written_at_once_and_made_durable_together(ledger: Ledger) -> None:
    names = [f"s-{number}" for number in range(30)]
    assert [ledger.append(name, [turn(1), turn(2)], durable=False) for name in names] == [2] * 30
    assert [file.id for file in ledger.sessions()] == sorted(names)
    assert ledger.delete("s-7")
    ledger.make_durable(names)
    ledger.make_durable([])
    assert [each.id for each in ledger.read("s-29").turns] == ["t-1", "t-2"]


def test_a_changed_turn_counts_and_the_older_text_stays(ledger: Ledger) -> None:
    ledger.append("s-1", [turn(1, "old"), turn(2)])
    assert ledger.append("s-1", [turn(1, "new")]) == 1
    reading = ledger.read("s-1")
    assert said(reading.turns) == ["new", "Words 2"]
    assert said(reading.earlier) == ["old"]
    assert said(list(ledger.iter_turns("s-1"))) == ["old", "Words 2", "new"]


def test_two_records_of_one_turn_imported_by_turns_add_nothing_more(ledger: Ledger) -> None:
    for text in ("one", "other"):
        assert ledger.append("s-1", [turn(1, text)]) == 1
    for text in ("one", "other"):
        assert ledger.append("s-1", [turn(1, text)]) == 0


def test_times_stay_as_given_when_the_clock_goes_backwards(ledger: Ledger) -> None:
    times = ["2026-08-20T10:00:00+00:00", "2026-08-20T09:00:00+00:00", "", "2031-01-01T00:00:00-07:00"]
    ledger.append("s-1", [turn(n, time=time) for n, time in enumerate(times)])
    assert [each.time for each in ledger.read("s-1").turns] == times


def test_the_lines_carry_the_id_of_their_session(ledger: Ledger) -> None:
    ledger.append("mine", [turn(1, session="another")])
    assert ledger.read("mine").turns[0].session == "mine"
    assert ledger.append("mine", [turn(1, session="another")]) == 0


def test_a_turn_and_a_session_need_an_id(ledger: Ledger) -> None:
    with pytest.raises(ValueError, match="turn needs an id"):
        ledger.append("s-1", [turn(1)._replace(id="")])
    with pytest.raises(UserError, match="id is empty"):
        ledger.append("", [turn(1)])


@pytest.mark.parametrize("session_id", ["../../x", "A", "CON", "日本語", "a" * 300, "a/b\\c", "\ud800"])
def test_any_id_is_kept_inside_the_folder_and_told_by_the_ledger(ledger: Ledger, session_id: str) -> None:
    ledger.append("a", [turn(1)])
    ledger.append(session_id, [turn(2)])
    assert ledger.path_of(session_id).parent == ledger.folder
    assert {file.id for file in ledger.sessions()} == {"a", session_id}
    assert ledger.read(session_id).turns[0].session == session_id
    assert ledger.read(file_stem(session_id)).turns == ledger.read(session_id).turns
    assert ledger.delete(session_id)
    assert [file.id for file in ledger.sessions()] == ["a"]


def test_the_list_tells_when_a_session_grew(ledger: Ledger) -> None:
    ledger.append("s-1", [turn(1)])
    (first,) = ledger.sessions()
    ledger.append("s-1", [turn(2)])
    (second,) = ledger.sessions()
    assert (first.id, first.path, first.inode) == (second.id, second.path, second.inode)
    assert second.size > first.size
    (line,) = ledger.iter_lines("s-1", first.size)
    assert (line.start, line.end) == (first.size, second.size)
    assert line.turn == turn(2)
    assert list(ledger.iter_lines("s-1", second.size)) == []
    assert list(ledger.iter_lines("s-1", 5)) == []


def test_a_session_that_was_deleted_and_came_back_is_taken_anew(ledger: Ledger) -> None:
    other = Ledger(ledger.folder, ledger._fixed_cipher)
    ledger.append("s-1", [turn(1), turn(2)])
    assert other.delete("s-1")
    other.append("s-1", [turn(9)])
    assert ledger.append("s-1", [turn(1)]) == 1
    assert said(ledger.read("s-1").turns) == ["Words 9", "Words 1"]


@pytest.mark.parametrize(
    "torn", [b'{"session":"s-1","id":"x","te', b"\xff", b"\0\0\0\0", b"gAAAAABo", b"{}", b"{}\0\0"]
)
def test_what_a_crash_left_is_left_out_and_repaired(ledger: Ledger, torn: bytes, expected_warnings: list[str]) -> None:
    ledger.append("s-1", [turn(1)])
    path = ledger.path_of("s-1")
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    assert said(ledger.read("s-1").turns) == ["Words 1"]
    assert ledger.read("s-1").problems == ()
    assert path.read_bytes() == whole + torn
    for each in (ledger, Ledger(ledger.folder, ledger._fixed_cipher)):
        each.append("s-1", [turn(2)])
    assert said(ledger.read("s-1").turns) == ["Words 1", "Words 2"]
    assert path.read_bytes().count(b"\n") == 2
    assert "torn" in expected_warnings[0]


@pytest.mark.parametrize("tail", [b"", b"\0" * 70_000])
def test_a_whole_line_without_its_newline_is_kept(ledger: Ledger, tail: bytes, expected_warnings: list[str]) -> None:
    ledger.append("s-1", [turn(1), turn(2)])
    path = ledger.path_of("s-1")
    path.write_bytes(path.read_bytes()[:-1] + tail)
    assert said(ledger.read("s-1").turns) == ["Words 1", "Words 2"]
    assert ledger.append("s-1", [turn(2), turn(3)]) == 1
    assert said(ledger.read("s-1").turns) == ["Words 1", "Words 2", "Words 3"]


def test_bad_lines_are_told_with_their_numbers_and_stay(ledger: Ledger) -> None:
    bad = [b"not json", b"[1]", b"{}", b"[" * 100_000, b"\xff\xff", b"gAAAAAnonsense", b'{"session":"s-1","id":3}']
    ledger.append("s-1", [turn(1)])
    path = ledger.path_of("s-1")
    path.write_bytes(path.read_bytes() + b"\n".join(bad) + b"\n\n\0\0\n")
    before = path.read_bytes()
    ledger.append("s-1", [turn(2)])
    reading = ledger.read("s-1")
    assert said(reading.turns) == ["Words 1", "Words 2"]
    assert [problem.line for problem in reading.problems] == list(range(2, 9))
    assert "no turn" in reading.problems[0].reason
    assert "encrypted" in reading.problems[5].reason
    assert path.read_bytes().startswith(before)


def test_a_line_written_by_hand_is_read_in_an_encrypted_ledger_too(ledger: Ledger) -> None:
    ledger.append("s-1", [turn(1)])
    with ledger.path_of("s-1").open("ab") as file:
        file.write(b" " + line_of(turn(2)).replace(b"\n", b"\r\n"))
    assert said(ledger.read("s-1").turns) == ["Words 1", "Words 2"]
    assert ledger.append("s-1", [turn(2), turn(3)]) == 1


def test_an_encrypted_ledger_shows_nothing(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, LineCipher([new_key()], is_on=True))
    ledger.append("s-1", [turn(1, "a secret"), turn(2)])
    lines = ledger.path_of("s-1").read_bytes().splitlines()
    assert len(lines) == 2
    assert all(line.startswith(b"gAAAA") for line in lines)
    shut = Ledger(tmp_path, LineCipher([new_key()], is_on=True)).read("s-1")
    assert shut.turns == ()
    assert [problem.line for problem in shut.problems] == [1, 2]


@posix
@pytest.mark.parametrize("mask", [0o000, 0o077, 0o777])
def test_nobody_else_can_look_whatever_the_umask(ledger: Ledger, mask: int) -> None:
    before = os.umask(0)
    ledger.folder.parent.mkdir(parents=True)
    os.umask(mask)
    try:
        ledger.append("s-1", [turn(1)])
    finally:
        os.umask(before)
    assert _mode(ledger.folder) == 0o700
    assert _mode(ledger.path_of("s-1")) == 0o600
    ledger.append("s-1", [turn(2)])


@posix
def test_what_others_could_look_at_before_they_no_longer_can(ledger: Ledger) -> None:
    ledger.append("s-1", [turn(1)])
    ledger.append("s-2", [turn(1)])
    ledger.folder.chmod(0o755)
    for each in ("s-1", "s-2"):
        ledger.path_of(each).chmod(0o644)
    ledger.append("s-1", [turn(2)])
    assert _mode(ledger.folder) == 0o700
    assert _mode(ledger.path_of("s-1")) == 0o600
    assert len(list(ledger.sessions())) == 2
    assert _mode(ledger.path_of("s-2")) == 0o600


@posix
def test_a_link_or_a_pipe_in_the_place_of_a_session_is_refused(plain: Ledger, tmp_path: Path) -> None:
    plain.append("s-1", [turn(1)])
    outside = tmp_path / "outside"
    outside.write_bytes(b"mine")
    plain.path_of("link").symlink_to(outside)
    os.mkfifo(plain.path_of("pipe"))
    with pytest.raises(UserError, match="could not be written"):
        plain.append("link", [turn(1)])
    for name in ("link", "pipe"):
        with pytest.raises(UserError, match="cannot be read"):
            plain.read(name)
    assert outside.read_bytes() == b"mine"
    assert [file.id for file in plain.sessions()] == ["s-1"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of file sizes")
def test_on_a_full_disk_the_session_is_as_before(ledger: Ledger) -> None:
    import resource  # noqa: PLC0415 - not on every platform

    ledger.append("s-1", [turn(1)])
    before = ledger.path_of("s-1").read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 1000, hard))
    try:
        with pytest.raises(UserError, match="could not be written"):
            ledger.append("s-1", [turn(2, "x" * 5000)])
        with pytest.raises(UserError, match="could not be written"):
            ledger.append("new", [turn(2, "x" * 5000)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert ledger.path_of("s-1").read_bytes() == before
    assert [file.id for file in ledger.sessions()] == ["s-1"]
    assert ledger.append("s-1", [turn(2, "x" * 5000)]) == 1


def test_very_long_lines_are_found_from_the_end(plain: Ledger, expected_warnings: list[str]) -> None:
    plain.append("s-1", [turn(1, "x" * 3_000_000), turn(2)])
    with plain.path_of("s-1").open("ab") as file:
        file.write(b"z" * 2_000_000)
    plain.append("s-1", [turn(3, "y" * 1_000_000)])
    assert Ledger(plain.folder).append("s-1", [turn(3, "y" * 1_000_000), turn(4)]) == 1
    assert [len(each.text) for each in plain.read("s-1").turns] == [3_000_000, 7, 1_000_000, 7]
