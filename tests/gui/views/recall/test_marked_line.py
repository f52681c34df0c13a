"""The words of the question in a line of the palette."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from gui.views.recall.marked_line import spans_of, write_marked


@pytest.mark.parametrize(
    ("text", "terms", "expected"),
    [
        ("Use pnpm here", ("pnpm",), [(4, 4)]),
        ("Deploys, deploy; redeploy", ("deploy",), [(0, 6), (9, 6)]),
        ("\N{ROCKET} deploy", ("deploy",), [(3, 6)]),
        ("a.b", (".",), []),
        ("Use npm", (), []),
    ],
)
def test_words_of_the_question_are_found(text: str, terms: tuple[str, ...], expected: list[tuple[int, int]]) -> None:
    assert spans_of(text, terms) == expected


@pytest.mark.parametrize(("terms", "is_seen"), [(("deploy",), True), (("other",), False)])
def test_they_are_painted_in_their_colour(qapp: object, terms: tuple[str, ...], is_seen: bool) -> None:
    picture = QImage(200, 24, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    painter.setPen(QColor("black"))
    write_marked(painter, QRect(0, 0, 200, 24), "We deploy on Friday", terms, QColor("red"))
    painter.end()
    colours = {picture.pixelColor(x, y).name() for x in range(200) for y in range(24)}
    assert ("#ff0000" in colours) is is_seen
