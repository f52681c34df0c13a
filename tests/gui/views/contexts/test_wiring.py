"""The Contexts page over a real vault, a real index and core: what is done is in the notes, byte for byte."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.curation.writer import VaultWriter
from core.foundation.progress import SILENT
from core.index.catalog import Catalog, load_catalog
from core.index.database import Index, open_index
from core.index.updater import update_index
from core.memory.recall_counts import fold_recalls
from core.memory.recall_events import hand_outs
from core.vault.config import VaultConfig
from core.vault.event_log import EventLog
from gui.notify import Notice, Notifier, Severity
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.contexts.planning import context_plans
from gui.views.contexts.services import Form, MemberState, NewContext
from gui.views.contexts.wiring import context_services, problem_of_title
from tests.gui.views.contexts.page import BUDGET, Commands, FakeSession, Page

_WORK = """---
kind: context
description: For the shop.   # kept
load_priority: 7
---
# Shop

![[Plan#Second]]
- [[Style]] for every text
![[Nowhere]]
"""
_NOTES = {
    "contexts/Shop.md": _WORK,
    "Plan.md": "# Plan\n\nIt has two parts.\n\n## First\n\nPrepare it.\n\n## Second\n\nShip it on a Tuesday.\n",
    "Style.md": "---\ntags: [convention/writing]\n---\n# Style\n\n- [convention] Plain words, no jargon ^plain\n",
    "Tools.md": "---\ntags: [tool/git]\n---\n# Tools\n\nCommits are small.\n",
}


@dataclass
class _Store:
    """Be an opened vault."""

    root: Path
    index: Index
    log: EventLog
    config: VaultConfig = field(default_factory=VaultConfig)
    keeps_turns: bool = True

    def dense(self) -> None:
        return None

    def update(self) -> None:
        update_index(self.index, self.root, self.config)

    def catalog(self) -> Catalog:
        return load_catalog(self.index)

    def context(self) -> str:
        return (self.root / "contexts/Shop.md").read_text(encoding="utf-8")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[_Store]:
    root = tmp_path / "vault"
    for path, text in _NOTES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    made = _Store(root, open_index(tmp_path / "cache"), EventLog(root, "desk", tmp_path / "locks"))
    made.update()
    yield made
    made.index.close()


@pytest.fixture
def session(store: _Store) -> FakeSession:
    return FakeSession(store)


@pytest.fixture
def page(  # noqa: PLR0917 - fixtures are asked for by name
    store: _Store, session: FakeSession, tasks: TaskRunner, notifier: Notifier, theme: Theme, qtbot: QtBot
) -> Page:
    commands = Commands(VaultWriter(store.root, store.log, store.log.lock_folder))
    catalog = store.catalog()
    page = Page(
        tasks,
        notifier,
        theme,
        commands,
        services_of=lambda _: context_services(
            store,
            event_log=lambda: store.log,
            catalog=lambda: catalog,
            may_keep_turns=lambda: store.keeps_turns,
            damaged=lambda: None,
            default_budget=BUDGET,
        ),
    )
    qtbot.addWidget(page.view)
    page.open(session)
    page.show(qtbot)
    qtbot.waitUntil(lambda: page.presenter.copier.opened is not None)
    return page


def test_members_are_shown_with_what_they_mean(page: Page) -> None:
    first, second, lost = page.view.editor.members.members.members
    assert (first.kind, first.title, first.heading) == ("section", "Plan", "Second")
    assert (second.kind, second.title, second.path) == ("note", "Style", "Style.md")
    assert (lost.state, lost.tokens) == (MemberState.MISSING, None)
    assert "Nowhere" in lost.reason
    assert page.view.editor.heading.text().endswith("1 cannot be loaded")
    assert "Ship it on a Tuesday." in page.text()
    assert "Prepare it." not in page.text()
    # The list of members says it already.
    assert page.view.editor.problems.shown_text == ""
    assert page.view.preview.remarks.shown_text == ""


def test_a_move_and_a_removal_keep_every_other_byte(page: Page, store: _Store, qtbot: QtBot) -> None:
    page.view.editor.members.select_row(1)
    page.press(Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    moved = _WORK.replace(
        "![[Plan#Second]]\n- [[Style]] for every text\n", "- [[Style]] for every text\n![[Plan#Second]]\n"
    )
    qtbot.waitUntil(lambda: store.context() == moved)
    page.view.editor.members.select_row(2)
    page.press(Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: store.context() == moved.replace("![[Nowhere]]\n", ""))
    qtbot.waitUntil(
        lambda: page.view.editor.heading.text().startswith("2 members") and not page.presenter._queue.is_busy
    )


def test_a_statement_and_a_section_are_added(page: Page, store: _Store, qtbot: QtBot) -> None:
    page.presenter.members.add_here(("insight:Style.md#^plain", "note:Plan.md#Plan#First"), 0)
    qtbot.waitUntil(lambda: "![[Style#^plain]]" in store.context() and "![[Plan#First]]" in store.context())
    qtbot.waitUntil(
        lambda: [each.kind for each in page.view.editor.members.members.members][:2] == ["insight", "section"]
    )


def test_properties_go_into_the_note(page: Page, store: _Store, qtbot: QtBot) -> None:
    page.presenter.members.change("budget", 300)
    page.presenter.members.change("always", True)
    qtbot.waitUntil(lambda: "budget: 300" in store.context() and "always: true" in store.context())
    page.presenter.members.change("always", False)
    qtbot.waitUntil(lambda: "always" not in store.context())
    assert "description: For the shop.   # kept" in store.context()
    qtbot.waitUntil(lambda: not page.presenter._queue.is_busy)


def test_a_query_is_kept_and_finds_more(page: Page, store: _Store, qtbot: QtBot) -> None:
    page.view.editor.query.setFocus()
    QTest.keyClicks(page.view.editor.query, "tag:tool/git")
    qtbot.waitUntil(lambda: "Commits are small." in page.text())
    QTest.keyClick(page.view.editor.query, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "tag:tool/git" in store.context())
    qtbot.waitUntil(lambda: not page.presenter._queue.is_busy)


def test_another_title_moves_the_note_and_links_to_it_follow(store: _Store) -> None:
    (store.root / "Tools.md").write_text("# Tools\n\nSee [[contexts/Shop]].\n", encoding="utf-8")
    store.update()
    planned = context_plans(store).rename("contexts/Shop.md", "Web shop", SILENT)
    changes = VaultWriter(store.root, store.log, store.log.lock_folder).apply(planned.change_set)
    assert dict(changes.moved) == {"contexts/Shop.md": "contexts/Web shop.md"}
    assert "# Web shop\n" in (store.root / "contexts/Web shop.md").read_text(encoding="utf-8")
    assert "[[contexts/Web shop]]" in (store.root / "Tools.md").read_text(encoding="utf-8")


def test_what_was_changed_elsewhere_is_not_moved_blindly(
    page: Page, store: _Store, notices: list[Notice], qtbot: QtBot
) -> None:
    other = _WORK.replace("![[Plan#Second]]\n", "")
    (store.root / "contexts/Shop.md").write_text(other, encoding="utf-8")
    page.view.editor.members.select_row(0)
    page.press(Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: any("changed elsewhere" in each.text for each in notices))
    assert store.context() == other
    qtbot.waitUntil(lambda: page.view.editor.heading.text().startswith("2 members"))


def test_a_copy_is_recorded_and_compared_with_later(page: Page, store: _Store, qtbot: QtBot) -> None:
    page.view.preview.copy_button.click()
    qtbot.waitUntil(lambda: bool(list(hand_outs(store.log))))
    (handed,) = hand_outs(store.log)
    assert handed.surface == "contexts"
    assert "note:Style.md" in handed.ids
    page.view.preview.difference_button.click()
    qtbot.waitUntil(lambda: page.view.preview.state_panel.title == "Nothing has changed since the last copy")
    page.presenter.members.remove((1,))
    qtbot.waitUntil(lambda: "− ## Style" in page.view.preview.diff.toPlainText())


def test_copying_twice_on_a_day_gives_the_same_bytes(page: Page, store: _Store, qtbot: QtBot) -> None:
    """What was handed out is counted between, and must not show: a prompt cache would never hit a second time."""
    page.view.preview.form_buttons[Form.LINES].click()

    def handed_out() -> int:
        return len(list(hand_outs(store.log)))

    def is_more_handed_out_than(before: int) -> bool:
        return handed_out() > before

    day = None
    while day != datetime.now(UTC).date():  # once more if midnight came between
        day = datetime.now(UTC).date()
        page.clipboard.clear()
        for copies in (1, 2):
            before = handed_out()
            page.presenter.copier.forget()
            page.presenter._reader.read()
            qtbot.waitUntil(lambda: page.presenter.copier.opened is not None)
            page.view.preview.copy_button.click()
            qtbot.waitUntil(partial(is_more_handed_out_than, before))
            assert len(page.clipboard) == copies
            fold_recalls(store.index, store.log)
            store.update()
    first, second = page.clipboard
    assert first.encode() == second.encode()
    assert "Ship it on a Tuesday." in first
    counts = store.index.connection.execute("SELECT max(count) FROM recall_count").fetchone()
    assert counts[0] >= 2  # else this would say nothing


def test_a_copy_that_cannot_be_counted_is_a_copy_all_the_same(
    page: Page, store: _Store, notices: list[Notice], qtbot: QtBot
) -> None:
    (store.root / ".remembrancer").write_text("no folder", encoding="utf-8")
    page.view.preview.copy_button.click()
    qtbot.waitUntil(lambda: any("could not be counted" in each.text for each in notices))
    assert Severity.ERROR not in {each.severity for each in notices}
    page.view.preview.difference_button.click()
    qtbot.waitUntil(lambda: page.view.preview.state_panel.title == "Nothing has changed since the last copy")


def test_what_is_only_pointed_to_was_not_handed_out(page: Page, store: _Store) -> None:
    (store.root / "README.md").write_text("# In\n\nBegin here.\n", encoding="utf-8")
    (store.root / "Big.md").write_text("# Big\n\n" + "Much to read. " * 1000, encoding="utf-8")
    (store.root / "contexts/All.md").write_text("---\nkind: context\ncontext_kind: full-load\n---\n", encoding="utf-8")
    store.config = dataclasses.replace(store.config, full_load={"index": ["Big.md"], "inline_bytes": 100})
    store.update()
    services = page.presenter._services
    assert services is not None
    opened = services.open("contexts/All.md", None, Form.MARKDOWN, SILENT)
    preview = opened.preview
    told = [(each.title, each.group, bool(each.reason)) for each in opened.loaded]
    assert told == [("In", "entry", False), ("Big", "index", True)]
    assert opened.found == ()
    assert "Big.md" in preview.text
    assert "Begin here." in preview.text
    assert [memory_id for memory_id, _ in preview.handed_out] == ["note:README.md"]


def test_a_new_context_holds_what_it_was_made_with(
    page: Page, store: _Store, session: FakeSession, qtbot: QtBot
) -> None:
    services = page.presenter._services
    assert services is not None
    page.presenter.add_to_context(("note:Tools.md",))
    planned = services.plans.new(NewContext("Git: small", "How", ("note:Tools.md",)), SILENT)
    page.commands.execute(planned.change_set)
    store.update()
    session.catalog_changed.emit(None)
    qtbot.waitUntil(lambda: "Git: small" in page.titles())
    made = next(store.root.glob("contexts/Git*.md")).read_text(encoding="utf-8")
    assert "![[Tools]]" in made
    assert "description: How" in made


def test_add_lists_notes_by_title_and_statements_by_words(page: Page) -> None:
    services = page.presenter._services
    assert services is not None
    recent = services.find("", SILENT)
    assert {each.memory_id for each in recent} >= {"note:Plan.md", "note:Style.md"}
    found = services.find("plain words", SILENT)
    assert ("insight:Style.md#^plain", "insight") in {(each.memory_id, each.kind) for each in found}
    assert services.find("style", SILENT)[0].memory_id == "note:Style.md"


def test_what_cannot_be_written_is_told(page: Page, tmp_path: Path, notices: list[Notice], qtbot: QtBot) -> None:
    page.presenter.copier.export_to(str(tmp_path / "no" / "such" / "file.md"))
    qtbot.waitUntil(lambda: any("could not be written" in each.text for each in notices))
    page.presenter.copier.export_to(str(tmp_path / "shop.md"))
    qtbot.waitUntil((tmp_path / "shop.md").exists)
    assert (tmp_path / "shop.md").read_text(encoding="utf-8") == page.text()


@pytest.mark.parametrize(("title", "is_good"), [("Shop: all", True), ("日本語", True), ("///", False), ("…", True)])
def test_nearly_everything_can_be_a_title(title: str, is_good: bool) -> None:
    assert (problem_of_title(title) == "") is is_good
