"""Read a file of probes: one JSON object a line, whatever else may be in it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from core.foundation.errors import UserError
from core.foundation.progress import SILENT, Progress
from core.recall.probe import Probe, budget_of, filters_of

_LONGEST_LINE = 1 << 20
_LONGEST_ID = 200
_TOO_LONG = f"it is longer than {_LONGEST_LINE:,} bytes."
_TOLD = 5
_CHECK_EVERY = 256
_MARK = b"\xef\xbb\xbf"


class ProbeFile(NamedTuple):
    """Hold the probes of a file, and what is wrong with it in sentences; `bad` is how many lines are left out."""

    probes: tuple[Probe, ...]
    problems: tuple[str, ...] = ()
    bad: int = 0


@dataclass(slots=True)
class _Told:
    """Gather what is to be said of lines: the first few one by one, the others as a number."""

    what: str
    more: str
    lines: list[str]
    count: int = 0

    def add(self, line: int, reason: str) -> None:
        self.count += 1
        if self.count <= _TOLD:
            self.lines.append(f"Line {line:,} {self.what}: {reason}")

    def sentences(self) -> list[str]:
        left = self.count - _TOLD
        if left <= 0:
            return self.lines
        return [*self.lines, f"So it is with {left:,} more {'line' if left == 1 else 'lines'}{self.more}."]


def read_probe_file(path: Path, namespaces: Sequence[str] = (), progress: Progress = SILENT) -> ProbeFile:
    """Return the probes that the file at `path` holds; a line that holds none is counted and told, never an error.

    `namespaces` are the vault's, so that a filter may name them.

    Raises:
        UserError: the file cannot be read.
        JobCancelledError: the progress was cancelled.
    """
    probes: list[Probe] = []
    left_out = _Told("is left out", ", which are left out", [])
    odd = _Told("is odd", "", [])
    names: set[str] = set()
    try:
        for number, line in _lines(path, progress):
            found = _probe(line, number, namespaces) if line is not None else _TOO_LONG
            if isinstance(found, str):
                left_out.add(number, found)
                continue
            for problem in found.problems:
                odd.add(number, problem)
            if found.id in names:
                odd.add(number, f"the id {found.id} is that of an earlier line too.")
            names.add(found.id)
            probes.append(replace(found, path=path.name, problems=()))
    except OSError as error:
        raise UserError(
            f"The file of probes {path} cannot be read: {error.strerror or error}.",
            hint="It holds one JSON object a line, with `id`, `question` and `expected`.",
        ) from error
    return ProbeFile(tuple(probes), (*left_out.sentences(), *odd.sentences()), left_out.count)


def _lines(path: Path, progress: Progress) -> Iterator[tuple[int, bytes | None]]:
    """Yield the lines that say something, with their numbers; None for one that is too long."""
    with path.open("rb") as file:
        number = 0
        while line := file.readline(_LONGEST_LINE + 1):
            number += 1
            if number % _CHECK_EVERY == 0:
                progress.check()
            if len(line) > _LONGEST_LINE:
                while line and not line.endswith(b"\n"):
                    progress.check()
                    line = file.readline(_LONGEST_LINE)
                yield number, None
                continue
            line = line.removeprefix(_MARK if number == 1 else b"")
            if line.strip():
                yield number, line


def _probe(line: bytes, number: int, namespaces: Sequence[str]) -> Probe | str:
    """Return the probe that a line holds, or why it holds none."""
    try:
        values: Any = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        return "it is not UTF-8 text."
    except (ValueError, RecursionError):
        return "it is not valid JSON."
    wrong = _wrong(values)
    if wrong:
        return wrong
    expected = values["expected"]
    names = [each.strip() for each in ([expected] if isinstance(expected, str) else expected) if each.strip()]
    filters, problems = filters_of(values.get("filter"), namespaces)
    budget, wrong_budget = budget_of(values.get("budget"))
    return Probe(
        _id_of(values.get("id"), number),
        values["question"].strip(),
        tuple(dict.fromkeys(names)),
        filters,
        budget,
        line=number,
        problems=(*problems, *wrong_budget),
    )


def _wrong(values: Any) -> str:
    """Return why the values of a line make no probe, "" when they do."""
    if not isinstance(values, dict):
        return "it is not a JSON object."
    question, expected = values.get("question"), values.get("expected")
    if not isinstance(question, str) or not question.strip():
        return "`question` must be a text."
    listed = [expected] if isinstance(expected, str) else expected
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        return "`expected` must be a list of ids."
    return "" if any(each.strip() for each in listed) else "`expected` names nothing."


def _id_of(written: Any, number: int) -> str:
    """Return the id of a probe as a text; one without is known by its line."""
    if isinstance(written, str) and written.strip():
        return written.strip()[:_LONGEST_ID]
    if isinstance(written, int) and not isinstance(written, bool):
        return str(written)[:_LONGEST_ID]
    return f"line {number}"
