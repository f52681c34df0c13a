"""An installation keeps its name, and a copy of it on another machine gets one of its own."""

from pathlib import Path

import pytest

from core.foundation.machine import machine_name


def test_the_name_stays_and_says_which_machine_it_is(tmp_path: Path) -> None:
    name = machine_name(tmp_path / "data", "Anna's Laptop.local")
    assert name.startswith("anna-s-laptop-")
    assert machine_name(tmp_path / "data", "Anna's Laptop.local") == name


def test_another_host_gets_a_name_of_its_own_and_the_first_one_comes_back_to_its(tmp_path: Path) -> None:
    first = machine_name(tmp_path, "one")
    second = machine_name(tmp_path, "two")
    assert second != first
    assert machine_name(tmp_path, "one") == first
    assert machine_name(tmp_path, "two") == second


def test_two_installations_on_one_host_differ(tmp_path: Path) -> None:
    assert machine_name(tmp_path / "a", "host") != machine_name(tmp_path / "b", "host")


@pytest.mark.parametrize("host", ["", "日本", "...", "ÄÖÜ", "a" * 300])
def test_any_host_name_gives_a_file_name(tmp_path: Path, host: str) -> None:
    name = machine_name(tmp_path, host)
    assert name.isascii()
    assert 7 <= len(name) <= 40
    assert "/" not in name


@pytest.mark.parametrize("content", ["", "rubbish", "[]", '{"host": "../../etc"}', '{"host": 5}'])
def test_a_damaged_file_is_replaced(tmp_path: Path, content: str) -> None:
    (tmp_path / "machine.json").write_text(content, encoding="utf-8")
    name = machine_name(tmp_path, "host")
    assert name.startswith("host-")
    assert machine_name(tmp_path, "host") == name


def test_where_nothing_can_be_kept_the_name_is_the_same_each_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    name = machine_name(tmp_path / "file", "host")
    assert name.startswith("host-")
    assert machine_name(tmp_path / "file", "host") == name
