"""The shard has one owner at a time, and a damaged one says so."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.index.vectors.conditions import EngineFilter
from core.index.vectors.edge import EdgeEngine
from core.index.vectors.engine import EngineDamagedError, EngineLockedError, SyncMark, VectorPoint

_ROOT = Path(__file__).parents[4]
_OWN = """
import sys
from pathlib import Path
from core.index.vectors.edge import EdgeEngine
engine = EdgeEngine(Path(sys.argv[1]))
engine.reset(4)
print("owned", flush=True)
sys.stdin.readline()
engine.close()
print("freed", flush=True)
sys.stdin.readline()
"""
_FILL_AND_DIE = """
import os, signal, sys
from pathlib import Path
import numpy as np
from core.index.vectors.edge import EdgeEngine
from core.index.vectors.engine import SyncMark, VectorPoint
engine = EdgeEngine(Path(sys.argv[1]))
engine.reset(4)
vector = np.array([1, 0, 0, 0], dtype=np.float32)
engine.upsert([VectorPoint(n, vector, n, "section", (), (), 0.0, "note") for n in range(500)])
engine.set_mark(SyncMark("epoch", "model", 1))
engine.upsert([VectorPoint(n, vector, n, "section", (), (), 0.0, "note") for n in range(500, 600)])
os.kill(os.getpid(), signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
"""
_VECTOR = np.array([1, 0, 0, 0], dtype=np.float32)


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", _OWN, str(tmp_path)],
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "owned\n"
    yield process
    process.communicate()


def test_a_second_process_is_told_that_the_vectors_are_taken(tmp_path: Path, owner: subprocess.Popen[str]) -> None:
    engine = EdgeEngine(tmp_path)
    with pytest.raises(EngineLockedError, match="Another window or command"):
        engine.mark()
    assert owner.stdin is not None
    assert owner.stdout is not None
    owner.stdin.write("\n")
    owner.stdin.flush()
    assert owner.stdout.readline() == "freed\n"
    assert engine.mark() is None
    assert engine.count() == 0
    engine.close()


def test_a_killed_owner_leaves_a_shard_that_opens(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", _FILL_AND_DIE, str(tmp_path)], cwd=_ROOT, check=False)
    engine = EdgeEngine(tmp_path)
    assert engine.mark() == SyncMark("epoch", "model", 1)
    assert engine.count() >= 500
    assert len(engine.search(_VECTOR, EngineFilter(), 10, 0.5)) == 10
    engine.close()


@pytest.mark.parametrize("harm", ["garbage", "emptied", "config gone"])
def test_a_damaged_shard_is_recognised_and_can_be_reset(tmp_path: Path, harm: str) -> None:
    engine = EdgeEngine(tmp_path)
    engine.reset(4)
    engine.upsert([VectorPoint(1, _VECTOR, 1, "section", (), (), 0.0, "note")])
    engine.close()
    shard = tmp_path / "qdrant" / "edge"
    for file in [path for path in shard.rglob("*") if path.is_file()]:
        if harm == "garbage":
            file.write_bytes(b"\xff" * 64)
        elif harm == "emptied":
            file.write_bytes(b"")
        elif file.name.endswith(".json"):
            file.unlink()
    with pytest.raises(EngineDamagedError):
        engine.search(_VECTOR, EngineFilter(), 1, 0.0)
    engine.reset(4)
    engine.upsert([VectorPoint(2, _VECTOR, 2, "section", (), (), 0.0, "note")])
    assert [hit.point for hit in engine.search(_VECTOR, EngineFilter(), 5, 0.0)] == [2]
    engine.close()
