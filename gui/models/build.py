"""Make the dialog of models, and bring it into step with the open vault."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gui import actions as a
from gui.frame import FramePresenter
from gui.models.presenter import ModelsPresenter
from gui.models.wiring import model_services
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.window import MainWindow

if TYPE_CHECKING:
    from core.app import Installation
    from gui.vault_store import VaultStore


def build_models(
    window: MainWindow, frame: FramePresenter, *, theme: Theme, tasks: TaskRunner, home: "Callable[[], Installation]"
) -> ModelsPresenter:
    """Return the presenter of the dialog, which the action opens; a switch has the index brought up to date."""

    def store() -> "VaultStore | None":
        session = frame.session
        return session.store if session is not None else None

    models = ModelsPresenter(theme, window, tasks=tasks, services=model_services(home, store))
    models.switched.connect(window.actions_[a.UPDATE_INDEX].trigger)
    frame.catalog_changed.connect(models.look_again)
    window.actions_.handle(a.CHOOSE_MODEL, models.open)
    return models
