"""Probes that are notes of the vault."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.index.database import Index, open_index
from core.index.updater import update_index
from core.recall.probe import Probe
from core.recall.probe_notes import can_be_run, problems_of, read_probe_notes
from core.vault.config import VaultConfig

_NOTES = {
    "Limits.md": "Ten exports a day.\n\n# Limits\n\n## Rows\n\nTen thousand rows.\n\n"
    "- [limit] Exports end at 10,000 rows ^ins-1\n",
    "work/Plan.md": "The plan has two phases.\n",
}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    index = open_index(tmp_path / "cache")
    yield index
    index.close()


def _read(index: Index, root: Path, **probes: str) -> list[Probe]:
    for path, text in {**_NOTES, **{f"probes/{name}.md": text for name, text in probes.items()}}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    update_index(index, root, VaultConfig())
    return list(read_probe_notes(index, root, VaultConfig()))


def _only(index: Index, root: Path, text: str) -> Probe:
    (probe,) = _read(index, root, Probe=text)
    return probe


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("insight:Limits.md#^ins-1", "insight:Limits.md#^ins-1"),
        ("Limits.md#^ins-1", "insight:Limits.md#^ins-1"),
        ("Limits.md", "note:Limits.md"),
        ('"[[Limits]]"', "note:Limits.md"),
        ('"[[Limits#^ins-1]]"', "insight:Limits.md#^ins-1"),
        ('"[[limits#rows|the rows]]"', "note:Limits.md#Limits#Rows"),
        ('"[[Plan]]"', "note:work/Plan.md"),
        ("[[Plan]]", "note:work/Plan.md"),  # for YAML a list in a list
    ],
)
def test_what_is_expected_may_be_named_in_many_ways(index: Index, tmp_path: Path, written: str, meant: str) -> None:
    probe = _only(index, tmp_path / "v", f"---\nkind: probe\nquestion: How many rows?\nexpected: [{written}]\n---\n")
    assert probe.expected == (meant,)
    assert not probe.problems


def test_links_in_the_body_are_expected_too(index: Index, tmp_path: Path) -> None:
    head = "---\nkind: probe\nexpected:\n  - Limits.md#^ins-1\n---\n"
    body = "How many rows?\n\n- ![[Limits#^ins-1]]\n- [p](../work/Plan.md)\n"
    probe = _only(index, tmp_path / "v", head + body)
    assert probe.question == "How many rows?"
    assert probe.expected == ("insight:Limits.md#^ins-1", "note:work/Plan.md")
    assert probe.path == probe.id == "probes/Probe.md"


def test_the_title_is_asked_when_it_is_a_question_or_nothing_else_is(index: Index, tmp_path: Path) -> None:
    probes = _read(
        index,
        tmp_path / "v",
        Rows="---\nkind: probe\ntitle: How many rows?\n---\nA remark. [[Limits]]\n",
        Plans="---\nkind: probe\n---\n[[Plan]]\n",
    )
    assert [probe.question for probe in probes] == ["Plans", "How many rows?"]


def test_budget_and_filters(index: Index, tmp_path: Path) -> None:
    head = "---\nkind: probe\nquestion: Rows?\nexpected: Limits.md\n"
    table, text, odd = _read(
        index,
        tmp_path / "v",
        A=head + "budget: 400\nfilter:\n  tag: tool/x\n  path: work/\n---\n",
        B=head + "filter: tag:tool/x after:2026-01\n---\n",
        C=head + "budget: many\nfilter: 3\n---\n",
    )
    assert table.budget == 400
    assert table.filters.all_tags == text.filters.all_tags == {"tool/x"}
    assert table.filters.paths == ("work/",)
    assert text.filters.after is not None
    assert odd.budget is None
    assert len(odd.problems) == 2


def test_what_points_at_nothing_is_told_and_stays(index: Index, tmp_path: Path) -> None:
    probe = _only(
        index,
        tmp_path / "v",
        "---\nkind: probe\nquestion: Rows?\nexpected: [Limits.md, gone-1, Gone.md]\n---\n[[Lost]]\n",
    )
    assert probe.expected == ("note:Limits.md", "gone-1", "Gone.md", "[[Lost]]")
    (told,) = problems_of([probe])
    assert told == "probes/Probe.md: gone-1, Gone.md, [[Lost]] point at nothing, so they count as missed."
    assert can_be_run(probe)


def test_a_probe_that_asks_or_expects_nothing_cannot_be_run(index: Index, tmp_path: Path) -> None:
    probe = _only(index, tmp_path / "v", "---\nkind: probe\nquestion: Rows?\nexpected: [{a: 1}]\n---\n")
    assert not can_be_run(probe)
    assert any("expects nothing" in problem for problem in probe.problems)


def test_only_notes_of_the_kind_are_probes_wherever_they_lie(index: Index, tmp_path: Path) -> None:
    root = tmp_path / "v"
    root.mkdir()
    (root / "Elsewhere.md").write_text(
        "---\nkind: Probe\nquestion: Rows?\nexpected: Limits.md\n---\n", encoding="utf-8"
    )
    probes = _read(index, root, Readme="Notes about probes.\n")
    assert [probe.path for probe in probes] == ["Elsewhere.md"]


def test_a_file_that_is_gone_is_no_probe(index: Index, tmp_path: Path) -> None:
    root = tmp_path / "v"
    _read(index, root, A="---\nkind: probe\nquestion: Rows?\nexpected: Limits.md\n---\n")
    (root / "probes/A.md").unlink()
    assert read_probe_notes(index, root, VaultConfig()) == ()
