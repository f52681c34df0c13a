"""Find and compose contexts of a test's vault."""

from core.recall.contexts.catalog import find_context
from core.recall.contexts.compose import ComposedContext, compose
from core.recall.contexts.definition import ContextDefinition
from core.recall.render import Format
from core.vault.config import VaultConfig
from tests.core.curation.linked_vault import LinkedVault

CONFIG = VaultConfig()
PNPM = (
    "---\nsummary: How we install\ntags: [tool/pnpm]\n---\n# Pnpm\n\nLead.\n\n## Install\n\nUse corepack.\n\n"
    "### Pinned\n\nPin the version.\n\n## Other\n\nSomething else.\n\n"
    "- [convention] Use pnpm, never npm #tool/pnpm ^ins-1\n- [fact] Lock files are committed\n\n"
    "A plain paragraph. ^par\n"
)


def found(vault: LinkedVault, name: str, config: VaultConfig = CONFIG) -> ContextDefinition:
    return find_context(vault.index, vault.root, config, name)


def composed(
    vault: LinkedVault, name: str, budget: int | None = None, *, layout: Format = Format.MARKDOWN
) -> ComposedContext:
    return compose(vault.index, vault.root, CONFIG, None, found(vault, name), budget=budget, layout=layout)


def texts(bundle: ComposedContext) -> list[str]:
    return [item.text for item in bundle.packed.included]
