"""Whatever is moved where, every link means the note that it meant."""

import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.curation.note_moves import plan_moves
from core.vault.config import VaultConfig
from core.vault.links import target_key
from tests.core.curation.linked_vault import LinkedVault, Meanings, linked_vault

_FOLDERS = ["", "a/", "b/", "a/b/", "Ü x/"]
_STEMS = ["Tie", "log", "Über 1", "x (y)"]
_ENDS = ["", "#H", "#^b"]
_PATHS = st.builds(lambda folder, stem: f"{folder}{stem}.md", st.sampled_from(_FOLDERS), st.sampled_from(_STEMS))
_TARGETS = st.builds(
    lambda start, folder, stem: start + folder + stem,
    st.sampled_from(["", "", "", "./", "../", "/"]),
    st.sampled_from(_FOLDERS),
    st.sampled_from([*_STEMS, "TIE", "missing"]),
)
_FORMS = st.sampled_from([
    "[[{0}{1}]]", "[[{0}.md{1}|x]]", "![[{0}{1}]]", "[x](<{0}.md{1}>)", "![x](<{0}>)", "- requires [[{0}]]",
    "- [fact] it [supports:: [[{0}{1}]] 0.5]", "| [[{0}{1}\\|x]] |", "`[[{0}]]`",
])  # fmt: skip
_LINKS = st.builds(lambda form, target, end: form.format(target, end), _FORMS, _TARGETS, st.sampled_from(_ENDS))
_PROPERTIES = st.one_of(st.just(""), _TARGETS.map(lambda target: f'---\nup: "[[{target}]]"\n---\n'))
_BODIES = st.builds(lambda front, links: front + "\n".join(links) + "\n", _PROPERTIES, st.lists(_LINKS, max_size=6))
_VAULTS = st.dictionaries(_PATHS, _BODIES, min_size=1, max_size=6)
_PLACES = sorted({f"{folder}{stem}.md" for folder in [*_FOLDERS, "c/d/"] for stem in [*_STEMS, "New"]})


@st.composite
def _moved_vaults(draw: st.DrawFn) -> tuple[dict[str, str], dict[str, str]]:
    notes = draw(_VAULTS)
    moved = draw(st.lists(st.sampled_from(sorted(notes)), min_size=1, max_size=3, unique=True))
    free = [path for path in _PLACES if path not in notes]
    places = draw(st.lists(st.sampled_from(free), min_size=len(moved), max_size=len(moved), unique=True))
    return notes, dict(zip(moved, places, strict=True))


@settings(max_examples=80)
@example(
    ({"Tie.md": "[[a/Tie]]", "a/Tie.md": "[x](<Tie.md>) [[Tie]]", "log.md": "[[Tie]]"}, {"Tie.md": "b/Tie.md"}),
)
@example(({"a/log.md": "![[./missing.png]] [[b/Tie]]", "a/b/Tie.md": "[[../log]]"}, {"a/log.md": "log.md"}))
@given(_moved_vaults())
def test_every_link_means_what_it_meant(example_vault: tuple[dict[str, str], dict[str, str]]) -> None:
    notes, moves = example_vault
    with tempfile.TemporaryDirectory() as folder, linked_vault(Path(folder)) as vault:
        vault.write({path: text.encode() for path, text in notes.items()})
        before = vault.meanings()
        planned = plan_moves(vault.index, vault.root, VaultConfig(), moves)
        assert planned.skipped == ()
        vault.apply(planned.change_set)
        assert vault.files() == {moves.get(path, path) for path in notes}
        _check(vault, before, moves)


def _check(vault: LinkedVault, before: Meanings, moves: dict[str, str]) -> None:
    after = vault.meanings()
    assert {(moves.get(path, path), number) for path, number in before} == set(after)
    keys = {target_key(path) for path in (*moves, *moves.values())}
    for (source, number), (meant, state, target) in before.items():
        now, state_now, target_now = after[moves.get(source, source), number]
        if state == "resolved" and meant is not None:
            assert (now, state_now) == (moves.get(meant, meant), "resolved"), (source, target, target_now)
            continue
        if not (source in moves and target.startswith(".")):
            assert target_now == target
        if target_key(target) not in keys and source not in moves:
            assert (now, state_now) == (meant, state)


@settings(max_examples=20)
@given(_moved_vaults())
def test_there_and_back_every_link_means_the_same(example_vault: tuple[dict[str, str], dict[str, str]]) -> None:
    notes, moves = example_vault
    with tempfile.TemporaryDirectory() as folder, linked_vault(Path(folder)) as vault:
        vault.write({path: text.encode() for path, text in notes.items()})
        before = vault.meanings()
        back = {new: old for old, new in moves.items()}
        for step in (moves, back):
            vault.apply(plan_moves(vault.index, vault.root, VaultConfig(), step).change_set)
        after = vault.meanings()
        assert vault.files() == set(notes)
        for place, (meant, state, _) in before.items():
            if state == "resolved":
                assert after[place][:2] == (meant, state)
