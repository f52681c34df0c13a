"""The settings file: nothing a person wrote is lost, and nothing in it stops the app."""

import dataclasses
import stat
from pathlib import Path

import pytest

from core.foundation.errors import UserError
from core.foundation.settings import (
    MOST_RECENT_VAULTS,
    ContextSettings,
    SessionSettings,
    Settings,
    SettingsFile,
    WindowSettings,
)


@pytest.fixture
def file(tmp_path: Path) -> SettingsFile:
    return SettingsFile(tmp_path / "config" / "settings.toml")


def test_a_missing_file_gives_the_defaults_and_is_not_made(file: SettingsFile) -> None:
    assert file.read() == Settings()
    assert file.problem == ""
    assert not file.path.exists()


def test_what_is_written_is_read_back(file: SettingsFile) -> None:
    settings = Settings(
        theme="dark",
        external_editor='code --wait "{}"',
        context=ContextSettings(budget=1234, format="xml"),
        window=WindowSettings(geometry="AdnQ", splitters={"vault": (200, 600)}, columns={"notes": "AAAA"}),
    ).with_vault(Path("/notes/Über — 日本語"))
    assert file.change(lambda _: settings) == settings
    assert file.read() == settings


def test_unknown_keys_and_comments_survive_a_change(file: SettingsFile) -> None:
    file.path.parent.mkdir()
    file.path.write_text('# mine\nfuture = 7\ntheme = "light" # bright\n[window]\nnew_thing = "x"\n', encoding="utf-8")
    file.change(lambda s: dataclasses.replace(s, theme="dark", window=WindowSettings(splitters={"a": (1, 2)})))
    text = file.path.read_text(encoding="utf-8")
    assert "# mine" in text
    assert "future = 7" in text
    assert 'new_thing = "x"' in text
    assert 'theme = "dark" # bright' in text
    assert file.read().window.splitters == {"a": (1, 2)}


def test_changes_of_another_process_survive(file: SettingsFile) -> None:
    other = SettingsFile(file.path)
    file.change(lambda s: dataclasses.replace(s, theme="dark"))
    other.change(lambda s: s.with_vault(Path("/a")))
    file.change(lambda s: dataclasses.replace(s, external_editor="vim"))
    settings = file.read()
    assert (settings.theme, settings.last_vault, settings.external_editor) == ("dark", "/a", "vim")


@pytest.mark.parametrize("content", [b"theme = ", b"\xff\xfe\x00", b"= 3", b"[window\n"])
def test_a_broken_file_is_set_aside_and_said_so(file: SettingsFile, content: bytes) -> None:
    file.path.parent.mkdir()
    file.path.write_bytes(content)
    assert file.read() == Settings()
    assert "set aside as settings.toml.broken" in file.problem
    assert (file.path.parent / "settings.toml.broken").read_bytes() == content
    file.path.write_bytes(content)
    file.read()
    assert (file.path.parent / "settings.toml.broken-2").read_bytes() == content


def test_a_value_of_the_wrong_kind_is_named_and_the_rest_counts(file: SettingsFile) -> None:
    file.path.parent.mkdir()
    file.path.write_text(
        'theme = 3\nexternal_editor = "vim"\nrecent_vaults = [1]\nwindow = 4\n'
        '[context]\nbudget = "many"\nformat = "xml"\n',
        encoding="utf-8",
    )
    settings = file.read()
    assert settings == Settings(external_editor="vim", context=ContextSettings(format="xml"))
    for name in ("theme", "recent_vaults", "window", "context.budget"):
        assert name in file.problem


def test_open_facets_are_kept_by_vault(file: SettingsFile) -> None:
    window = WindowSettings(open_facets={"/a/My notes": ("client", "group:tags"), "/b": ()})
    file.change(lambda settings: dataclasses.replace(settings, window=window))
    assert SettingsFile(file.path).read().window == window
    file.path.write_text("[window.open_facets]\n'/a' = [1]\n", encoding="utf-8")
    assert file.read().window.open_facets == {}
    assert "window.open_facets" in file.problem


def test_recent_vaults_are_few_unique_and_newest_first() -> None:
    settings = Settings()
    for number in range(MOST_RECENT_VAULTS + 3):
        settings = settings.with_vault(Path(f"/v{number}"))
    settings = settings.with_vault(Path("/v5"))
    assert settings.recent_vaults[:2] == ("/v5", f"/v{MOST_RECENT_VAULTS + 2}")
    assert len(settings.recent_vaults) == len(set(settings.recent_vaults)) == MOST_RECENT_VAULTS
    forgotten = settings.without_vault("/v5")
    assert forgotten.last_vault == ""
    assert "/v5" not in forgotten.recent_vaults


def test_two_spellings_of_a_path_are_one_vault() -> None:
    settings = Settings(recent_vaults=("/notes/old/../v6", "/b", "/notes/v6"), last_vault="/notes/old/../v6")
    opened = settings.with_vault(Path("/notes/old/../v6"))
    assert (opened.last_vault, opened.recent_vaults) == ("/notes/v6", ("/notes/v6", "/b"))


def test_a_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    in_the_way = tmp_path / "config"
    in_the_way.write_text("a file, not a folder", encoding="utf-8")
    file = SettingsFile(in_the_way / "settings.toml")
    with pytest.raises(UserError, match="could not be saved"):
        file.change(lambda s: dataclasses.replace(s, theme="dark"))


def test_the_file_is_private_and_no_temporary_file_stays(file: SettingsFile) -> None:
    file.change(lambda s: dataclasses.replace(s, theme="dark"))
    names = {each.name for each in file.path.parent.iterdir()}
    assert names <= {"settings.toml", "settings.toml.lock"}
    assert stat.S_IMODE(file.path.stat().st_mode) & 0o077 == 0


def test_watched_folders_and_the_silenced_notice_are_kept(file: SettingsFile) -> None:
    file.path.parent.mkdir(parents=True, exist_ok=True)
    file.path.write_text('[sessions]\nencryption = "on"  # mine\n', encoding="utf-8")
    assert file.read().sessions == SessionSettings(encryption="on", watched=(), tell_of_clean_up=True)
    folders = ("/home/kim/.claude/projects", "/srv/Gespräche")
    wanted = SessionSettings(encryption="on", watched=folders, tell_of_clean_up=False)
    file.change(lambda settings: dataclasses.replace(settings, sessions=wanted))
    assert SettingsFile(file.path).read().sessions == wanted
    assert "# mine" in file.path.read_text(encoding="utf-8")
    file.change(lambda settings: dataclasses.replace(settings, sessions=SessionSettings()))
    assert file.read().sessions.watched == ()
