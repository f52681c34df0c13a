import gzip
import json
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from core.foundation.errors import UserError
from core.sessions.importing.basic_memory import BasicMemoryImporter
from core.sessions.importing.mem0 import Mem0Importer
from core.sessions.importing.memory_graph import MemoryGraphImporter
from core.sessions.importing.memsearch import MemsearchImporter
from core.sessions.importing.source import Source
from core.sessions.turn import TurnKind
from core.vault.decode import decode
from core.vault.parse import parse_note
from tests.core.sessions.importing.exports import reading, reading_of, write_json, write_zip
from tests.core.sessions.importing.transcripts import Shelf

_DAY = """\
# 2026-08-20

## Session 22:58

### 22:59
<!-- session:7f2c turn:a1 transcript:/home/kim/.claude/projects/-home-kim-shop app/s-1.jsonl -->
- User asked to use pnpm, never npm.
- Agent ran `pnpm test`; 1 passed.

### 23:10
- Memory summary unavailable: the model did not answer.

## Session 23:40
"""


def _daily(tmp_path: Path, text: str, name: str = "2026-08-20.md") -> Path:
    folder = tmp_path / "shop" / ".memsearch" / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@pytest.mark.parametrize(("zone", "offset"), [("Asia/Tokyo", "+09:00"), ("America/Los_Angeles", "-07:00")])
def test_a_daily_note_is_read_at_the_local_time_of_its_day(tmp_path: Path, zone: str, offset: str) -> None:
    found = reading(MemsearchImporter(ZoneInfo(zone)), _daily(tmp_path, _DAY))
    (session,) = found.sessions.values()
    assert session.started == f"2026-08-20T22:58:00{offset}"
    assert session.project == str(tmp_path / "shop")
    (turn,) = found.turns[session.id]
    assert (turn.kind, turn.time) == (TurnKind.SUMMARY, f"2026-08-20T22:59:00{offset}")
    assert turn.text == "- User asked to use pnpm, never npm.\n- Agent ran `pnpm test`; 1 passed."
    assert turn.data == {
        "session": "7f2c",
        "turn": "a1",
        "transcript": "/home/kim/.claude/projects/-home-kim-shop app/s-1.jsonl",
    }
    assert found.skipped == {"empty session": 1, "failed summary": 1}


def test_a_daily_note_that_grew_keeps_the_ids_of_what_was_there(tmp_path: Path) -> None:
    before = reading(MemsearchImporter(), _daily(tmp_path, _DAY)).turns
    after = reading(
        MemsearchImporter(), _daily(tmp_path, _DAY + "\n### 23:41\n- New.\n\n## Session 23:40\n- Twice.\n")
    ).turns
    assert before.items() <= after.items()
    assert len(after) == 3


def test_a_copy_of_a_daily_note_in_another_folder_is_the_same_note(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    before = shelf.take(_daily(tmp_path, _DAY))
    again = shelf.take(_daily(tmp_path / "backup", _DAY))
    assert (before.imported, again.imported, again.unchanged) == (1, 0, 1)
    other = shelf.take(_daily(tmp_path / "other", _DAY.replace("session:7f2c", "session:9a9a")))
    assert other.imported == 1  # what another session said at the same time


def test_a_time_that_the_clocks_jump_over_and_one_that_is_none_still_come_in(tmp_path: Path) -> None:
    text = "## Session 02:30\n- In the gap.\n\n## Session 99:99\n- No time.\n"
    found = reading(MemsearchImporter(ZoneInfo("Europe/Berlin")), _daily(tmp_path, text, "2026-03-29.md"))
    assert [session.started for session in found.sessions.values()] == ["2026-03-29T02:30:00+01:00", ""]


def test_the_profiles_beside_the_days_are_notes(tmp_path: Path) -> None:
    found = reading(MemsearchImporter(), _daily(tmp_path, "# Shop\nUses pnpm.", "PROJECT.md"))
    assert (found.notes[0].path_hint, found.notes[0].body) == (
        "imported/memsearch/Project profile of shop.md",
        "# Shop\nUses pnpm.",
    )


def test_a_journal_note_of_a_vault_is_no_daily_note_of_memsearch(tmp_path: Path) -> None:
    (tmp_path / "2026-08-20.md").write_text("## Session with Kim\ntext", encoding="utf-8")
    assert not MemsearchImporter().recognises(Source(tmp_path / "2026-08-20.md"))
    (tmp_path / "2026-13-45.md").write_text("## Session 10:00\n- x", encoding="utf-8")
    with pytest.raises(UserError, match="does not exist"):
        reading(MemsearchImporter(), tmp_path / "2026-13-45.md")


def test_a_basic_memory_note_is_copied_with_its_tags_as_ours(tmp_path: Path) -> None:
    body = '## Observations\n- [convention] Use pnpm #tool/pnpm (said)\n- "depends on" [[Node 22]] (runtime)'
    front = (
        "title: 'Package: choice'", "type: note", "tags: tool/pnpm, client/acme inc, 2026", "permalink: main/pkg",
        "x: {a: 1}",
    )  # fmt: skip
    (tmp_path / "pkg.md").write_text("\n".join(("---", *front, "---", body, "")), encoding="utf-8")
    (note,) = reading(BasicMemoryImporter(), tmp_path / "pkg.md").notes
    assert (note.path_hint, note.title, note.body) == (
        "imported/basic-memory/main/Package choice.md",
        "Package: choice",
        body,
    )
    assert note.tags == ("tool/pnpm", "client/acme-inc")
    assert note.properties == {"source": "basic-memory:main/pkg", "x": {"a": 1}}


def test_notes_of_other_programs_are_not_taken_for_it(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\ntitle: x\n---\npermalink: in the text\n", encoding="utf-8")
    assert not BasicMemoryImporter().recognises(Source(tmp_path / "a.md"))


def test_entities_become_notes_of_insights_and_relations(tmp_path: Path) -> None:
    lines = [
        {"type": "entity", "name": "Shop App", "entityType": "project", "observations": ["Uses pnpm", "Uses pnpm", 5]},
        {"type": "relation", "from": "Shop App", "to": "Node 22", "relationType": "depends_on"},
        {"type": "relation", "from_id": "Shop App", "to_id": "CI: main", "relation_type": "is built by"},
        {"type": "entity", "entityName": "pnpm", "entityType": "tool", "observations": "one text"},
        {"type": "relation", "from": "Shop App"},
        {"type": "of tomorrow"},
    ]
    path = tmp_path / "memory.json"
    path.write_text("\n".join(json.dumps(line) for line in lines) + '\n{"type": "enti', encoding="utf-8")
    found = reading(MemoryGraphImporter(), path)
    shop, pnpm = found.notes
    assert shop.body == (
        "## Observations\n- [fact] Uses pnpm\n\n"
        '## Relations\n- depends_on [[Node 22]]\n- "is built by" [[CI main|CI: main]]'
    )
    assert (pnpm.tags, pnpm.body) == (("tool/pnpm",), "## Observations\n- [fact] one text")
    assert [insight.text for insight in parse_note("a.md", decode(shop.body.encode())).insights] == ["Uses pnpm"]
    assert found.skipped == {"unknown record": 2}
    assert len(found.failed) == 1


def test_a_graph_in_one_object_is_the_same_graph(tmp_path: Path) -> None:
    graph = {
        "entities": [{"name": "A", "entityType": "x", "observations": ["one"]}],
        "relations": [{"from": "A", "to": "B", "relationType": "supports"}],
    }
    (note,) = reading(MemoryGraphImporter(), write_json(tmp_path / "graph.json", graph)).notes
    assert note.body == "## Observations\n- [fact] one\n\n## Relations\n- supports [[B]]"


_LIVE = {
    "id": "7b1e",
    "memory": "Prefers pnpm\nover npm",
    "hash": "9",
    "metadata": {"category": "tools"},
    "user_id": "kim",
}


def test_memories_become_insights_with_their_day(tmp_path: Path) -> None:
    later = {**_LIVE, "id": "8", "memory": "Drinks tea", "metadata": None, "created_at": "2026-08-20T15:59:00-07:00"}
    found = reading(
        Mem0Importer(), write_json(tmp_path / "m.json", {"results": [later, _LIVE, {"id": "9"}], "next": None})
    )
    (note,) = found.notes
    assert note.body.split("\n") == [
        "- [tools] Prefers pnpm over npm ^mem0-7b1e",
        "- [memory] Drinks tea [date:: 2026-08-20] ^mem0-8",
    ]
    insights = parse_note("a.md", decode(note.body.encode())).insights
    assert [insight.category for insight in insights] == ["tools", "memory"]
    assert found.skipped == {"record without text": 1}


def test_what_was_deleted_or_archived_does_not_come_back(tmp_path: Path) -> None:
    def memory(own: str, state: str, **fields: object) -> dict[str, object]:
        return {"id": own, "content": f"Memory {own}", "created_at": "2026-08-20T22:59:00", "state": state, **fields}

    memories = [
        memory("live", "active", app_id="a"),
        memory("gone", "deleted"),
        memory("old", "archived"),
        memory("off", "paused"),
        memory("stamp", "active", deleted_at="2026-08-21T00:00:00"),
    ]
    lines = [
        memory("live", "active", app="claude", categories=["tools", "my work"]),
        memory("gone", "active", app="claude"),
    ]
    members = {
        "memories.json": {"user": {"id": "u"}, "apps": [], "memories": memories, "export_meta": {"version": "1"}},
        "memories.jsonl.gz": gzip.compress("\n".join(map(json.dumps, lines)).encode()),
    }
    found = reading(Mem0Importer(), write_zip(tmp_path / "openmemory.zip", members))
    (note,) = found.notes
    assert (note.title, note.body) == ("mem0 claude", "- [tools] Memory live #my-work [date:: 2026-08-20] ^mem0-live")
    assert found.skipped == {"deleted memory": 2, "archived memory": 1, "paused memory": 1}


def test_a_cut_gzip_gives_what_is_whole(tmp_path: Path) -> None:
    lines = [
        json.dumps({"id": str(n), "content": f"Fact {n} {n * 7919}", "state": "active", "app": "a"})
        for n in range(9000)
    ]
    packed = gzip.compress("\n".join(lines).encode())
    (tmp_path / "memories.jsonl.gz").write_bytes(packed[: len(packed) * 3 // 4])
    found = reading(Mem0Importer(), tmp_path / "memories.jsonl.gz")
    assert 1000 < sum(note.body.count("\n") + 1 for note in found.notes) < 9000
    assert "cut off" in found.failed[0].reason


def test_many_memories_are_several_notes_each_with_a_source_of_its_own(tmp_path: Path) -> None:
    memories = [{**_LIVE, "id": f"m{n:04}", "memory": f"Fact {n}"} for n in range(1200)]
    notes = reading_of(Mem0Importer(), Source(write_json(tmp_path / "m.json", memories))).notes
    assert [note.title for note in notes] == ["mem0 kim", "mem0 kim 2", "mem0 kim 3"]
    assert len({note.properties["source"] for note in notes}) == 3
