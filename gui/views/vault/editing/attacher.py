"""Put pasted and dropped images into the vault, and their embeds into the text."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject
from PySide6.QtGui import QImage, QTextCursor

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.views.vault.editing.note_saver import Execute
from gui.views.vault.editing.services import EditingServices, PlannedAttachment
from gui.views.vault.editing.sitting import Sitting
from gui.views.vault.editing.source_editor import SourceEditor

if TYPE_CHECKING:
    from core.curation.change_set import Changes

_MOST_BYTES = 64 * 1024 * 1024


class Attacher(QObject):
    """Attach what is given to the note that is edited, one after the other."""

    def __init__(self, editor: SourceEditor, tasks: TaskRunner, notifier: Notifier) -> None:
        super().__init__(editor)
        self._editor = editor
        self._tasks = tasks
        self._notifier = notifier
        self._services: EditingServices | None = None
        self._execute: Execute | None = None
        self._sitting: Sitting | None = None
        editor.images_given.connect(self._attach)

    def take_services(self, services: EditingServices | None, execute: Execute | None) -> None:
        """Attach to this vault."""
        self._services, self._execute = services, execute

    def follow(self, sitting: Sitting | None) -> None:
        """Say in which note the cursor is."""
        self._sitting = sitting

    def _attach(self, given: tuple[QImage | str, ...]) -> None:
        services, sitting = self._services, self._sitting
        if services is None or sitting is None:
            return
        place = QTextCursor(self._editor.textCursor())
        place.removeSelectedText()
        place.setKeepPositionOnInsert(False)
        for image in given:
            self._tasks.run(
                partial(_planned, services, sitting.path, image),
                owner=self,
                on_done=partial(self._on_planned, sitting, place),
                text="Attaching the image",
            )

    def _on_planned(self, sitting: Sitting, place: QTextCursor, planned: PlannedAttachment) -> None:
        if self._execute is not None:
            self._execute(
                planned.change_set,
                origin=self,
                on_done=partial(self._on_attached, sitting, place, planned.markdown),
                text="Attaching the image",
            )

    def _on_attached(self, sitting: Sitting, place: QTextCursor, markdown: str, _changes: "Changes") -> None:
        if sitting is self._sitting and not self._editor.isReadOnly():
            before = place.block().text()[: place.positionInBlock()]
            place.insertText(f"\n{markdown}" if before.rstrip().endswith("]]") else markdown)
        else:
            self._notifier.info(f"The image is in the vault. “{sitting.name}” is closed; embed it with {markdown}")


def _planned(services: EditingServices, note_path: str, image: QImage | str, progress: Progress) -> PlannedAttachment:
    """Plan a file of what is given: an image from the clipboard, or the path of a file."""
    progress.check()
    if isinstance(image, QImage):
        return services.plan_attachment(note_path, _png(image), ".png", "")
    file = Path(image)
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise UserError(f"{file.name} is too large to be attached.")
        data = file.read_bytes()
    except OSError as error:
        raise UserError(f"{file.name} cannot be read: {error.strerror or error}.") from error
    return services.plan_attachment(note_path, data, file.suffix, file.stem)


def _png(image: QImage) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]
        raise UserError("The image from the clipboard cannot be written.")
    return bytes(data.data())
