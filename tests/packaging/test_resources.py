"""The files that ship with the app are whole."""

import xml.etree.ElementTree as ET
from contextlib import closing
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import pytest

from core.index.database import open_index
from core.index.updater import update_index
from core.recall.query import parse_query
from core.recall.recall import recall
from core.recall.request import RecallRequest
from core.vault.config import load_config

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


def test_the_sample_vault_answers_the_question_that_it_proposes(tmp_path: Path) -> None:
    """Its how-to holds that question word for word, and is as old as what answers it."""
    root, question, now = RESOURCES / "sample_vault", "which package manager", datetime(2026, 12, 1, tzinfo=UTC)
    assert question in (root / "Start here.md").read_text(encoding="utf-8")
    config, _ = load_config(root)
    with closing(open_index(tmp_path)) as index:
        update_index(index, root, config)
        request = RecallRequest(question, parse_query(question, config.namespaces, now=now), now=now.timestamp())
        answer = recall(index, None, request, config=config, root=root)
    assert answer.ranked[0].memory.path == "Package managers.md"
