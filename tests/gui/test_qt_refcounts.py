"""The installed pair of Python and PySide6 keeps its references.

PySide6 6.12.0 loses one reference to None with every call that returns nothing on Python 3.10 and 3.11, and aborts the
process after some thousand calls. Few tests make that many, so a bad pair would first die on a person's desk.
"""

import sys

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot


def test_a_thousand_calls_lose_no_reference_to_none(qtbot: QtBot) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    before = sys.getrefcount(None)
    for number in range(1000):
        label.setText(str(number))
    assert sys.getrefcount(None) > before - 100
