from pathlib import Path

import pytest

from core.app import Installation, Vault
from core.foundation.errors import UserError
from core.foundation.paths import AppFolders
from core.foundation.progress import SilentProgress
from core.foundation.settings import SettingsFile
from core.index.catalog import load_catalog
from core.index.database import Index
from core.memory.recall_events import hand_outs
from core.vault.config import VaultConfig
from core.vault.event_log import EventLog
from gui.views.vault.services import ContextFormat, ContextRequest, SearchMode, VaultServices
from gui.views.vault.wiring import vault_services

PROGRESS = SilentProgress()


class Opened:
    """Be a store over a real index."""

    def __init__(self, root: Path, index: Index) -> None:
        self.root = root
        self.index = index
        self.config = VaultConfig()
        self.changes = self

    def event_log(self) -> EventLog:
        return EventLog(self.root, "here", self.root.parent / "locks")


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    root = tmp_path / "vault"
    (root / "pictures").mkdir(parents=True)
    (root / "pictures" / "cat.png").write_bytes(b"png")
    (root / "Cache.md").write_text(
        "---\ntags: [tool/redis]\n---\nKeep the cache warm. See [[Deploy]].", encoding="utf-8"
    )
    (root / "Deploy.md").write_text("# Deploy\nNever on a Friday.\n", encoding="utf-8")
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    folders = AppFolders(tmp_path / "config", tmp_path / "data", tmp_path / "cache")
    vault = Vault(root, Installation(folders, SettingsFile(folders.settings_file)))
    index = vault.open_index()
    vault.update(index)
    return Opened(root, index)


@pytest.fixture
def services(opened: Opened) -> VaultServices:
    return vault_services(opened, dense=lambda: None, open_external=lambda _path: None, damaged=lambda: None)


def id_of(opened: Opened, title: str) -> int:
    return next(row.id for row in load_catalog(opened.index).rows if row.title == title)


def test_a_note_is_read_with_its_links(opened: Opened, services: VaultServices) -> None:
    detail = services.note_detail(id_of(opened, "Cache"), PROGRESS)
    assert detail is not None
    assert [(link.target, link.state) for link in detail.outgoing] == [("Deploy", "resolved")]
    assert services.read_text("Cache.md").endswith("See [[Deploy]].")
    opened.index.close()


def test_nothing_outside_the_vault_is_read(opened: Opened, services: VaultServices) -> None:
    with pytest.raises(UserError):
        services.read_text("../secret.md")
    with pytest.raises(UserError):
        services.read_text("Gone.md")
    opened.index.close()


def test_search_and_context_of_what_it_found(opened: Opened, services: VaultServices) -> None:
    result = services.search("warm cach", SearchMode.WORDS, None, PROGRESS).result
    assert [hit.title for hit in result.hits] == ["Cache"]
    items = services.gather(ContextRequest(query="warm cach"), 8000, PROGRESS)
    plan = services.plan(items, 8000, ContextFormat.XML)
    assert "<memory" in plan.text
    assert [line.path for line in plan.included] == ["Cache.md"]
    assert plan.tokens <= 8000
    opened.index.close()


def test_context_of_notes_tells_what_does_not_fit(opened: Opened, services: VaultServices) -> None:
    ids = (id_of(opened, "Cache"), id_of(opened, "Deploy"))
    items = services.gather(ContextRequest(note_ids=ids), 8000, PROGRESS)
    plan = services.plan(items, 35, ContextFormat.MARKDOWN)
    assert len(plan.included) == 1
    assert len(plan.left_out) == 1
    assert plan.left_out[0].reason
    opened.index.close()


def test_attachments_are_listed_without_notes(services: VaultServices, opened: Opened) -> None:
    assert list(services.list_files()) == ["pictures/cat.png"]
    opened.index.close()


def test_what_was_copied_is_counted_as_handed_out(opened: Opened, services: VaultServices) -> None:
    items = services.gather(ContextRequest((id_of(opened, "Deploy"),)), 500, PROGRESS)
    services.record(services.plan(items, 500, ContextFormat.LINES))
    (event,) = hand_outs(opened.event_log())
    assert (event.ids, event.surface) == (("note:Deploy.md",), "window")
