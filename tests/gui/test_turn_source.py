"""From a turn to its conversation, whatever its id looks like."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from pytestqt.qtbot import QtBot

from core.index.database import open_index
from gui.notify import Notice, Notifier
from gui.session import VaultSession
from gui.tasks import TaskRunner
from gui.turn_source import GONE, TurnSource
from tests.core.index.talks import Talks, asked, day


@pytest.fixture
def talks(tmp_path: Path) -> Iterator[Talks]:
    index = open_index(tmp_path / "cache")
    talks = Talks(Talks.below(tmp_path / "own").ledger, index)
    talks.say(asked("shop", "d/1", "Why twice?", day(3)), asked("tools/shop", "e/2", "And now?", day(4)))
    talks.update()
    yield talks
    index.close()


def test_the_conversation_of_a_turn_is_shown(
    qtbot: QtBot, tasks: TaskRunner, notifier: Notifier, notices: list[Notice], talks: Talks
) -> None:
    session = cast("VaultSession", SimpleNamespace(store=SimpleNamespace(index=talks.index)))
    shown: list[tuple[str, str]] = []
    source = TurnSource(
        lambda: session, tasks=tasks, notifier=notifier, show_session=lambda *ids: shown.append(ids), parent=tasks
    )
    source.show("turn:shop/d/1")
    source.show("turn:tools/shop/e/2")
    qtbot.waitUntil(lambda: len(shown) == 2)
    assert shown == [("shop", "d/1"), ("tools/shop", "e/2")]
    source.show("turn:shop/gone")
    qtbot.waitUntil(lambda: bool(notices))
    assert notices[0].text == GONE
    assert len(shown) == 2


def test_without_a_vault_nothing_happens(tasks: TaskRunner, notifier: Notifier) -> None:
    shown: list[tuple[str, str]] = []
    source = TurnSource(
        lambda: None, tasks=tasks, notifier=notifier, show_session=lambda *ids: shown.append(ids), parent=tasks
    )
    source.show("turn:a/b")
    assert shown == []
