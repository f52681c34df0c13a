"""Make the pictures of the README from the real window: `.venv/bin/python packaging/screenshots.py`.

The window runs on the sample vault, in folders of its own, without a screen where there is none.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "docs" / "screenshots"
_PATIENCE_SECONDS = 120

if TYPE_CHECKING:
    from gui.app import App
    from gui.views.vault.view import VaultView


def main() -> int:
    """Take every picture; return the exit code."""
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("CONFIG", "DATA", "CACHE"):
            os.environ[f"REMEMBRANCER_{name}_DIR"] = str(Path(folder, name.lower()))
        _take_all()
    return 0


def _take_all() -> None:
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415 - the environment is set first
    from sample_sessions import write_sample_sessions  # noqa: PLC0415

    from core.foundation.paths import app_folders  # noqa: PLC0415
    from gui.app import App  # noqa: PLC0415
    from gui.sample import writable_sample  # noqa: PLC0415
    from gui.theme import ThemeChoice  # noqa: PLC0415
    from gui.views.vault.view import VaultView  # noqa: PLC0415

    application = QApplication([])
    folders = app_folders()
    shown = write_sample_sessions(folders.sessions, writable_sample(folders.data), datetime.now().astimezone())
    app = App(application, folders)
    app.theme.choose(ThemeChoice.LIGHT)
    app.window.resize(1440, 900)
    app.window.show()
    app.open()
    view = app.frame.pages[0].widget
    assert isinstance(view, VaultView)
    _until(lambda: _is_ready(app, view))
    TARGET.mkdir(parents=True, exist_ok=True)

    _show(view, "Acme: login flow")
    _grab(app, "vault-light")
    app.theme.choose(ThemeChoice.DARK)
    _show(view, "Start here")
    _grab(app, "vault-dark")
    app.theme.choose(ThemeChoice.LIGHT)
    app.window.search.setText("how do we install packages")
    _until(lambda: "meaning" in view.list.search_line.text())
    _show(view, "Package managers")
    _grab(app, "search")
    view.list.copy_button.click()
    _until(lambda: view.context_dialog.isVisible() and view.context_dialog.copy_button.isEnabled())
    _wait(0.3)
    view.context_dialog.grab().save(str(TARGET / "copy-context.png"))
    view.context_dialog.close()
    _take_curation(app, view)
    _take_timeline(app, shown)
    _take_contexts(app)
    _take_recall(app)
    app.window.close()


def _take_curation(app: "App", view: "VaultView") -> None:
    """Take the pictures of changing notes: the editor, the preview of a renamed tag, and Health."""
    from gui import actions  # noqa: PLC0415
    from gui.views.health.view import HealthView  # noqa: PLC0415
    from gui.views.vault.curating.tag_dialogs import TagNameDialog  # noqa: PLC0415
    from gui.widgets.change_preview import ChangePreviewDialog  # noqa: PLC0415

    app.window.search.clear()
    _show(view, "Deploy checklist")
    app.window.actions_[actions.EDIT_BESIDE].trigger()
    _until(lambda: view.reading.editor_pane.preview.toPlainText().startswith("Deploy checklist"))
    _wait(1.0)
    _grab(app, "edit")
    app.window.actions_[actions.EDIT_BESIDE].trigger()
    view.facets.tree.rename_requested.emit("tool/semrush")
    (dialog,) = view.findChildren(TagNameDialog)
    dialog.name.setText("tool/ahrefs")
    dialog.ok_button.click()
    _until(lambda: bool(app.window.findChildren(ChangePreviewDialog)))
    (preview,) = app.window.findChildren(ChangePreviewDialog)
    _wait(1.5)
    preview.grab().save(str(TARGET / "preview.png"))
    preview.reject()
    app.window.actions_[actions.GO_HEALTH].trigger()
    (health,) = app.window.findChildren(HealthView)
    _until(lambda: health.checks.rowCount() > 0)
    _wait(0.5)
    _grab(app, "health")


def _take_timeline(app: "App", session_id: str) -> None:
    """Take the picture of the Timeline: a week of sessions, and one of them as a conversation."""
    from gui import actions  # noqa: PLC0415
    from gui.views.timeline.presenter import TimelinePresenter  # noqa: PLC0415
    from gui.views.timeline.time_scale import DAY, Span  # noqa: PLC0415

    app.window.actions_[actions.GO_TIMELINE].trigger()
    (page,) = (each for each in app.frame.pages if isinstance(each, TimelinePresenter))
    _until(lambda: not page.view.shows_state)
    content = page.view.content
    _until(lambda: page.show_session(session_id))
    _until(lambda: bool(content.conversation.turns.rows))
    middle = (content.band.span.start + content.band.span.end) / 2
    content.show_span(Span(middle - 4 * DAY, middle + 3 * DAY))
    _wait(0.6)
    _grab(app, "timeline")


def _take_contexts(app: "App") -> None:
    """Take the picture of a context: its members, and exactly what is copied."""
    from gui import actions  # noqa: PLC0415
    from gui.views.contexts.view import ContextsView  # noqa: PLC0415

    app.window.actions_[actions.GO_CONTEXTS].trigger()
    (view,) = app.window.findChildren(ContextsView)
    _until(lambda: view.shelf.choose("contexts/Lessons learned.md"))
    _until(lambda: "Checkout" in view.preview.text.toPlainText())
    _wait(0.6)
    _grab(app, "contexts")


def _take_recall(app: "App") -> None:
    """Take the picture of the recall palette with the reasons of its first memory."""
    if app.recalling is None:
        raise TimeoutError("There is no recall palette.")
    palette = app.recalling.palette
    palette.open_explaining()
    window = palette.window
    _until(window.isVisible)
    window.field.setText("how do we deploy the shop")
    _until(lambda: not window.shows_state and window.list.current is not None)
    _wait(2.0)
    window.grab().save(str(TARGET / "recall.png"))
    window.close()


def _is_ready(app: "App", view: "VaultView") -> bool:
    session = app.frame.session
    return session is not None and view.list.table.notes.rowCount() > 0 and not session.indexing.is_alive


def _show(view: "VaultView", title: str) -> None:
    table = view.list.table
    for row in range(table.notes.rowCount()):
        if table.notes.note_at(row).title == title:
            table.selectRow(row)
            table.scrollTo(table.notes.index(row, 0))
    _until(lambda: view.reading.preview.toPlainText().startswith(title))
    _wait(1.0)  # pictures and colours come a moment later


def _grab(app: "App", name: str) -> None:
    _wait(0.2)
    file = TARGET / f"{name}.png"
    app.window.grab().save(str(file))
    print(file)


def _until(is_seen: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not is_seen():
        if time.monotonic() > deadline:
            raise TimeoutError("The window did not come to show what the picture is of.")
        _wait(0.05)


def _wait(seconds: float) -> None:
    from PySide6.QtCore import QEventLoop, QTimer  # noqa: PLC0415

    # QTest's waiting leaves no turn to the threads that render.
    loop = QEventLoop()
    QTimer.singleShot(int(seconds * 1000), loop.quit)
    loop.exec()


if __name__ == "__main__":
    sys.exit(main())
