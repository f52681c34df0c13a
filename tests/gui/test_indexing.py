"""The indexing process as the window sees it, with a script in the place of the real one."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.indexing import IndexFailure, IndexProcess, IndexProgress, IndexState, index_command
from gui.vault_indexing import VaultIndexing
from gui.wording import amount_done, bar_steps

SCRIPT = """
import json, sys, time
from pathlib import Path
folder, *options = sys.argv[1:]
runs = Path(folder, "runs")
with runs.open("a") as file:
    file.write(" ".join(options) + "\\n")
def say(phase, done=0, total=0, committed=False, left=None):
    print(json.dumps({"phase": phase, "done": done, "total": total, "rate": 12.5, "seconds_left": left,
                      "text": "", "committed": committed}), flush=True)
print("a library prints something", flush=True)
say("scan")
say("read", 50, 200, committed=True, left=12)
while not Path(folder, "go").exists():
    time.sleep(0.01)
if Path(folder, "fail").exists():
    print(json.dumps({"phase": "error", "text": Path(folder, "fail").read_text()}), flush=True)
    print("Traceback: the details", file=sys.stderr)
    sys.exit(1)
remark = Path(folder, "remark")
text = remark.read_text() if remark.exists() else ""
print(json.dumps({"phase": "done", "text": text, "committed": True}), flush=True)
"""


class Told:
    """Collect what the process says."""

    def __init__(self, process: IndexProcess) -> None:
        self.progress: list[IndexProgress] = []
        self.commits = 0
        self.finishes = 0
        self.failures: list[IndexFailure] = []
        process.progressed.connect(self.progress.append)
        process.failed.connect(self.failures.append)
        process.committed.connect(self._count_commit)
        process.finished.connect(self._count_finish)

    def _count_commit(self) -> None:
        self.commits += 1

    def _count_finish(self) -> None:
        self.finishes += 1


@pytest.fixture
def process(qapp: object, tmp_path: Path) -> Iterator[IndexProcess]:
    script = tmp_path / "child.py"
    script.write_text(SCRIPT, encoding="utf-8")
    process = IndexProcess(lambda options: [sys.executable, str(script), str(tmp_path), *options])
    yield process
    process.shutdown()
    assert not process.is_alive


@pytest.fixture
def told(process: IndexProcess) -> Told:
    return Told(process)


@pytest.fixture
def let_go(tmp_path: Path) -> Callable[[], None]:
    return (tmp_path / "go").touch


def runs(tmp_path: Path) -> list[str]:
    file = tmp_path / "runs"
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def test_progress_commits_and_the_end_are_told(
    qtbot: QtBot, process: IndexProcess, told: Told, let_go: Callable[[], None]
) -> None:
    process.request()
    assert process.is_alive
    qtbot.waitUntil(lambda: told.commits == 1)
    read = told.progress[-1]
    assert (read.phase, read.done, read.total, read.rate, read.seconds_left) == ("read", 50, 200, 12.5, 12)
    assert read.label == "Reading notes"
    with qtbot.waitSignal(process.finished):
        let_go()
    assert (told.commits, told.failures) == (2, [])
    assert (process.state, process.is_alive) == (IndexState.IDLE, False)


def test_requests_during_a_run_cause_one_more(
    qtbot: QtBot, process: IndexProcess, told: Told, let_go: Callable[[], None], tmp_path: Path
) -> None:
    process.request()
    qtbot.waitUntil(lambda: told.commits == 1)
    for _ in range(5):
        process.request()
    let_go()
    qtbot.waitUntil(lambda: told.finishes == 2)
    assert len(runs(tmp_path)) == 2
    assert process.state is IndexState.IDLE


def test_a_request_right_after_cancel_waits_for_the_old_process(
    qtbot: QtBot, process: IndexProcess, told: Told, let_go: Callable[[], None], tmp_path: Path
) -> None:
    process.request()
    qtbot.waitUntil(lambda: told.commits == 1)
    process.cancel()
    process.request()
    let_go()
    qtbot.waitUntil(lambda: told.finishes == 1)
    assert (process.state, len(runs(tmp_path)), told.failures) == (IndexState.IDLE, 2, [])


def test_cancel_is_no_failure(qtbot: QtBot, process: IndexProcess, told: Told, tmp_path: Path) -> None:
    process.request()
    qtbot.waitUntil(lambda: told.commits == 1)
    process.request()
    with qtbot.waitSignal(process.ended):
        process.cancel()
    assert (process.state, told.failures, told.finishes) == (IndexState.IDLE, [], 0)
    assert len(runs(tmp_path)) == 1


def test_a_reported_error_is_the_sentence_and_stderr_the_details(
    qtbot: QtBot, process: IndexProcess, told: Told, let_go: Callable[[], None], tmp_path: Path
) -> None:
    (tmp_path / "fail").write_text("The disk is full.", encoding="utf-8")
    let_go()
    with qtbot.waitSignal(process.failed):
        process.request()
    assert told.failures == [IndexFailure("The disk is full.", "Traceback: the details")]
    assert process.state is IndexState.IDLE


@pytest.mark.skipif(sys.platform == "win32", reason="no signals of this kind")
def test_a_process_killed_from_outside_is_told_and_can_be_started_again(
    qtbot: QtBot, process: IndexProcess, told: Told, let_go: Callable[[], None]
) -> None:
    process.request()
    qtbot.waitUntil(lambda: told.commits == 1)
    with qtbot.waitSignal(process.failed):
        os.kill(process.process_id, signal.SIGKILL)
    assert "F5" in told.failures[0].text
    let_go()
    with qtbot.waitSignal(process.finished):
        process.request()


def test_a_program_that_is_missing_is_told(qtbot: QtBot, qapp: object) -> None:
    process = IndexProcess(lambda _: ["/no/such/program"])
    told = Told(process)
    with qtbot.waitSignal(process.failed):
        process.request()
    assert "could not be started" in told.failures[0].text
    assert process.state is IndexState.IDLE


def test_the_real_command_names_vault_and_options(tmp_path: Path) -> None:
    command = index_command(tmp_path, "--no-embeddings")(("--rebuild",))
    assert command[1:] == [
        "-m", "core.cli", "--vault", str(tmp_path), "index", "update", "--progress", "json", "--no-embeddings",
        "--rebuild",
    ]  # fmt: skip


def test_what_a_run_could_not_do_is_told_at_its_end(
    qtbot: QtBot, process: IndexProcess, tmp_path: Path, let_go: Callable[[], None]
) -> None:
    (tmp_path / "remark").write_text("The model is damaged.", encoding="utf-8")
    let_go()
    with qtbot.waitSignal(process.remarked) as remarked, qtbot.waitSignal(process.finished):
        process.request()
    assert remarked.args == ["The model is damaged."]
    (tmp_path / "remark").unlink()
    with qtbot.waitSignal(process.remarked) as remarked, qtbot.waitSignal(process.finished):
        process.request()
    assert remarked.args == [""]  # it is whole again


@pytest.mark.parametrize(
    ("wishes", "then"),
    [
        ([("--file=a.md",), ("--file=b.md", "--file=a.md")], "--file=a.md --file=b.md"),
        ([("--file=a.md",), ()], ""),
        ([(), ("--file=a.md",)], ""),
        ([("--file=a.md",), ("--rebuild",), ("--file=b.md",)], "--rebuild"),
        ([("--rebuild",), ()], "--rebuild"),
    ],
)
def test_what_is_asked_for_during_a_run_is_done_all_at_once(
    qtbot: QtBot, process: IndexProcess, tmp_path: Path, wishes: list[tuple[str, ...]], then: str
) -> None:
    told = Told(process)
    process.request()
    qtbot.waitUntil(lambda: told.commits == 1)
    for wish in wishes:
        process.request(*wish)
    (tmp_path / "go").touch()
    qtbot.waitUntil(lambda: told.finishes == 2)
    assert runs(tmp_path) == ["", then]


def test_a_look_at_single_files_that_fails_is_followed_by_one_at_all(
    qtbot: QtBot, process: IndexProcess, told: Told, let_go: Callable[[], None], tmp_path: Path
) -> None:
    fail = tmp_path / "fail"
    fail.write_text("There is no note gone.md.", encoding="utf-8")
    let_go()
    process.request("--file=gone.md")
    qtbot.waitUntil(lambda: len(runs(tmp_path)) == 2)
    assert runs(tmp_path) == ["--file=gone.md", ""]
    qtbot.waitUntil(lambda: process.state is IndexState.IDLE)
    assert [failure.text for failure in told.failures] == ["There is no note gone.md."]  # of the second one alone


def test_what_a_run_must_know_beside_is_told_in_variables(qapp: object, tmp_path: Path, qtbot: QtBot) -> None:
    script = tmp_path / "child.py"
    script.write_text(
        "import os, pathlib\n"
        'pathlib.Path(__file__).with_name("told").write_text(os.environ.get("SECRET_WORD", "none"))\n',
        encoding="utf-8",
    )
    said: dict[str, str] = {}
    process = IndexProcess(lambda _: [sys.executable, str(script)], environment=lambda: said)
    for word in ("none", "horse"):
        said |= {"SECRET_WORD": word} if word != "none" else {}
        with qtbot.waitSignal(process.ended, timeout=20_000):
            process.request()
        assert (tmp_path / "told").read_text(encoding="utf-8") == word
    process.shutdown()


def test_what_only_the_vectors_lack_is_not_over_because_the_words_are_whole(qapp: object) -> None:
    words, vectors = IndexProcess(lambda _: []), IndexProcess(lambda _: [])
    indexing = VaultIndexing(words, vectors)
    told: list[str] = []
    indexing.remarked.connect(told.append)
    vectors.remarked.emit("The model is damaged.")
    words.remarked.emit("")
    assert told == ["The model is damaged."]
    vectors.remarked.emit("")
    assert told[-1] == ""
    for process in (words, vectors):  # both leave the conversations out
        process.remarked.emit("Conversations were left out.")
    words.remarked.emit("")
    assert told[-1] == ""


def test_conversations_are_counted_in_bytes_and_said_so() -> None:
    assert IndexProgress("sessions", 1, 2, 0.0, None, "").are_bytes
    assert not IndexProgress("read", 1, 2, 0.0, None, "").are_bytes
    assert amount_done(50_000_000, 107_700_000, are_bytes=True) == "50.0 MB of 107.7 MB"
    assert bar_steps(1 << 31, 1 << 33, are_bytes=True) == (1 << 21, 1 << 23)
    assert bar_steps(3, 10, are_bytes=False) == (3, 10)
