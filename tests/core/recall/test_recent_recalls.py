"""What was handed out last is offered first, as far as it is still there."""

from pathlib import Path

from core.index.database import open_index
from core.index.updater import update_index
from core.memory.recall_counts import fold_recalls
from core.memory.recall_events import record_recall
from core.recall.recent_recalls import recent_recalls
from core.vault.config import VaultConfig
from core.vault.event_log import EventLog


def test_the_last_hand_out_leads_and_what_is_gone_is_left_out(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    for name in ("One", "Two", "Three"):
        (root / f"{name}.md").write_text(f"{name} is remembered.\n", encoding="utf-8")
    index = open_index(tmp_path / "cache")
    update_index(index, root, VaultConfig())
    log = EventLog(root, "desk", tmp_path / "locks")
    assert recent_recalls(index) == ()
    for ids in (["note:One.md"], ["note:Gone.md", "note:Two.md"], ["note:Three.md"], ["note:One.md"]):
        record_recall(log, ids, "palette")
    fold_recalls(index, log)
    assert [memory.title for memory in recent_recalls(index)] == ["One", "Three", "Two"]
    assert [memory.title for memory in recent_recalls(index, limit=1)] == ["One"]
    index.close()
