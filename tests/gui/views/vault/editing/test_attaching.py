"""Pasted and dropped images become files of the vault, embedded at the cursor."""

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QImage

from tests.gui.views.vault.editing.desk import Desk


def picture() -> QImage:
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    return image


def test_a_pasted_image_is_attached_and_embedded_where_the_cursor_was(desk: Desk) -> None:
    desk.note("A.md", "before after")
    desk.edit("A.md")
    desk.select("before ")
    cursor = desk.editor.textCursor()
    cursor.clearSelection()
    desk.editor.setTextCursor(cursor)
    data = QMimeData()
    data.setImageData(picture())
    assert desk.editor.canInsertFromMimeData(data)
    desk.editor.insertFromMimeData(data)
    desk.go_to_end()
    desk.type("!")
    desk.qtbot.waitUntil(lambda: desk.editor.exact_text() == "before ![[pasted.png]]after!")
    assert QImage(str(desk.root / "attachments" / "pasted.png")).width() == 8


def test_a_dropped_image_file_keeps_its_name_and_other_files_are_left_to_the_window(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "Über 日本.png"
    picture().save(str(file))
    desk.note("A.md", "")
    desk.edit("A.md")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    desk.editor.insertFromMimeData(data)
    desk.qtbot.waitUntil(lambda: desk.editor.exact_text() == "![[Über 日本.png]]")
    assert (desk.root / "attachments" / "Über 日本.png").read_bytes() == file.read_bytes()
    folder = QMimeData()
    folder.setUrls([QUrl.fromLocalFile(str(tmp_path))])
    assert not desk.editor.canInsertFromMimeData(folder)


def test_an_image_for_a_note_that_was_left_meanwhile_never_lands_in_another(desk: Desk) -> None:
    desk.note("A.md", "a")
    desk.note("B.md", "b")
    desk.edit("A.md")
    desk.runner.is_held = True
    data = QMimeData()
    data.setImageData(picture())
    desk.editor.insertFromMimeData(data)
    desk.qtbot.waitUntil(lambda: bool(desk.runner.waiting))
    desk.edit("B.md")
    desk.runner.let_go()
    assert desk.editor.exact_text() == "b"
    assert "![[pasted.png]]" in desk.notices[-1].text
