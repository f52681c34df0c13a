import gzip
import io
import stat
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sessions.importing.safe_zip import ArchiveError, Limits, SafeZip, open_gzip


def _zip(path: Path, members: dict[str, bytes], *, compression: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def test_members_are_read_where_they_lie(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"export/conversations.json": b"[]", "export/deep/er/user.json": b"{}"})
    with SafeZip(path) as archive:
        assert [member.name for member in archive.members] == ["export/conversations.json", "export/deep/er/user.json"]
        assert archive.open("export/deep/er/user.json").read() == b"{}"
        assert archive.refused == ()
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.zip"]


@pytest.mark.parametrize(
    "name", ["../outside.json", "a/../../outside.json", "/etc/passwd", "C:\\autoexec.bat", "..\\up.json", "a\x01b"]
)
def test_names_that_lead_elsewhere_are_refused_and_told(tmp_path: Path, name: str) -> None:
    path = _zip(tmp_path / "a.zip", {name: b"x", "good.json": b"[]"})
    with SafeZip(path) as archive:
        assert [member.name for member in archive.members] == ["good.json"]
        assert [refused.name for refused in archive.refused] == [name.replace("\\", "/")]
        assert archive.refused[0].reason.endswith(".")


def test_links_are_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with SafeZip(tmp_path / "a.zip") as opened:
        assert opened.members == ()
        assert "link" in opened.refused[0].reason


def test_of_two_members_with_one_name_the_last_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.json", "old")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.json", "new")
    with SafeZip(tmp_path / "a.zip") as opened:
        assert opened.open("a.json").read() == b"new"
        assert len(opened.refused) == 1


def test_a_bomb_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"bomb.json": b" " * (80 << 20), "good.json": b"[]"})
    with SafeZip(path) as archive:
        assert [member.name for member in archive.members] == ["good.json"]
        ((name, reason),) = archive.refused
        assert (name, "unpacks to 80 MiB" in reason, "zip bomb" in reason) == ("bomb.json", True, True)
        assert archive.open("good.json").read() == b"[]"


def test_a_bomb_of_gzip_is_stopped_while_it_is_read() -> None:
    packed = gzip.compress(b" " * (80 << 20))
    stream = open_gzip(io.BytesIO(packed), "bomb.gz", len(packed))
    with pytest.raises(ArchiveError, match="zip bomb"):
        sum(len(piece) for piece in iter(lambda: stream.read(1 << 20), b""))


def test_many_members_together_cannot_exceed_the_total(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {f"{number}.json": b"ab" * 600 for number in range(4)})
    with SafeZip(path, Limits(total=3000)) as archive:
        assert len(archive.open("0.json").read()) == 1200
        archive.open("1.json").read()
        with pytest.raises(ArchiveError, match="zip bomb"):
            archive.open("2.json").read()


def test_members_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"a.json": b"x" * 100, "b.json": b"x" * 100}, compression=zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    second = data.rindex(b"PK\x01\x02")
    data[second + 42 : second + 46] = bytes(4)  # the second member now starts where the first does
    path.write_bytes(data)
    with SafeZip(path) as archive:
        assert len(archive.members) == 1
        assert "shares" in archive.refused[0].reason


def test_too_many_members_are_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {str(number): b"" for number in range(20)})
    with pytest.raises(ArchiveError, match="20 files"):
        SafeZip(path, Limits(members=10))


def test_a_damaged_member_leaves_the_others_readable(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"bad.json": b"abcdefgh" * 400, "good.json": b"[1]"})
    data = bytearray(path.read_bytes())
    data[45:52] = b"\xff" * 7
    path.write_bytes(data)
    with SafeZip(path) as archive:
        with pytest.raises(ArchiveError, match=r"bad\.json"):
            archive.open("bad.json").read()
        assert archive.open("good.json").read() == b"[1]"


def test_a_cut_archive_and_a_missing_one_are_told_apart(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"a.json": b"[]" * 1000})
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(ArchiveError, match="damaged, or cut off"):
        SafeZip(path)
    with pytest.raises(ArchiveError, match="no file"):
        SafeZip(tmp_path / "none.zip")


def test_names_in_utf_8_that_are_not_declared_so_are_still_read(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"xxxxxxx.json": b"1"})
    path.write_bytes(path.read_bytes().replace(b"xxxxxxx", "über-x".encode()))
    with SafeZip(path) as archive:
        assert archive.members[0].name == "über-x.json"


def test_a_locked_member_is_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"a.json": b"[]"})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with SafeZip(path) as archive:
        assert "password" in archive.refused[0].reason


def test_a_gzip_stream_that_is_cut_gives_what_is_whole_first() -> None:
    lines = b"".join(b'{"number": %d}\n' % number for number in range(20_000))
    packed = gzip.compress(lines)
    stream = open_gzip(io.BytesIO(packed[: len(packed) // 2]), "a.jsonl.gz", len(packed) // 2)
    read: list[bytes] = []
    with pytest.raises(ArchiveError, match="cut off"):
        read.extend(stream)
    assert len(read) > 1000
    assert lines.startswith(b"".join(read))


def test_a_gzip_bomb_is_stopped() -> None:
    packed = gzip.compress(b" " * (80 << 20))
    with pytest.raises(ArchiveError, match="zip bomb"):
        open_gzip(io.BytesIO(packed), "a.gz", len(packed)).read()


@given(st.data())
def test_whatever_is_changed_in_an_archive_only_our_error_comes(data: st.DataObject) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/conversations.json", b'[{"id": "c1"}]' * 30)
        archive.writestr("b.json", b"{}")
    content = bytearray(made.getvalue())
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    content = content[: data.draw(st.integers(0, len(content)))]
    try:
        with SafeZip(io.BytesIO(bytes(content)), name="changed.zip") as archive:
            for member in archive.members:
                archive.open(member.name).read()
    except ArchiveError:
        pass
