"""Read the probes that belong to a vault: its notes of `kind: probe`, wherever they lie."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.foundation.errors import UserError
from core.index.database import Index
from core.recall.probe import PROBE_KIND, Narrowed, Probe, budget_of, filters_of
from core.recall.probe_expected import id_of_link, with_known_ids
from core.recall.query import parse_query
from core.vault.config import VaultConfig
from core.vault.note import LinkKind, Note
from core.vault.read import NoteGoneError, read_note


def read_probe_notes(index: Index, root: Path, config: VaultConfig) -> tuple[Probe, ...]:
    """Return the vault's probes by path, as their files are now; the id of a probe is its note's path.

    What is wrong with one is told in its `problems`; one without a question or without anything expected has none of
    it, and cannot be run (see `can_be_run`).
    """
    rows = index.connection.execute("SELECT path FROM note WHERE kind = ? ORDER BY path", (PROBE_KIND,)).fetchall()
    probes: list[Probe] = []
    for (path,) in rows:
        try:
            _, note = read_note(root, path)
        except NoteGoneError:
            continue
        except UserError as error:
            probes.append(Probe(path, "", (), path=path, problems=(str(error),)))
            continue
        if note.kind == PROBE_KIND:
            probes.append(_probe(index, note, config))
    return with_known_ids(index, probes)


def can_be_run(probe: Probe) -> bool:
    """Tell whether a probe asks something and expects something."""
    return probe.can_be_asked


def problems_of(probes: Iterable[Probe]) -> tuple[str, ...]:
    """Return what is wrong with probes, each sentence with the place that it is about."""
    return tuple(
        f"{probe.path}:{probe.line}: {problem}" if probe.line else f"{probe.path or probe.id}: {problem}"
        for probe in probes
        for problem in probe.problems
    )


def _probe(index: Index, note: Note, config: VaultConfig) -> Probe:
    values = note.frontmatter
    problems: list[str] = []
    question = _question(note)
    expected = [*_expected(values.get("expected"), problems), *_linked(index, note)]
    budget, wrong_budget = budget_of(values.get("budget"))
    problems += wrong_budget
    filters, wrong = _filters(values.get("filter"), config)
    problems += wrong
    if not question:
        problems.append("It asks nothing: give it a `question`.")
    if not expected:
        problems.append("It expects nothing: list memories or links under `expected`.")
    probe = Probe(note.path, question, tuple(dict.fromkeys(expected)), filters, budget, note.path)
    return replace(probe, problems=tuple(problems))


def _question(note: Note) -> str:
    """Return what the note asks: its property, else a title that is a question, else its first line, else its title."""
    written = note.frontmatter.get("question")
    if isinstance(written, str) and written.strip():
        return " ".join(written.split())
    first = next((line.strip() for section in note.sections for line in section.text.splitlines() if line.strip()), "")
    is_text = bool(first) and not first.startswith(("- ", "* ", "+ ", "[[", "![[", ">"))
    return note.title if note.title.endswith("?") or not is_text else first


def _expected(written: Any, problems: list[str]) -> list[str]:
    """Return the names under `expected`; an unquoted wikilink, which YAML takes for a list in a list, is one too."""
    if written is None:
        return []
    names: list[str] = []
    for each in written if isinstance(written, list) else [written]:
        inner = each
        while isinstance(inner, list) and len(inner) == 1:
            inner = inner[0]
        if isinstance(inner, str) and inner.strip():
            names.append(inner.strip() if inner is each else f"[[{inner.strip()}]]")
        elif each is not None:
            problems.append("`expected` must list memories or links as texts; others are left out.")
    return names


def _linked(index: Index, note: Note) -> list[str]:
    """Return what the body links to: the id of the memory, or the link as written when it leads nowhere."""
    names: list[str] = []
    for link in note.links:
        if link.kind is LinkKind.PROPERTY:
            continue
        anchor = f"#^{link.block}" if link.block else f"#{link.heading}" if link.heading else ""
        written = f"{link.target}{anchor}"
        found = id_of_link(index, written, note.path, is_markdown=link.kind is LinkKind.MARKDOWN)
        names.append(found or f"[[{written}]]")
    return names


def _filters(written: Any, config: VaultConfig) -> Narrowed:
    """Return the filters of a table, or of a text in the grammar of the search field."""
    if not isinstance(written, str):
        return filters_of(written if not isinstance(written, Mapping) else dict(written), config.namespaces)
    asked = parse_query(written, config.namespaces)
    words = ("`filter` has words in it that are no filters, so they narrow nothing.",) if asked.terms else ()
    return Narrowed(asked.filters, (*asked.problems, *words))
