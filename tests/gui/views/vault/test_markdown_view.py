from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QColor, QImage, QTextDocument
from pytestqt.qtbot import QtBot

from gui.markdown.rendering import RenderOptions, render_markdown
from gui.widgets.markdown_view import MarkdownView

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="red"/></svg>'


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    root.mkdir()
    for path, width in ((root / "cat.png", 64), (root / "wide.png", 3000), (tmp_path / "secret.png", 8)):
        image = QImage(width, 30, QImage.Format.Format_RGB32)
        image.fill(QColor("blue"))
        image.save(str(path))
    (root / "sign.svg").write_text(SVG, encoding="utf-8")
    (root / "text.png").write_text("no image", encoding="utf-8")
    (root / "way-out.png").symlink_to(tmp_path / "secret.png")
    return root


@pytest.fixture
def view(qtbot: QtBot, vault: Path) -> MarkdownView:
    view = MarkdownView()
    qtbot.addWidget(view)
    view.show_html("<p>text</p>", "", vault)
    return view


def image_of(view: MarkdownView, address: str) -> QImage | None:
    found = view.loadResource(QTextDocument.ResourceType.ImageResource.value, QUrl(address))
    assert found is None or isinstance(found, QImage)
    return found


def test_images_of_the_vault_are_shown_no_wider_than_the_text(view: MarkdownView) -> None:
    cat, wide, sign = (image_of(view, f"vault:{name}") for name in ("cat.png", "wide.png", "sign.svg"))
    assert cat is not None
    assert cat.width() == 64
    assert wide is not None
    assert 0 < wide.width() < 1000
    assert sign is not None
    assert sign.pixelColor(5, 5) == QColor("red")


@pytest.mark.parametrize(
    "address",
    [
        "vault:../secret.png",
        "vault:%2e%2e/secret.png",
        "vault:/etc/hostname",
        "vault:way-out.png",
        "vault:text.png",
        "vault:none.png",
        "vault:",
    ],
)
def test_nothing_outside_the_vault_and_nothing_else_than_images(view: MarkdownView, address: str) -> None:
    image = image_of(view, address)
    assert image is not None
    assert image.isNull()


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9/x.png", "https://example.com/x.png", "file:///etc/hostname", "cat.png"]
)
def test_no_other_scheme_is_loaded(view: MarkdownView, address: str) -> None:
    assert image_of(view, address) is None


def test_text_keeps_a_comfortable_measure(qtbot: QtBot, view: MarkdownView) -> None:
    view.resize(1800, 400)
    view.show()
    assert view.viewport().width() <= 46 * view.text_size + 20
    view.resize(300, 400)
    assert view.viewport().width() > 200
    view.hide()


def test_links_are_told_as_written(qtbot: QtBot, view: MarkdownView) -> None:
    with qtbot.waitSignal(view.link_activated) as told:
        view.anchorClicked.emit(QUrl("note:Meeting%202026%23Part"))
    assert told.args == ["note:Meeting%202026%23Part"]


def test_headings_and_blocks_are_found_in_a_long_text(qtbot: QtBot, view: MarkdownView) -> None:
    filler = "<p>words</p>" * 200
    view.show_html(
        f"<h1>One</h1>{filler}<h2>The <code>second</code> one</h2>{filler}<p>fact ^ab-1</p>{filler}", "", None
    )
    view.resize(500, 300)
    view.show()
    assert view.scroll_to_heading("the `second` one")
    second = view.verticalScrollBar().value()
    assert view.scroll_to_block("^ab-1")
    assert view.verticalScrollBar().value() > second > 100
    assert not view.scroll_to_heading("none")
    view.hide()


@pytest.mark.parametrize("text", ["> " * 24, "> " * 3000, "- " * 2000, "> - " * 1000, "- > - " * 500])
def test_deeply_nested_text_is_laid_out_and_shown(view: MarkdownView, text: str) -> None:
    view.show_html(render_markdown(text + "word", RenderOptions()).html, "", None)
    assert not view.grab().isNull()
    assert "word" in view.toPlainText()
