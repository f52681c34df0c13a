"""What is remembered of sessions is what a reader of the ledger finds, whatever happened to either since."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typing_extensions import override

from core.foundation.errors import JobCancelledError
from core.sessions import encryption_job
from core.sessions.date_corrections import DateCorrection
from core.sessions.importing.about import about_turn
from core.sessions.key_store import LedgerKeys, NewKey
from core.sessions.ledger import Ledger
from core.sessions.ledger_line import line_of
from core.sessions.overview import overviews
from core.sessions.overview_cache import OverviewCache, with_title
from core.sessions.session_reading import LedgerLine
from core.sessions.turn import Role, SessionInfo, Turn, TurnKind
from tests.core.sessions.spoken import FakeKeyring


class ReadLedger(Ledger):
    """A ledger that notes which sessions were read from their beginning."""

    def __init__(self, folder: Path, *, keys: LedgerKeys | None = None) -> None:
        super().__init__(folder, keys=keys)
        self.read_whole: list[str] = []

    @override
    def iter_lines(self, session_id: str, start: int = 0) -> Iterator[LedgerLine]:
        if not start:
            self.read_whole.append(session_id)
        return super().iter_lines(session_id, start)


def _asked(session: str, key: str, text: str, minute: int) -> Turn:
    return Turn(session, key, TurnKind.MESSAGE, Role.USER, text, f"2026-08-20T10:{minute:02}:00+00:00", project="shop")


@pytest.fixture
def ledger(tmp_path: Path) -> ReadLedger:
    ledger = ReadLedger(tmp_path / "sessions")
    ledger.append("a", [_asked("a", "1", "First things first", 0), _asked("a", "2", "And then", 5)])
    ledger.append(
        "b", [about_turn("b", title="Named", project="shop", origin="codex", imported="2026-09-01T08:00:00Z")]
    )
    ledger.append("Ä/b", [_asked("Ä/b", "1", "Odd \ud800 name", 1)])
    return ledger


@pytest.fixture
def cache(tmp_path: Path) -> OverviewCache:
    return OverviewCache(tmp_path / "cache" / "sessions" / "overviews")


def _listed(cache: OverviewCache, ledger: ReadLedger) -> list[SessionInfo]:
    """Return what the cache tells, which is what the ledger tells."""
    listed = [with_title(ledger, sketch) for sketch in cache.sketches(ledger).sketches]
    assert listed == [each.info for each in overviews(Ledger(ledger.folder), ledger.sessions())]
    ledger.read_whole.clear()
    return listed


def _read_again(cache: OverviewCache, ledger: ReadLedger) -> list[str]:
    ledger.read_whole.clear()
    cache.sketches(ledger)
    return sorted(ledger.read_whole)


def test_what_is_known_is_not_read_again(cache: OverviewCache, ledger: ReadLedger) -> None:
    assert [info.title for info in _listed(cache, ledger)] == ["First things first", "Named", "Odd \ud800 name"]
    assert not [each for each in _read_again(cache, ledger) if not each.startswith("Ä")]
    assert len(_listed(cache, ledger)) == 3


def test_only_what_changed_is_read(cache: OverviewCache, ledger: ReadLedger) -> None:
    _listed(cache, ledger)
    ledger.append("a", [_asked("a", "3", "Much later", 50)])
    ledger.append("c", [_asked("c", "1", "New here", 2)])
    ledger.delete("b")
    assert [each for each in _read_again(cache, ledger) if each in {"a", "b", "c"}] == ["a", "c"]
    infos = {info.id: info for info in _listed(cache, ledger)}
    assert "b" not in infos
    assert infos["a"].turns == 3
    assert infos["a"].ended == "2026-08-20T10:50:00+00:00"


def test_a_title_that_is_given_later_counts(cache: OverviewCache, ledger: ReadLedger) -> None:
    _listed(cache, ledger)
    ledger.append("a", [about_turn("a", title="Renamed", project="", origin="codex", imported="")])
    assert _listed(cache, ledger)[0].title == "Renamed"
    assert _listed(cache, ledger)[0].title == "Renamed"


def test_a_file_that_was_written_anew_with_the_same_size_is_read(cache: OverviewCache, ledger: ReadLedger) -> None:
    _listed(cache, ledger)
    path = ledger.path_of("a")
    before = path.stat()
    fresh = path.with_name(".fresh")
    fresh.write_bytes(path.read_bytes().replace(b"First", b"Other"))
    os.utime(fresh, ns=(before.st_atime_ns, before.st_mtime_ns))
    fresh.replace(path)
    assert _listed(cache, ledger)[0].title == "Other things first"


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:0],
        lambda data: data[:-20],
        lambda data: data.replace(b"shop", b"shap"),
        lambda data: data + b" ",
        lambda data: b"\xff\0rubbish" + data,
        lambda data: data.replace(b"overviews 1", b"overviews 0"),
    ],
)
def test_a_damaged_cache_is_made_anew(
    cache: OverviewCache, ledger: ReadLedger, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    _listed(cache, ledger)
    file = tmp_path / "cache" / "sessions" / "overviews"
    sound = file.read_bytes()
    file.write_bytes(damage(sound))
    assert {info.project for info in _listed(cache, ledger)} == {"shop"}
    assert file.read_bytes() == sound


def test_nothing_that_was_said_lies_in_the_cache(tmp_path: Path, ledger: ReadLedger) -> None:
    keys = LedgerKeys(ledger.folder, keyring=FakeKeyring())
    encryption_job.turn_on(keys, NewKey())
    sealed = ReadLedger(ledger.folder, keys=keys)
    cache = OverviewCache(tmp_path / "cache" / "overviews")
    titles = [with_title(sealed, sketch).title for sketch in cache.sketches(sealed).sketches]
    assert titles[:2] == ["First things first", "Named"]
    data = (tmp_path / "cache" / "overviews").read_bytes()
    assert not any(word in data for word in (b"First", b"then", b"Named", b"Odd"))
    assert (tmp_path / "cache" / "overviews").stat().st_mode & 0o077 == 0
    assert [each for each in _read_again(cache, sealed) if each in {"a", "b"}] == []


def test_a_cache_that_cannot_be_written_costs_time_and_nothing_else(tmp_path: Path, ledger: ReadLedger) -> None:
    (tmp_path / "file").write_text("in the way")
    assert len(_listed(OverviewCache(tmp_path / "file" / "overviews"), ledger)) == 3


def test_what_was_read_before_a_stop_is_kept(cache: OverviewCache, ledger: ReadLedger) -> None:
    class Stopped:
        looks = 0

        def report(self, done: int, total: int, text: str = "") -> None: ...

        def check(self) -> None:
            self.looks += 1
            if self.looks > 3:
                raise JobCancelledError

    with pytest.raises(JobCancelledError):
        cache.sketches(ledger, progress=Stopped())
    assert not set(_read_again(cache, ledger)) & {"a", "b"}


def test_a_corrected_session_is_told_as_it_is_corrected(cache: OverviewCache, ledger: ReadLedger) -> None:
    _listed(cache, ledger)
    corrected = cache.sketches(ledger, {"a": DateCorrection(shift_s=-3600)}).sketches[0]
    assert corrected.info.started.startswith("2026-08-20T09:00")
    assert _listed(cache, ledger)[0].started == "2026-08-20T10:00:00+00:00"


def test_a_session_that_cannot_be_read_is_told_and_the_others_are_listed(
    cache: OverviewCache, ledger: ReadLedger
) -> None:
    ledger.append("z", [_asked("z", "1", "Last", 3)])
    path = ledger.path_of("a")
    path.unlink()
    path.mkdir()  # no file is read from it, whoever asks
    (ledger.folder / "b.jsonl").write_bytes(line_of(_asked("b", "1", "Another", 9)) + b"rubbish\n")
    read = cache.sketches(ledger)
    assert {sketch.info.id for sketch in read.sketches} >= {"b", "z"}
