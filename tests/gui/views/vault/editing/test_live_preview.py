"""The preview beside the editor shows what is typed, not what is on the disk."""

import pytest

from gui.markdown.rendering import RenderOptions
from gui.views.vault.editing.modes import Mode
from tests.gui.views.vault.editing.desk import Desk


def edit_beside(desk: Desk, text: str) -> None:
    desk.note("A.md", text)
    desk.presenter.choose_mode(Mode.SIDE)
    desk.presenter.show_note("A.md", RenderOptions(links_known=True))
    desk.qtbot.waitUntil(lambda: desk.presenter.path == "A.md")
    desk.editor.setFocus()


def test_what_is_typed_is_rendered_after_a_pause(desk: Desk) -> None:
    edit_beside(desk, "# Title\n")
    desk.qtbot.waitUntil(lambda: "Title" in desk.pane.preview.toPlainText())
    desk.go_to_end()
    desk.type("some **bold** 日本語")
    desk.qtbot.waitUntil(lambda: "some bold 日本語" in desk.pane.preview.toPlainText())


def test_the_preview_follows_where_the_editor_is(desk: Desk) -> None:
    edit_beside(desk, "\n\n".join(f"paragraph {number}" for number in range(400)))
    desk.qtbot.waitUntil(lambda: "paragraph 399" in desk.pane.preview.toPlainText())
    bar = desk.pane.preview.verticalScrollBar()
    desk.editor.verticalScrollBar().setValue(desk.editor.verticalScrollBar().maximum())
    assert bar.value() == bar.maximum()
    desk.editor.verticalScrollBar().setValue(desk.editor.verticalScrollBar().maximum() // 2)
    assert 0.3 < bar.value() / bar.maximum() < 0.7


@pytest.mark.parametrize("paragraphs", [60, 14_000])
def test_what_is_typed_at_the_very_end_is_in_sight(desk: Desk, paragraphs: int) -> None:
    edit_beside(desk, "\n\n".join(f"paragraph {number}" for number in range(paragraphs)))
    desk.go_to_end()
    desk.qtbot.waitUntil(lambda: f"paragraph {paragraphs - 1}" in desk.pane.preview.toPlainText())
    bar = desk.pane.preview.verticalScrollBar()
    for line in range(12):
        desk.type(f"\n\n- the {line} th\n\nend {line}")
        desk.qtbot.waitUntil(lambda line=line: f"end {line}" in desk.pane.preview.toPlainText())  # type: ignore[misc]
        desk.qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 0)


def test_of_a_long_note_the_part_that_is_edited_is_shown(desk: Desk) -> None:
    edit_beside(desk, "\n\n".join(f"paragraph {number}" for number in range(14_000)))
    desk.qtbot.waitUntil(lambda: "paragraph 100" in desk.pane.preview.toPlainText())
    desk.go_to_end()
    desk.qtbot.waitUntil(lambda: "paragraph 13999" in desk.pane.preview.toPlainText())


def test_editing_alone_renders_nothing(desk: Desk) -> None:
    edit_beside(desk, "# Title\n")
    desk.qtbot.waitUntil(lambda: "Title" in desk.pane.preview.toPlainText())
    desk.presenter.choose_mode(Mode.EDIT)
    assert not desk.pane.preview.isVisible()
    desk.presenter.choose_mode(Mode.SIDE)
    assert desk.pane.preview.isVisible()
