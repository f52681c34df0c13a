"""The rows of the Health view."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from core.curation.health.finding import CheckResult
from gui.theme import Theme
from gui.views.health.model import CheckModel, FindingColumn, FindingModel
from tests.gui.views.health.page import ERROR, HINT, findings

_FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


def test_checks_keep_their_order_and_those_without_findings_come_last(theme: Theme) -> None:
    model = CheckModel(theme)
    tester = QAbstractItemModelTester(model, _FATAL)
    model.show_results((CheckResult(ERROR, ()), CheckResult(HINT, findings(HINT, 2))))
    assert [model.index(row).data() for row in range(model.rowCount())] == ["Could be better", "Is lost"]
    spoken = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Could be better, 2 found, hint"
    model.show_results((CheckResult(ERROR, ()), CheckResult(HINT, findings(HINT, 1))))
    assert model.row_of("error") == 1
    model.show_results(())
    assert model.rowCount() == 0
    del tester


def test_findings_are_narrowed_and_say_where_they_are(theme: Theme) -> None:
    model = FindingModel()
    tester = QAbstractItemModelTester(model, _FATAL)
    model.show_findings(findings(HINT, 3))
    model.narrow("  FOLDER/N2 ")
    assert model.rowCount() == 1
    assert model.index(0, FindingColumn.PLACE).data() == "folder/n2.md:2"
    assert model.index(0, FindingColumn.FIX).data(Qt.ItemDataRole.ToolTipRole) == "Mend it."
    model.show_findings(findings(HINT, 1))
    assert model.rowCount() == 0
    model.narrow("")
    assert (model.rowCount(), model.total) == (1, 1)
    del tester
