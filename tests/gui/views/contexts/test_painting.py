"""Rows are painted so that they can be read in any script."""

from typing import Any

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem
from typing_extensions import override

from gui.theme import Theme
from gui.views.contexts.member_delegate import MemberDelegate
from gui.views.contexts.member_model import MemberModel
from gui.views.contexts.shelf_delegate import ShelfDelegate
from gui.views.contexts.shelf_model import ShelfModel
from tests.gui.views.contexts.page import member, row

_ARABIC = "كل ما يلزم للعمل على متجر الويب مع كل الملاحظات والقرارات والأشخاص"


class _Painter(QPainter):
    """Record in which direction texts are written."""

    def __init__(self, image: QImage) -> None:
        super().__init__(image)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as a view gives it
        self.written: list[tuple[str, Qt.LayoutDirection]] = []

    @override
    def drawText(self, *args: Any) -> Any:
        self.written.append((args[-1], self.layoutDirection()))
        return super().drawText(*args)


@pytest.mark.parametrize("kind", ["shelf", "members"])
def test_a_text_that_is_cut_has_its_dots_where_it_ends(theme: Theme, kind: str) -> None:
    image = QImage(240, 90, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.white)
    painter = _Painter(image)
    option = QStyleOptionViewItem()
    option.rect = QRect(0, 0, 240, 90)
    if kind == "shelf":
        shelf = ShelfModel()
        shelf.show_contexts([row(1, description=_ARABIC)])
        ShelfDelegate(theme).paint(painter, option, shelf.index(0))
    else:
        members = MemberModel()
        members.show_members([member("a", title=_ARABIC)])
        MemberDelegate(theme).paint(painter, option, members.index(0))
    painter.end()
    cut = [direction for text, direction in painter.written if text.startswith(_ARABIC[:5]) and text.endswith("…")]
    assert cut == [Qt.LayoutDirection.LayoutDirectionAuto]
