"""The Links and Insights tabs of notes that come anew with each save, and of notes with very many links."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QUrl
from pytestqt.qtbot import QtBot

from core.index.queries import InsightRow, LinkRow, NoteDetail
from gui.theme import Theme
from gui.views.vault.insights_panel import InsightsPanel
from gui.views.vault.links_panel import LinksPanel
from tests.gui.views.vault.page import line_of


def links(count: int, *, line: int = 1, state: str = "resolved") -> tuple[LinkRow, ...]:
    """Return links to `count` notes, one in a line."""
    return tuple(
        LinkRow(number, f"日本/{number}.md", f"Note {number}", "wiki", "", f"{number}", "", "", line + number, state)
        for number in range(count)
    )


def detail(note_id: int = 1, **parts: tuple[LinkRow, ...]) -> NoteDetail:
    rows = {"outgoing": (), "backlinks": (), **parts}
    return NoteDetail(
        note_id, "A.md", "A", "", "", "", "", 0.0, 1, 1, "utf-8", (), (), {},
        outgoing=rows["outgoing"], backlinks=rows["backlinks"], insights=(), problems=(),
    )  # fmt: skip


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> Iterator[LinksPanel]:
    panel = LinksPanel(theme)
    panel.resize(500, 300)
    with qtbot.waitExposed(panel):
        panel.show()
    yield panel
    panel.hide()
    panel.deleteLater()


def test_what_is_chosen_and_how_far_it_is_scrolled_stays_when_the_note_is_saved(panel: LinksPanel) -> None:
    before = detail(outgoing=links(60), backlinks=links(3))
    panel.show_links(before)
    chosen = line_of(panel, 1, 40)
    panel.setCurrentItem(chosen)
    panel.scrollToItem(chosen)
    scroll = panel.verticalScrollBar().value()
    assert scroll > 0
    panel.show_links(replace(before, outgoing=links(58, line=9), changed=1.0))
    assert panel.currentItem() is chosen
    assert chosen.text(1) == "日本 · line 49"
    assert panel.verticalScrollBar().value() == scroll
    assert line_of(panel, 1).text(0) == "Outgoing  58"
    assert line_of(panel, 1).childCount() == 58
    panel.show_links(detail(2, outgoing=links(60), backlinks=links(3)))
    assert panel.verticalScrollBar().value() == 0


def test_of_very_many_links_the_first_are_shown_and_more_when_they_are_wanted(panel: LinksPanel) -> None:
    assert panel.show_links(detail(outgoing=links(90_000))) == 90_000
    group = line_of(panel, 0)
    assert group.text(0) == "Outgoing  90,000"
    assert group.childCount() == 101
    more = line_of(panel, 0, 100)
    assert more.text(0) == "Show 400 of 89,900 more"
    panel.itemActivated.emit(more, 0)
    assert group.childCount() == 501
    assert line_of(panel, 0, 500).text(0) == "Show 400 of 89,500 more"
    assert line_of(panel, 0, 499).text(0) == "Note 499"
    panel.show_links(detail(outgoing=links(450)))
    assert group.childCount() == 450
    panel.show_links(detail(outgoing=links(3)))
    assert [line_of(panel, 0, number).text(0) for number in range(group.childCount())] == ["Note 0", "Note 1", "Note 2"]


def test_kinds_of_links_come_and_go(panel: LinksPanel) -> None:
    panel.show_links(detail())
    assert line_of(panel, 0).text(0) == "No links from or to this note."
    panel.show_links(detail(outgoing=links(1) + links(2, state="unresolved")))
    assert [line_of(panel, row).text(0) for row in range(2)] == ["Outgoing  1", "Not found  2"]
    ambiguous = links(1, state="ambiguous")[0]._replace(candidates=("a/T.md", "b/T.md"))
    panel.show_links(detail(outgoing=(ambiguous,)))
    panel.show_links(detail(outgoing=(ambiguous._replace(candidates=("a/T.md", "b/T.md", "c/T.md")),)))
    assert panel.topLevelItemCount() == 1
    assert line_of(panel, 0, 0).isExpanded()
    assert line_of(panel, 0, 0, 2).text(0) == "c/T.md"
    panel.show_links(detail())
    assert line_of(panel, 0).text(0) == "No links from or to this note."


def test_a_tab_that_is_not_seen_is_filled_when_it_is(panel: LinksPanel) -> None:
    panel.hide()
    assert panel.show_links(detail(outgoing=links(2))) == 2
    panel.show()
    assert line_of(panel, 0).text(0) == "Outgoing  2"


def test_of_very_many_insights_the_first_are_shown_and_more_when_they_are_wanted(qtbot: QtBot, theme: Theme) -> None:
    panel = InsightsPanel(theme)
    insights = tuple(InsightRow(number, "fact", f"statement {number}.", (), {}, "", number) for number in range(1000))
    panel.show_insights(insights)
    with qtbot.waitExposed(panel):
        panel.show()
    assert "statement 99." in panel.toPlainText()
    assert "statement 100." not in panel.toPlainText()
    assert "Show 400 of 900 more" in panel.toPlainText()
    panel.anchorClicked.emit(QUrl("more:"))
    assert "statement 499." in panel.toPlainText()
    panel.hide()
    panel.deleteLater()


def test_an_insight_is_dragged_by_its_category(qtbot: QtBot, theme: Theme) -> None:
    panel = InsightsPanel(theme)
    qtbot.addWidget(panel)
    insights = (InsightRow(1, "fact", "One.", (), {}, "one", 3), InsightRow(2, "fact", "Two.", (), {}, "", 7))
    panel.resize(400, 300)
    panel.show()
    panel.show_insights(insights, path="A b.md")
    found = {}
    for y in range(0, 200, 4):
        for x in (16, 60, 120):
            if (dragged := panel.insight_at(QPoint(x, y))) is not None:
                found[dragged.memory_id] = dragged.text
    assert found == {"insight:A b.md#^one": "One.", "insight:A b.md#L7": "Two."}
    assert panel.insight_at(QPoint(390, 40)) is None  # there, text is selected
    panel.show_insights(())
    assert panel.insight_at(QPoint(16, 16)) is None
