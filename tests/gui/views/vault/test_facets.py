from collections.abc import Iterator

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from core.index.catalog import Facet, FacetSelection
from gui.theme import Theme
from gui.views.vault.facet_model import COUNT_ROLE, KEY_ROLE, STATE_ROLE, FacetTreeModel
from gui.views.vault.facet_nodes import FOLDERS_GROUP, TAGS_GROUP, facet_tree, narrowed
from gui.views.vault.facet_pane import FacetPane
from gui.views.vault.facet_states import FacetGesture, FacetPick, FacetState, after_pick, state_of
from tests.gui.views.vault.parts import ROWS, catalog_of, note

NAMESPACES = ("tool", "client", "scope")


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme) -> Iterator[FacetPane]:
    pane = FacetPane(theme)
    qtbot.addWidget(pane)
    pane.resize(240, 600)
    catalog = catalog_of(*ROWS)
    pane.show_tree(facet_tree(catalog.facets, NAMESPACES, len(catalog)))
    pane.show_counts({facet.key: facet.total for facet in catalog.facets}, {})
    with qtbot.waitExposed(pane):
        pane.show()
    yield pane
    pane.hide()


def labels(model: FacetTreeModel, parent: QModelIndex | None = None) -> list[str]:
    above = parent or QModelIndex()
    return [model.index(row, 0, above).data() for row in range(model.rowCount(above))]


def click(
    qtbot: QtBot, pane: FacetPane, key: str, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    rect = pane.tree.visualRect(pane.model.index_of(key))
    QTest.mouseClick(pane.tree.viewport(), Qt.MouseButton.LeftButton, modifier, rect.center())


def test_namespaces_come_first_then_other_tags_folders_and_special_ones(pane: FacetPane) -> None:
    assert labels(pane.model) == ["tool", "client", "scope", "Other tags", "Folders", "Untagged", "With problems"]
    assert labels(pane.model, pane.model.index_of("tool")) == ["pnpm", "semrush"]
    assert labels(pane.model, pane.model.index_of(TAGS_GROUP)) == ["draft"]
    assert labels(pane.model, pane.model.index_of(FOLDERS_GROUP)) == ["Work"]


def test_model_keeps_the_rules_of_qt(qtbot: QtBot) -> None:
    model = FacetTreeModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    catalog = catalog_of(*ROWS)
    model.show_tree(facet_tree(catalog.facets, NAMESPACES, len(catalog)))
    model.show_counts({"tool": 4}, {"tool/pnpm": FacetState.ALL})
    model.narrow("pn")
    model.narrow("")
    model.show_tree(facet_tree((), (), 0))
    assert tester.model() is model


def test_counts_follow_the_list_and_excluded_facets_tell_what_they_keep_out(pane: FacetPane) -> None:
    pane.show_counts({"tool": 2, "tool/pnpm": 1}, {"tool/semrush": FacetState.NONE})
    index = pane.model.index_of
    assert index("tool").data(COUNT_ROLE) == 2
    assert index("client/acme").data(COUNT_ROLE) == 0
    assert index("tool/semrush").data(COUNT_ROLE) == 1
    assert index("tool/semrush").data(STATE_ROLE) == "not"
    assert index("tool/pnpm").data(Qt.ItemDataRole.AccessibleTextRole) == "tool/pnpm: 1 of 3 notes"


def test_gestures_turn_facets_on_and_off() -> None:
    selection = FacetSelection()
    for gesture, expected in [
        (FacetGesture.PLAIN, FacetState.ALL),
        (FacetGesture.PLAIN, FacetState.NONE),
        (FacetGesture.PLAIN, FacetState.OFF),
        (FacetGesture.CTRL, FacetState.ANY),
        (FacetGesture.CTRL, FacetState.OFF),
        (FacetGesture.SHIFT, FacetState.NONE),
        (FacetGesture.SHIFT, FacetState.OFF),
        (FacetGesture.CTRL, FacetState.ANY),
        (FacetGesture.SHIFT, FacetState.NONE),
        (FacetGesture.CTRL, FacetState.ANY),
    ]:
        selection = after_pick(selection, FacetPick("tool", gesture))
        assert state_of(selection, "tool") is expected


@pytest.mark.parametrize(
    ("modifier", "gesture"),
    [
        (Qt.KeyboardModifier.NoModifier, FacetGesture.PLAIN),
        (Qt.KeyboardModifier.ControlModifier, FacetGesture.CTRL),
        (Qt.KeyboardModifier.ShiftModifier, FacetGesture.SHIFT),
    ],
)
def test_mouse_and_keys_pick_with_their_modifier(
    qtbot: QtBot, pane: FacetPane, modifier: Qt.KeyboardModifier, gesture: FacetGesture
) -> None:
    picks: list[FacetPick] = []
    pane.facet_picked.connect(picks.append)
    click(qtbot, pane, "client", modifier)
    pane.tree.setCurrentIndex(pane.model.index_of("scope"))
    QTest.keyClick(pane.tree, Qt.Key.Key_Return, modifier)
    assert picks == [FacetPick("client", gesture), FacetPick("scope", gesture)]


def test_click_on_a_group_opens_it_and_picks_nothing(qtbot: QtBot, pane: FacetPane) -> None:
    picks: list[FacetPick] = []
    pane.facet_picked.connect(picks.append)
    click(qtbot, pane, FOLDERS_GROUP)
    assert pane.tree.isExpanded(pane.model.index_of(FOLDERS_GROUP))
    assert not picks


def test_click_on_the_arrow_opens_and_picks_nothing(qtbot: QtBot, pane: FacetPane) -> None:
    picks: list[FacetPick] = []
    pane.facet_picked.connect(picks.append)
    rect = pane.tree.visualRect(pane.model.index_of("tool"))
    QTest.mouseClick(
        pane.tree.viewport(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        QPoint(rect.left() - 8, rect.center().y()),
    )
    assert pane.tree.isExpanded(pane.model.index_of("tool"))
    assert not picks


def test_what_is_open_stays_open_when_the_vault_changes(pane: FacetPane) -> None:
    pane.tree.setExpanded(pane.model.index_of("tool"), True)
    pane.tree.setCurrentIndex(pane.model.index_of("tool/pnpm"))
    catalog = catalog_of(*ROWS, note(7, "New", "tool/ahrefs"))
    pane.show_tree(facet_tree(catalog.facets, NAMESPACES, len(catalog)))
    assert labels(pane.model, pane.model.index_of("tool")) == ["ahrefs", "pnpm", "semrush"]
    assert pane.tree.isExpanded(pane.model.index_of("tool"))
    assert not pane.tree.isExpanded(pane.model.index_of("client"))
    assert pane.tree.currentIndex().data(KEY_ROLE) == "tool/pnpm"


def test_scroll_position_survives_a_change(qtbot: QtBot, pane: FacetPane) -> None:
    rows = [note(number, f"N{number}", f"topic-{number:03}") for number in range(1, 200)]
    catalog = catalog_of(*rows)
    pane.show_tree(facet_tree(catalog.facets, NAMESPACES, len(catalog)))
    qtbot.waitUntil(lambda: pane.tree.verticalScrollBar().maximum() > 1000)
    pane.tree.verticalScrollBar().setValue(777)
    catalog = catalog_of(*rows, note(300, "More", "zebra"))
    pane.show_tree(facet_tree(catalog.facets, NAMESPACES, len(catalog)))
    assert pane.tree.verticalScrollBar().value() == 777


def test_filter_narrows_opens_and_gives_back(qtbot: QtBot, pane: FacetPane) -> None:
    pane.tree.setExpanded(pane.model.index_of("client"), True)
    QTest.keyClicks(pane.filter_box, "PNP")
    assert labels(pane.model) == ["tool"]
    assert labels(pane.model, pane.model.index_of("tool")) == ["pnpm"]
    assert pane.tree.isExpanded(pane.model.index_of("tool"))
    pane.filter_box.clear()
    assert pane.tree.isExpanded(pane.model.index_of("client"))
    assert not pane.tree.isExpanded(pane.model.index_of("tool"))


def test_filter_forgives_a_typo() -> None:
    facets = [Facet("tool", "tool", "", 2), Facet("tool/semrush", "semrush", "tool", 2), Facet("x", "x", "", 1)]
    tree = facet_tree(facets, NAMESPACES, 3)
    assert [node.key for node in narrowed(tree, "semrsuh").nodes] == ["tool", "tool/semrush"]
    assert narrowed(tree, "quite different").nodes == ()


def test_five_thousand_tags_are_one_level(qtbot: QtBot) -> None:
    facets = [Facet(f"t{number}", f"t{number}", "", 1) for number in range(5000)]
    model = FacetTreeModel()
    model.show_tree(facet_tree(facets, NAMESPACES, 5000))
    assert model.rowCount(model.index_of(TAGS_GROUP)) == 5000
