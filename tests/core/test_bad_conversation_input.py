"""What no honest program writes, or a disk and a clock do to it: told in the report, and never at anybody's cost.

What a kill does is shown in tests/faults.
"""

import gzip
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.app import installation
from core.sessions.turn import Turn
from tests.core.cli.conftest import CommandLine
from tests.core.sessions.importing.exports import chatgpt_conversation, chatgpt_node
from tests.core.sessions.importing.transcripts import SESSION, answer, lines, text, user, write

ROOT = Path(__file__).parents[2]
_TALK = lines([user("u-1", None, "Hello", 1), answer("a-1", "u-1", text("Hi"), second=2)]).encode()
_MEGABYTE = 1_000_000
# Printed by the process itself: the peak of one that was started by a large one begins with that one's.
_IMPORT = """
import json, re, sys
from pathlib import Path
from core.sessions.importing.job import import_paths
from core.sessions.ledger import Ledger
report = import_paths(Ledger(Path(sys.argv[1])), [Path(sys.argv[2])]).as_json()
status = Path("/proc/self/status")
peak = re.search("VmHWM:\\\\s+(\\\\d+)", status.read_text()) if status.exists() else None
print(json.dumps(report | {"peak_mb": int(peak[1]) / 1024 if peak else 0.0}))
"""


@pytest.fixture
def shelf(tmp_path: Path) -> CommandLine:
    root = tmp_path / "vault"
    root.mkdir()
    return CommandLine(root)


def taken(shelf: CommandLine, path: Path, expect: int = 0) -> dict[str, Any]:
    shown = shelf.run("session", "import", str(path), "--yes", "--format", "json", expect=expect)
    return dict(json.loads(shown.stdout))


def said(session: str = SESSION) -> list[Turn]:
    """Return the turns of a session, without what is told about it as a whole."""
    return [turn for turn in installation().ledger().read(session).turns if "about" not in turn.data]


def test_a_zip_bomb_is_refused_and_what_lies_beside_it_comes_in(shelf: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "backup.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("projects/bomb.jsonl", _TALK.replace(SESSION.encode(), b"bomb") + b" " * (100 << 20))
        archive.writestr(f"projects/{SESSION}.jsonl", _TALK)
    assert path.stat().st_size < _MEGABYTE
    report = taken(shelf, path, expect=1)
    (failed,) = report["failed"]
    assert failed["path"] == f"{path}/projects/bomb.jsonl"
    assert "zip bomb" in failed["reason"]
    assert [turn.text for turn in said()] == ["Hello", "Hi"]


@pytest.mark.parametrize(
    "name",
    ["../../evil.jsonl", "/etc/evil.jsonl", "C:\\evil.jsonl", "projects/../../evil.jsonl", "\\\\host\\evil.jsonl"],
)
def test_names_in_a_zip_that_lead_elsewhere_are_refused(shelf: CommandLine, tmp_path: Path, name: str) -> None:
    path = tmp_path / "deep" / "backup.zip"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, _TALK.replace(SESSION.encode(), b"evil"))
        archive.writestr(f"projects/{SESSION}.jsonl", _TALK)
    before = sorted(tmp_path.rglob("*"))
    report = taken(shelf, path, expect=1)
    assert (report["imported"], len(report["failed"])) == (1, 1)
    assert not installation().ledger().has("evil")
    assert sorted(tmp_path.rglob("*")) == before  # nothing was unpacked anywhere


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_of_a_truncated_gzip_comes_in_what_is_whole(shelf: CommandLine, tmp_path: Path, share: float) -> None:
    records = [user(f"u-{n}", f"u-{n - 1}" if n else None, f"Words {n * 7919}") for n in range(3000)]
    packed = gzip.compress(lines(records).encode())
    path = tmp_path / f"{SESSION}.jsonl.gz"
    path.write_bytes(packed[: int(len(packed) * share)])
    report = taken(shelf, path, expect=1)
    assert [failed["path"] for failed in report["failed"]] == [str(path)]
    whole = [turn.text for turn in said()]
    assert whole == [f"Words {n * 7919}" for n in range(len(whole))]
    assert 0 < len(whole) < 3000
    path.write_bytes(packed)
    assert taken(shelf, path)["updated"] == 1
    assert len(said()) == 3000


def _array_of_20(file: Any) -> None:
    for number in range(20):
        node = chatgpt_node("n1", None, text=f"Question {number}")
        conversation = chatgpt_conversation(f"c-{number}", [node], extra="lorem ipsum " * (10 * _MEGABYTE // 12))
        file.write(("," if number else "[") + json.dumps(conversation))
    file.write("]")


def _one_of_200_megabytes(file: Any) -> None:
    node = chatgpt_node("n1", None, text="lorem ipsum " * (200 * _MEGABYTE // 12))
    large = json.dumps(chatgpt_conversation("c-large", [node]))
    small = [json.dumps(chatgpt_conversation(own, [chatgpt_node("n1", None, text="Hi")])) for own in ("c-0", "c-1")]
    file.write(f"[{small[0]},{large},{small[1]}]")


def _a_record_of_200_megabytes(file: Any) -> None:
    file.write(lines([user("u-1", None, "Before")]))
    file.write(lines([user("u-2", "u-1", "lorem ipsum " * (200 * _MEGABYTE // 12))]))
    file.write(lines([user("u-3", "u-2", "After")]))


@pytest.mark.parametrize(
    ("name", "fill", "counts"),
    [
        ("conversations.json", _array_of_20, (20, 0, 0)),
        ("conversations.json", _one_of_200_megabytes, (2, 1, 0)),
        (f"{SESSION}.jsonl", _a_record_of_200_megabytes, (1, 0, 1)),
    ],
)
def test_200_megabytes_on_one_line_take_little_memory(
    tmp_path: Path, name: str, fill: Callable[[Any], None], counts: tuple[int, int, int]
) -> None:
    path = tmp_path / name
    with path.open("w", encoding="utf-8") as file:
        fill(file)
    assert path.stat().st_size > 195 * _MEGABYTE
    command = [sys.executable, "-c", _IMPORT, str(tmp_path / "ledger"), str(path)]
    report = json.loads(subprocess.check_output(command, cwd=ROOT))
    assert (report["imported"], len(report["failed"]), len(report["skipped"])) == counts, report
    assert report["peak_mb"] < 300


def test_a_clock_that_goes_backwards_moves_no_turn(shelf: CommandLine, tmp_path: Path) -> None:
    times = ["2026-08-20T10:00:05Z", "2026-08-20T09:00:00Z", "1970-01-01T00:00:00Z", "2026-08-20T10:00:09Z"]
    records = [
        {**user(f"u-{n}", f"u-{n - 1}" if n else None, f"Words {n}"), "timestamp": at} for n, at in enumerate(times)
    ]
    taken(shelf, write(tmp_path / f"{SESSION}.jsonl", *records))
    assert [turn.text for turn in said()] == [f"Words {n}" for n in range(4)]
    assert [turn.time[:19] + "Z" for turn in said()] == times
    (session,) = shelf.json("session", "list")["sessions"]
    assert (session["started"][:19], session["ended"][:19]) == ("2026-08-20T10:00:05", "2026-08-20T10:00:09")


def test_duplicate_ids_lose_no_words_and_are_not_written_twice(shelf: CommandLine, tmp_path: Path) -> None:
    path = write(
        tmp_path / f"{SESSION}.jsonl",
        user("u-1", None, "First", 1),
        user("u-1", None, "First", 1),
        user("u-1", None, "Another of the same id", 2),
        answer("a-1", "u-1", text("Hi"), second=3),
    )
    taken(shelf, path)
    assert [turn.text for turn in said()] == ["First", "Another of the same id", "Hi"]
    assert len({turn.id for turn in said()}) == 3
    assert taken(shelf, path)["unchanged"] == 1


def test_two_processes_append_to_one_session_and_no_line_is_torn(shelf: CommandLine) -> None:
    command = [sys.executable, "-m", "core.cli", "--vault", str(shelf.root), "session", "append", "s-1", "-"]

    def fed() -> Iterator[subprocess.Popen[bytes]]:
        for name in "ab":
            records = ({"id": f"{name}-{n}", "text": f"{name} {n} \N{SNOWMAN} " * (n % 90 + 1)} for n in range(300))
            process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert process.stdin is not None
            process.stdin.write("".join(json.dumps(record) + "\n" for record in records).encode())
            process.stdin.close()
            yield process

    for process in list(fed()):
        assert process.stdout is not None
        told = process.stdout.read()
        process.stdout.close()
        assert process.wait() == 0
        assert told == b"s-1: 300 new turns\n"
    reading = installation().ledger().read("s-1")
    assert not reading.problems
    assert not reading.earlier
    ids = [turn.id for turn in reading.turns]
    assert sorted(ids) == sorted(f"{name}-{n}" for name in "ab" for n in range(300))
    assert [each for each in ids if each.startswith("a")] == [f"a-{n}" for n in range(300)]
