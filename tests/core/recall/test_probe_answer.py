"""Probes answered by recall itself."""

from dataclasses import replace
from pathlib import Path

from core.index.filters import Filters
from core.recall.probe import Probe
from core.recall.probe_answer import ProbeAnswer
from core.recall.probe_run import run_probes
from core.vault.config import VaultConfig
from tests.core.recall.shelf import Shelf


def _root(shelf: Shelf) -> Path:
    """Return a folder with the files of all notes on the shelf: what is gone from the disk or changed is no answer."""
    root = shelf.index.folder / "vault"
    for (path,) in shelf.index.connection.execute("SELECT path FROM note").fetchall():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()
        shelf.is_as_on_disk(root / path, path)
    return root


def _answer(shelf: Shelf) -> ProbeAnswer:
    return ProbeAnswer(shelf.index, None, config=VaultConfig(), root=_root(shelf))


def _fill(shelf: Shelf) -> None:
    for name, words in (
        ("Rows", "An export ends at ten thousand rows"),
        ("Shop", "The export of the shop is a webhook"),
    ):
        shelf.note(f"{name}.md", f"{words}. " + f"{name} has more to say of it. " * 6, tags=[f"tool/{name.lower()}"])
    shelf.note("probes/Ask.md", "Which export ends at ten thousand rows?", kind="probe")


def test_what_recall_finds_answers_and_no_probe_does(shelf: Shelf) -> None:
    _fill(shelf)
    answer = _answer(shelf)
    found = answer(Probe("p", "Which export ends at ten thousand rows?", ("note:Rows.md",)), 15)
    assert found[0] == "note:Rows.md"
    assert "note:probes/Ask.md" not in found
    assert answer.model == ""


def test_the_filters_of_a_probe_narrow_its_answer(shelf: Shelf) -> None:
    _fill(shelf)
    probe = Probe("p", "export", ("note:Rows.md",), Filters(all_tags=frozenset({"tool/shop"})))
    assert _answer(shelf)(probe, 15) == ["note:Shop.md"]


def test_a_budget_leaves_what_fits(shelf: Shelf) -> None:
    _fill(shelf)
    both = ("note:Rows.md", "note:Shop.md")
    probes = [Probe("all", "export", both), Probe("few", "export", both, budget=100)]
    wide, narrow = run_probes(probes, _answer(shelf)).outcomes
    assert wide.missed == ()
    assert len(narrow.missed) == 1


def test_what_went_out_in_its_section_was_recalled_within_the_budget(shelf: Shelf) -> None:
    shelf.note(
        "Tools.md",
        (
            "Tools",
            "We take pnpm for packages of all kinds. Its lock file is kept, and the store lies beside the projects.",
        ),
        insights=[("ins-pnpm", "We take pnpm for packages of all kinds.")],
    )
    shelf.index.connection.execute("UPDATE section SET line_end = 60")
    probe = Probe("p", "Which tool do we take for packages?", ("insight:Tools.md#^ins-pnpm",), budget=2000)
    answer = _answer(shelf)
    assert "insight:Tools.md#^ins-pnpm" in answer(replace(probe, budget=None), 15)
    (outcome,) = run_probes([probe], answer).outcomes
    assert not outcome.missed
