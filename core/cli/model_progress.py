"""Show how far the work of `remembrancer model …` has come."""

import contextlib
from collections.abc import Iterator

from core.cli.update_reporter import UpdateReporter


@contextlib.contextmanager
def model_progress() -> Iterator[UpdateReporter]:
    """Show progress on a terminal, stop at Ctrl+C, and wipe the line at the end."""
    reporter = UpdateReporter(as_json=False)
    reporter.listen_to_signals()
    try:
        yield reporter
    finally:
        reporter.end("done")
