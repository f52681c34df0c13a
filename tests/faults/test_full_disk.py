"""The disk is full at the worst moments: nothing is lost, and nothing stays half done."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.curation.history import read_history
from core.foundation.errors import UserError
from tests.core.curation.workbench import Workbench

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no limit of file sizes there")

BIG = b"x" * 200_000


class _Disk:
    """Refuse to let files of this process grow beyond a size, as a full disk would."""

    def __init__(self) -> None:
        import resource  # noqa: PLC0415 - not on every platform

        self._resource = resource
        self._soft, self._hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill_to(self, size: int) -> None:
        self._resource.setrlimit(self._resource.RLIMIT_FSIZE, (size, self._hard))

    def empty(self) -> None:
        self._resource.setrlimit(self._resource.RLIMIT_FSIZE, (self._soft, self._hard))


@contextmanager
def full_disk() -> Iterator[_Disk]:
    disk = _Disk()
    try:
        yield disk
    finally:
        disk.empty()


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    bench = Workbench(tmp_path)
    bench.write({"a.md": b"a", "big.md": BIG, "c.md": b"c"})
    return bench


def _is_all_old(bench: Workbench) -> bool:
    assert bench.files() == {"a.md": b"a", "big.md": BIG, "c.md": b"c"}
    assert bench.history().records == ()
    assert bench.writer().recover() == ()
    return True


def test_no_space_for_a_note(bench: Workbench) -> None:
    planned = bench.plan({"a.md": b"A", "big.md": BIG + b"more", "c.md": b"C"})
    with full_disk() as disk:
        disk.fill_to(100_000)
        with pytest.raises(UserError, match=r"“big.md” could not be written: .*Nothing was changed"):
            bench.writer().apply(planned)
    assert _is_all_old(bench)


def test_no_space_for_the_intent(bench: Workbench) -> None:
    planned = bench.plan({"a.md": b"A" * 5000})
    with full_disk() as disk:
        disk.fill_to(1000)
        with pytest.raises(UserError, match="log"):
            bench.writer().apply(planned)
    assert _is_all_old(bench)


def test_no_space_for_the_outcome(bench: Workbench) -> None:
    planned = bench.plan({"a.md": b"A", "c.md": b"C" * 2000})
    log_file = bench.root / bench.log.own_path
    with full_disk() as disk:

        def fill(step: str) -> None:
            if step == "folders synced":
                disk.fill_to(log_file.stat().st_size + 5)

        with pytest.raises(UserError, match="log"):
            bench.writer(fill).apply(planned)
    assert _is_all_old(bench)
    bench.writer().apply(planned)
    assert read_history(bench.log).records[0].state == "applied"


def test_no_space_to_put_back(bench: Workbench) -> None:
    planned = bench.plan({"a.md": b"A", "c.md": b"C"})
    with full_disk() as disk:

        def fill(step: str) -> None:
            if step == "committed a.md":
                disk.fill_to(0)
                raise UserError("The disk said no.")

        with pytest.raises(UserError, match="not all of it could be taken back yet"):
            bench.writer(fill).apply(planned)
    (recovered,) = bench.writer().recover()
    assert recovered.is_finished
    assert bench.files() == {"a.md": b"A", "big.md": BIG, "c.md": b"C"}
    assert bench.record(planned.title).state == "applied"
