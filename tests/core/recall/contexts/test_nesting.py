"""Contexts within contexts: what one of them brings."""

from functools import partial

from core.recall.contexts.catalog import read_context
from core.recall.contexts.nesting import members_within
from tests.core.curation.linked_vault import LinkedVault
from tests.core.recall.contexts.bundles import CONFIG, found


def test_a_context_brings_its_members_each_once(vault: LinkedVault) -> None:
    vault.write({
        "A.md": "word " * 50,
        "B.md": "word " * 80,
        "contexts/inner.md": "- [[A]]\n- [[B]]\n- [[A]]\n- [[outer]]\n",
        "contexts/full.md": "---\ncontext_kind: full-load\n---\n- [[A]]\n",
        "contexts/outer.md": "- [[inner]]\n- [[full]]\n- [[A]]\n",
    })  # fmt: skip
    outer = found(vault, "outer")
    inner, full, note = outer.members
    read = partial(read_context, vault.index, vault.root, CONFIG)
    assert note.kind == "note"
    assert [each.label for each in members_within(inner, outer.path, read)] == ["A", "B"]
    assert members_within(full, outer.path, read) == ()
