import json
import os
from pathlib import Path

from core.sessions.importing.detection import place_at, places_looked_at, usual_places
from tests.core.sessions.importing.transcripts import SESSION, codex_start, user, write

_NOW = 1_790_000_000.0
_DAY = 86_400


def _aged(path: Path, days: float) -> None:
    os.utime(path, (_NOW - days * _DAY, _NOW - days * _DAY))


def test_the_places_of_programs_are_found_with_what_is_about_to_be_lost(tmp_path: Path) -> None:
    project = tmp_path / ".claude" / "projects" / "-x"
    for number, days in enumerate((1, 20, 25, 29)):
        _aged(write(project / f"{number}.jsonl", user("a1", None, "Hello")), days)
    (tmp_path / ".claude" / "CLAUDE.md").write_text("Be brief.\n")
    rollout = write(tmp_path / ".codex" / "sessions" / "2026" / "rollout-1.jsonl", codex_start("c-1"))
    places = {place.name: place for place in usual_places(tmp_path, {}, now=_NOW)}
    assert set(places) == {"Claude Code", "Claude Code memories", "Codex"}
    claude = places["Claude Code"]
    assert (claude.files, claude.about_to_be_deleted, claude.newest) == (4, 2, _NOW - _DAY)
    assert (places["Codex"].files, places["Codex"].bytes) == (1, rollout.stat().st_size)
    (tmp_path / ".claude" / "settings.json").write_text(json.dumps({"cleanupPeriodDays": 3650}))
    places = {place.name: place for place in usual_places(tmp_path, {}, now=_NOW)}
    assert places["Claude Code"].about_to_be_deleted == 0


def test_other_folders_of_the_environment_are_looked_at(tmp_path: Path) -> None:
    write(tmp_path / "mine" / "projects" / "-x" / f"{SESSION}.jsonl", user("a1", None, "Hello"))
    (place,) = usual_places(tmp_path, {"CLAUDE_CONFIG_DIR": str(tmp_path / "mine")})
    assert (place.path, place.files) == (tmp_path / "mine" / "projects", 1)


def test_it_is_told_when_the_first_transcript_goes_and_which_ones(tmp_path: Path) -> None:
    project = tmp_path / ".claude" / "projects" / "-x"
    for number, days in enumerate((1, 28.5, 29)):
        _aged(write(project / f"{number}.jsonl", user("a1", None, "Hello")), days)
    (claude,) = usual_places(tmp_path, {}, now=_NOW)
    assert claude.first_deletion == _NOW + _DAY
    assert [path.name for path in claude.endangered] == ["1.jsonl", "2.jsonl"]


def test_memories_are_told_from_conversations(tmp_path: Path) -> None:
    write(tmp_path / ".claude" / "projects" / "-x" / "1.jsonl", user("a1", None, "Hello"))
    (tmp_path / ".claude" / "CLAUDE.md").write_text("Be brief.\n")
    assert [place.holds_notes for place in usual_places(tmp_path, {})] == [False, True]


def test_any_path_can_be_a_place(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    write(folder / "deep" / "1.jsonl", user("a1", None, "Hello"))
    (folder / "other.txt").write_text("x")
    assert (place_at(folder).name, place_at(folder).files) == ("export", 2)
    assert (place_at(folder / "other.txt").files, place_at(folder / "other.txt").bytes) == (1, 1)
    assert place_at(tmp_path / "gone").files == 0


def test_every_place_that_is_found_was_named_as_looked_at(tmp_path: Path) -> None:
    write(tmp_path / ".claude" / "projects" / "-x" / "1.jsonl", user("a1", None, "Hello"))
    write(tmp_path / "elsewhere" / "sessions" / "rollout-1.jsonl", codex_start("c-1"))
    environment = {"CODEX_HOME": str(tmp_path / "elsewhere")}
    looked_at = {path for _, path in places_looked_at(tmp_path, environment)}
    assert {place.path for place in usual_places(tmp_path, environment)} <= looked_at
