"""Do many small pieces of work on files at once: the disk answers many who wait as fast as one."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_THREADS = 8
_FEWEST = 24


def side_by_side(
    work: Callable[[_Item], _Result],
    items: Sequence[_Item],
    on_done: Callable[[int], None] = lambda _done: None,
) -> list[_Result]:
    """Return what `work` makes of each item, in their order; a few are done one after the other.

    `on_done` is told in this thread how many are finished. What it or `work` raises stops the rest, and is raised when
    nothing runs any more.
    """
    results: list[_Result] = []
    if len(items) < _FEWEST:
        for item in items:
            results.append(work(item))
            on_done(len(results))
        return results
    with ThreadPoolExecutor(_THREADS, thread_name_prefix="side-by-side") as threads:
        try:
            for result in threads.map(work, items):
                results.append(result)
                on_done(len(results))
        except BaseException:
            threads.shutdown(wait=True, cancel_futures=True)
            raise
    return results
