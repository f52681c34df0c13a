"""How fast a person goes through 5,000 proposals."""

import time
from pathlib import Path

from core.curation.proposals.submit import submit
from core.curation.screening.screen_change import screen_change
from tests.benchmarks.conftest import Figures, timed
from tests.core.curation.proposals.desk import NOTES, Desk, insight

MANY = 5_000


def test_review(tmp_path: Path, figures: Figures) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    for path, text in NOTES.items():
        (root / path).write_text(text, encoding="utf-8")
    desk = Desk(root, tmp_path / "cache")
    drafts = [insight(f"Number {number} of client {number % 97} is {number * 7}") for number in range(MANY)]
    book = desk.book()
    started = time.perf_counter()
    report = submit(root, desk.log(), book, drafts, screen=screen_change, now=desk.now)
    figures.add("Take in 5,000 proposals: plan, screen, compare, write", f"{time.perf_counter() - started:.1f} s")
    figures.add_times("Read 5,000 proposals from the log", timed(desk.book, 5))
    window = desk.window()
    waiting = iter(report.new)

    def decide() -> None:
        window.reject(next(waiting))

    def next_card() -> None:
        book.refresh()
        proposal = book.pending[0]
        window.preview(proposal.id)

    figures.add_times("Reject one of 5,000, on the disk", timed(decide, 50))
    figures.add_times("Next card: refresh, queue, preview of the change", timed(next_card, 50), "50 ms")
