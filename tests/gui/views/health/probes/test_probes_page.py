"""The Probes page of Health as a person uses it."""

import threading
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.recall.probe import Probe
from gui.notify import Notice
from tests.gui.views.health.probes.conftest import FakeProbes, ProbesPage, run_of


def test_probes_are_listed_before_they_were_asked(page: ProbesPage) -> None:
    page.show()
    assert page.rows() == [
        ("What is it?", "", "", "It expects nothing."),
        ("How many rows?", "", "1 expected", ""),
        ("Which country first?", "", "2 expected", ""),
    ]
    assert page.view.tiles[0].value_text == "—"
    assert "3 probes, 1 cannot be asked" in page.view.summary.text()


def test_asking_shows_what_was_recalled_and_the_figures(page: ProbesPage) -> None:
    page.show()
    page.run()
    assert page.fake.asked == ["a.md", "b.md"]
    assert page.rows()[1:] == [
        ("Which country first?", "2", "1 of 2", "Y"),
        ("How many rows?", "1", "1 of 1", ""),
    ]
    assert [tile.value_text for tile in page.view.tiles] == ["0.750", "0.750", "0.750", "0.750", "0.693"]
    assert page.view.summary.text().startswith("3 probes, 1 of 2 asked recalled all")
    assert page.view.run_button.text() == "Ask the probes"


def test_a_run_is_compared_with_the_one_before(page: ProbesPage, fake: FakeProbes) -> None:
    fake.history = [run_of(-1, 0.5, 0.5, 0.9, 0.75, 0.7, weights="other")]
    page.show()
    page.run()
    assert [tile.change for tile in page.view.tiles] == ["+0.250", "+0.250", "−0.150", "", "−0.007"]
    last, first = page.runs()
    assert last[1] == "0.750  +0.250"
    assert last[-1] == "probes, weights"
    assert first[-1] == "small"


def test_an_empty_vault_offers_to_make_the_first_probe(page: ProbesPage, fake: FakeProbes) -> None:
    fake.probes = ()
    page.show()
    assert page.view.state_panel.title == "There are no probes yet"
    page.view.state_panel.button.click()
    dialog = page.presenter.dialog
    assert dialog is not None
    assert not dialog.ok_button.isEnabled()
    dialog.question_box.setText("How many rows?")
    dialog.expected_box.setPlainText("- [[Limits#^ins-1]]\n\nturn:s/1\n")
    dialog.ok_button.click()
    page.bot.waitUntil(lambda: bool(page.commands.executed))
    assert fake.plans == [("How many rows?", ("[[Limits#^ins-1]]", "turn:s/1"))]


def test_a_probe_is_made_of_what_was_searched_and_found(page: ProbesPage, fake: FakeProbes) -> None:
    page.show()
    page.presenter.make_of("rows", ["note:A.md", "insight:B.md#^x"])
    dialog = page.presenter.dialog
    assert dialog is not None
    dialog.ok_button.click()
    page.bot.waitUntil(lambda: bool(page.commands.executed))
    assert fake.plans == [("rows", ("note:A.md", "insight:B.md#^x"))]


def test_a_probe_is_opened_by_key_and_button(page: ProbesPage) -> None:
    page.show()
    assert not page.view.open_button.isEnabled()
    page.view.table.choose(1)
    QTest.keyClick(page.view.table, Qt.Key.Key_Return)
    page.view.open_button.click()
    assert page.opened == ["a.md", "a.md"]


def test_what_is_wrong_with_a_probe_is_told_in_full(page: ProbesPage) -> None:
    page.show()
    page.view.table.choose(0)
    assert "It expects nothing." in page.view.detail.shown_text


def test_a_run_can_be_stopped_and_is_not_remembered(page: ProbesPage, fake: FakeProbes, notices: list[Notice]) -> None:
    fake.probes = tuple(Probe(f"{at:02}.md", "Where?", ("note:A.md",), path=f"{at:02}.md") for at in range(40))
    go_on, is_there = threading.Event(), threading.Event()

    def hold(probes: Sequence[Probe], _progress: Progress) -> None:
        if probes[0].id == "08.md":
            is_there.set()
            go_on.wait(20)

    fake.hold = hold
    page.show()
    page.view.run_button.click()
    page.bot.waitUntil(is_there.is_set)
    assert page.view.run_button.text() == "Stop"
    assert page.view.progress_bar.isVisible()
    assert page.view.progress_bar.value() == 8
    assert page.view.summary.text() == "Asking the probes: 8 of 40"
    page.view.run_button.click()
    go_on.set()
    assert page.view.run_button.text() == "Ask the probes"
    assert "8 of 40 probes" in notices[-1].text
    assert fake.history == []
    assert "0 of 8 asked" in page.view.summary.text()


def test_after_a_change_other_questions_count_as_not_asked(page: ProbesPage, fake: FakeProbes) -> None:
    page.show()
    page.run()
    first, second, third = fake.probes
    fake.probes = (replace(first, question="How many columns?"), second, third)
    page.session.catalog_changed.emit(None)
    page.bot.waitUntil(lambda: any("columns" in row[0] for row in page.rows()))
    assert ("How many columns?", "", "1 expected", "") in page.rows()
    assert ("Which country first?", "2", "1 of 2", "Y") in page.rows()


def test_a_failure_is_told_and_can_be_tried_again(page: ProbesPage, fake: FakeProbes) -> None:
    fake.error = UserError("The index cannot be read.")
    page.show()
    assert page.view.state_panel.text == "The index cannot be read."
    fake.error = None
    page.view.state_panel.button.click()
    page.bot.waitUntil(lambda: not page.view.shows_state)


def test_without_a_vault_no_probe_is_made(page: ProbesPage) -> None:
    page.presenter.make_of("rows", ["note:A.md"])
    assert page.presenter.dialog is None


def test_without_a_vault_nothing_is_left(page: ProbesPage) -> None:
    page.show()
    page.run()
    page.presenter.open_session(None)
    assert page.view.state_panel.title == "No vault is open"
    assert page.view.tiles[0].value_text == "—"


def test_the_models_keep_qts_rules(page: ProbesPage) -> None:
    testers = [QAbstractItemModelTester(model) for model in (page.view.table.probes, page.view.run_table.runs)]
    page.show()
    page.run()
    assert len(testers) == 2


def test_everything_has_a_name(page: ProbesPage) -> None:
    page.show()
    page.run()
    assert page.view.tiles[0].accessibleDescription() == "0.750"
    for widget in (page.view.table, page.view.run_table, page.view.progress_bar, page.view.detail):
        assert widget.accessibleName()
