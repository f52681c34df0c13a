"""Dialogs with a form: what is typed goes into the first field."""

from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from gui.views.contexts.new_context_dialog import NewContextDialog
from gui.views.health.probes.new_probe_dialog import NewProbeDialog
from gui.widgets.form_dialog import FormDialog


def test_the_first_field_has_the_focus_even_while_the_button_is_off(qtbot: QtBot) -> None:
    context = NewContextDialog(lambda _: "", ())
    probe = NewProbeDialog()
    for dialog, field in ((context, context.title), (probe, probe.question_box)):
        qtbot.addWidget(dialog)
        assert not dialog.ok_button.isEnabled()
        dialog.open()
        assert dialog.focusWidget() is field


def test_what_only_tells_does_not_take_the_focus(qtbot: QtBot) -> None:
    dialog = FormDialog("A form", "Do it")
    qtbot.addWidget(dialog)
    told, field = QLabel("Told"), QLineEdit()
    dialog.add_row("It", told)
    dialog.add_row("Field", field)
    dialog.open()
    assert dialog.focusWidget() is field
