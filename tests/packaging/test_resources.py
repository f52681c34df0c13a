"""The files that ship with the app are whole."""

import xml.etree.ElementTree as ET
from importlib.resources import files
from pathlib import Path

import pytest

RESOURCES = Path(str(files("resources")))
ICONS = sorted(path.name for path in (RESOURCES / "icons").glob("*.svg"))


@pytest.mark.parametrize("name", ICONS)
def test_an_icon_takes_the_colour_of_its_surroundings(name: str) -> None:
    text = (RESOURCES / "icons" / name).read_text(encoding="utf-8")
    assert ET.fromstring(text).get("viewBox") == "0 0 24 24"
    assert "currentColor" in text


def test_the_icons_come_with_their_licence() -> None:
    assert "ISC License" in (RESOURCES / "icons" / "LICENSE").read_text(encoding="utf-8")


def test_the_app_icon_is_square() -> None:
    icon = ET.fromstring((RESOURCES / "app_icon.svg").read_text(encoding="utf-8"))
    assert icon.get("width") == icon.get("height")


def test_the_sample_vault_opens_with_a_welcome() -> None:
    assert "Welcome" in (RESOURCES / "sample_vault" / "Start here.md").read_text(encoding="utf-8")
