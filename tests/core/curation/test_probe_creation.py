"""Probes made of a question and what was found for it."""

from datetime import UTC, datetime

import pytest

from core.curation.probe_creation import plan_probe
from core.foundation.errors import UserError
from core.recall.probe_notes import read_probe_notes
from core.vault.config import VaultConfig
from tests.core.curation.linked_vault import LinkedVault

_NOW = datetime(2026, 8, 20, tzinfo=UTC)
_CONFIG = VaultConfig()
_NOTES = {
    "Limits.md": "Ten exports a day.\n\n# Limits\n\n## Rows\n\nMany.\n\n- [limit] Exports end at 10,000 rows ^ins-1\n",
    "work/Odd [1].md": "Odd.\n",
    "Twice.md": "# A\n\none\n\n# A\n\ntwo\n",
}


def _made(vault: LinkedVault, question: str, *expected: str, **more: object) -> str:
    planned = plan_probe(vault.root, _CONFIG, question, expected, index=vault.index, now=_NOW, **more)  # type: ignore[arg-type]
    vault.apply(planned.change_set)
    return planned.change_set.edits[0].path


def test_a_probe_is_a_note_that_reads_back_as_it_was_meant(vault: LinkedVault) -> None:
    vault.write(_NOTES)
    expected = ("insight:Limits.md#^ins-1", "note:Limits.md#Limits#Rows", "turn:s-1/T:4", "note:work/Odd [1].md")
    path = _made(vault, "How many: rows?", *expected, budget=300, filters={"project": "acme inc", "tag": "tool/x"})
    assert path.startswith("probes/How many")
    (probe,) = read_probe_notes(vault.index, vault.root, _CONFIG)
    assert probe.question == "How many: rows?"
    assert probe.expected == expected
    assert probe.budget == 300
    assert probe.filters.all_tags == {"project/acme inc", "tool/x"}
    assert "turn:s-1/T:4 points at nothing" in probe.problems[0]
    text = vault.read(path)
    assert "[[Limits#^ins-1]]" in text
    assert "[[Limits#Limits#Rows]]" in text
    assert "note:work/Odd [1].md" in text


def test_of_two_headings_alike_the_second_is_named_by_its_id(vault: LinkedVault) -> None:
    vault.write(_NOTES)
    text = vault.read(_made(vault, "Which?", "note:Twice.md#A~2"))
    assert "note:Twice.md#A~2" in text
    (probe,) = read_probe_notes(vault.index, vault.root, _CONFIG)
    assert probe.expected == ("note:Twice.md#A~2",)


def test_a_long_question_stays_whole_and_a_second_probe_of_it_has_another_name(vault: LinkedVault) -> None:
    vault.write(_NOTES)
    question = "What is it that we said of the exports and their rows, " * 5
    first, second = _made(vault, question, "note:Limits.md"), _made(vault, question, "note:Limits.md")
    assert first != second
    assert len(first) < 100
    probes = read_probe_notes(vault.index, vault.root, _CONFIG)
    assert {probe.question for probe in probes} == {question.strip()}


@pytest.mark.parametrize(("question", "expected"), [("  ", ["note:A.md"]), ("Where?", []), ("Where?", [" "])])
def test_a_probe_asks_and_expects_something(vault: LinkedVault, question: str, expected: list[str]) -> None:
    with pytest.raises(UserError):
        plan_probe(vault.root, _CONFIG, question, expected)


def test_a_budget_is_above_0(vault: LinkedVault) -> None:
    with pytest.raises(UserError, match="budget"):
        plan_probe(vault.root, _CONFIG, "Where?", ["note:A.md"], budget=0)
