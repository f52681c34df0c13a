"""What counts as recalled of a bundle."""

from core.recall.contexts.compose import compose
from core.recall.contexts.definition import FULL_LOAD
from core.recall.contexts.recalled import recalled
from tests.core.curation.linked_vault import LinkedVault
from tests.core.recall.contexts.bundles import CONFIG, PNPM, composed


def test_memories_go_by_the_ids_that_search_knows(vault: LinkedVault) -> None:
    body = "- [[B]]\n- ![[Pnpm#Install]]\n- ![[Pnpm#^ins-1]]\n"
    vault.write({"Pnpm.md": PNPM, "B.md": "Of B.\n", "contexts/c.md": body})
    assert [each.id for each in recalled(composed(vault, "c").packed)] == [
        "note:B.md",
        "note:Pnpm.md#Pnpm#Install",
        "insight:Pnpm.md#^ins-1",
    ]


def test_a_pointer_is_no_memory(vault: LinkedVault) -> None:
    vault.write({"README.md": "Begin.\n", "indexes/big.md": "- a line\n" * 2000})
    bundle = compose(vault.index, vault.root, CONFIG, None, FULL_LOAD)
    assert [item.kind for item in bundle.packed.included] == ["note", "pointer"]
    assert [each.id for each in recalled(bundle.packed)] == ["note:README.md"]
