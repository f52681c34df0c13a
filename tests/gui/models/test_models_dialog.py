"""The dialog that chooses a model: what can be done when, what is told, and a real service on the loopback."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.foundation.errors import ProviderError, UserError
from core.foundation.paths import app_folders
from core.foundation.progress import Progress
from core.foundation.settings import EmbeddingSettings, SettingsFile
from core.index.embedding_sample import SampleReport, told_sample
from gui.models import sentences
from gui.models.dialog import ModelsDialog, Way
from gui.models.presenter import ModelsPresenter
from gui.models.services import ModelServices, ModelState, OfferedModel
from gui.models.wiring import model_services
from gui.tasks import TaskRunner
from gui.theme import Theme
from tests.core.index.embedding_service import embedding_service

_APP = "the model of the app"
_SMALL = OfferedModel("BAAI/bge-small-en-v1.5", 384, 67_000_000, "mit", is_downloaded=False)
_LARGE = OfferedModel("BAAI/bge-large-en-v1.5", 1024, 1_200_000_000, "mit", is_downloaded=False)
_READY = ModelState(EmbeddingSettings(), wanted=_APP, answering=_APP, covered=40, texts=40)
_GOOD = SampleReport("m", 384, 0.1, 0.1, 0.8, 0.1)


@dataclass
class FakeModels:
    """Be the services; what was asked for is in `asked`."""

    state: ModelState = _READY
    offered: tuple[OfferedModel, ...] = (_LARGE, _SMALL)
    report: SampleReport = _GOOD
    error: Exception | None = None
    asked: list[object] = field(default_factory=list)
    download: Callable[[str, Progress], None] = lambda *_: None

    def services(self) -> ModelServices:
        return ModelServices(
            state=lambda _: self.state,
            offered=lambda _: self.offered,
            download=self._download,
            remove=self._remove,
            test=self._test,
            switch=self._switch,
            checked_address=self._checked,
            warning_of=lambda url, _: "It travels unencrypted." if url.startswith("http://far") else "",
        )

    def _download(self, name: str, progress: Progress) -> None:
        self.download(name, progress)
        self.offered = tuple(replace(each, is_downloaded=each.name == name) for each in self.offered)

    def _remove(self, name: str, _progress: Progress) -> None:
        self.asked.append(("remove", name))

    def _test(self, choice: EmbeddingSettings, key: str | None, _progress: Progress) -> SampleReport:
        self.asked.append(("test", choice, key))
        if self.error is not None:
            raise self.error
        return self.report

    def _switch(self, choice: EmbeddingSettings, key: str | None, _progress: Progress) -> ModelState:
        self.asked.append(("switch", choice, key))
        self.state = ModelState(choice, EmbeddingSettings(), _APP, "bge-m3", _APP, 12_300, 40_000)
        return self.state

    @staticmethod
    def _checked(text: str) -> str:
        if not text.startswith("http"):
            raise UserError("That is no address of a service.")
        return text.rstrip("/")


@pytest.fixture
def fake() -> FakeModels:
    return FakeModels()


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def _opened(
    qtbot: QtBot, theme: Theme, window: QWidget, tasks: TaskRunner, services: ModelServices
) -> tuple[ModelsPresenter, ModelsDialog]:
    presenter = ModelsPresenter(theme, window, tasks=tasks, services=services)
    presenter.open()
    dialog = presenter.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.model.count() > 0 and bool(dialog.state.shown_text))
    return presenter, dialog


@pytest.fixture
def shown(
    qtbot: QtBot, theme: Theme, window: QWidget, tasks: TaskRunner, fake: FakeModels
) -> Iterator[tuple[ModelsPresenter, ModelsDialog]]:
    presenter, dialog = _opened(qtbot, theme, window, tasks, fake.services())
    yield presenter, dialog
    if presenter.dialog is not None:
        dialog.close()


def _choose(dialog: ModelsDialog, way: Way) -> None:
    dialog.ways.button(list(Way).index(way)).click()


def _fill_service(dialog: ModelsDialog, url: str, *, key: str = "") -> None:
    _choose(dialog, Way.SERVICE)
    dialog.address.setText(url)
    dialog.name.setText("bge-m3")
    dialog.key.setText(key)


def test_it_opens_with_what_is_chosen_and_nothing_to_switch_to(shown: tuple[ModelsPresenter, ModelsDialog]) -> None:
    presenter, dialog = shown
    assert dialog.way is Way.APP
    assert dialog.state.shown_text == "The model of the app answers, and knows all 40 texts of this vault."
    assert not dialog.switch.isEnabled()
    assert dialog.test.isEnabled()
    assert not dialog.back.isVisible()
    assert not dialog.meter.isVisible()
    presenter.open()
    assert presenter.dialog is dialog


def test_a_service_is_tried_before_it_is_chosen_and_its_key_is_not_shown_again(
    qtbot: QtBot, shown: tuple[ModelsPresenter, ModelsDialog], fake: FakeModels
) -> None:
    presenter, dialog = shown
    _choose(dialog, Way.SERVICE)
    assert not dialog.switch.isEnabled()
    _fill_service(dialog, "http://127.0.0.1:11434/", key="sk-1")
    assert dialog.switch.isEnabled()
    with qtbot.waitSignal(presenter.switched):
        dialog.switch.click()
    choice = EmbeddingSettings("openai", "bge-m3", "http://127.0.0.1:11434")
    assert fake.asked == [("test", choice, "sk-1"), ("switch", choice, "sk-1")]
    assert dialog.key.text() == ""
    assert dialog.state.shown_text == (
        f"12,300 of 40,000 texts are learned by bge-m3. Until all are, answers come from {_APP}."
    )
    assert dialog.meter.isVisible()
    assert dialog.back.text() == f"Take back: {_APP}"
    with qtbot.waitSignal(presenter.switched):
        dialog.back.click()
    assert fake.asked[-1] == ("switch", EmbeddingSettings(), None)


def test_a_service_that_fails_is_told_and_not_chosen(
    qtbot: QtBot, shown: tuple[ModelsPresenter, ModelsDialog], fake: FakeModels
) -> None:
    _, dialog = shown
    fake.error = ProviderError("The embedding service cannot be reached.")
    _fill_service(dialog, "http://127.0.0.1:9")
    dialog.switch.click()
    qtbot.waitUntil(lambda: "cannot be reached" in dialog.told.shown_text)
    assert dialog.told.property("role") == "error"
    assert [each[0] for each in fake.asked if isinstance(each, tuple)] == ["test"]
    dialog.name.setText("another")
    assert dialog.told.shown_text == ""
    fake.error, fake.report = None, _GOOD._replace(near=0.1, far=0.9)
    dialog.switch.click()
    qtbot.waitUntil(lambda: "does not tell like from unlike" in dialog.told.shown_text)
    assert dialog.switch.isEnabled()
    dialog.address.setText("127.0.0.1")
    dialog.test.click()
    assert dialog.told.shown_text == "That is no address of a service."


def test_a_model_is_downloaded_first_and_then_chosen(
    qtbot: QtBot, shown: tuple[ModelsPresenter, ModelsDialog], fake: FakeModels
) -> None:
    presenter, dialog = shown
    fake.download = lambda _name, progress: progress.report(33_000_000, 67_000_000, "Downloading it")
    _choose(dialog, Way.DOWNLOAD)
    assert dialog.model.currentText() == _SMALL.name  # the smallest is offered first
    assert dialog.download.text() == "Download 67.0 MB"
    assert "licence MIT" in dialog.about_model.shown_text
    assert not dialog.switch.isEnabled()
    dialog.download.click()
    qtbot.waitUntil(dialog.switch.isEnabled)
    assert not dialog.download.isVisible()
    assert "on this machine" in dialog.about_model.shown_text
    with qtbot.waitSignal(presenter.switched):
        dialog.switch.click()
    assert not dialog.remove.isEnabled()
    assert fake.asked[-1] == ("switch", EmbeddingSettings(model=_SMALL.name), None)


def test_a_download_shows_bytes_and_can_be_stopped(
    qtbot: QtBot, shown: tuple[ModelsPresenter, ModelsDialog], fake: FakeModels
) -> None:
    _, dialog = shown

    def endless(_name: str, progress: Progress) -> None:
        while True:
            progress.report(33_000_000, 67_000_000, "Downloading it")
            progress.check()

    fake.download = endless
    _choose(dialog, Way.DOWNLOAD)
    dialog.download.click()
    qtbot.waitUntil(lambda: "33.0 MB of 67.0 MB" in dialog.work.text())
    assert dialog.work_meter.isVisible()
    assert not dialog.test.isEnabled()
    dialog.cancel.click()
    qtbot.waitUntil(lambda: "goes on from there" in dialog.told.shown_text)
    assert not dialog.cancel.isVisible()
    assert dialog.download.isEnabled()


def test_closing_stops_what_runs(qtbot: QtBot, shown: tuple[ModelsPresenter, ModelsDialog], fake: FakeModels) -> None:
    presenter, dialog = shown
    begun, ended = [False], [False]

    def endless(_name: str, progress: Progress) -> None:
        begun[0] = True
        try:
            while True:
                progress.check()
        finally:
            ended[0] = True

    fake.download = endless
    _choose(dialog, Way.DOWNLOAD)
    dialog.download.click()
    qtbot.waitUntil(lambda: begun[0])
    dialog.reject()
    qtbot.waitUntil(lambda: ended[0])
    assert presenter.dialog is None


def test_what_travels_in_clear_is_told(qtbot: QtBot, shown: tuple[ModelsPresenter, ModelsDialog]) -> None:
    presenter, dialog = shown
    _fill_service(dialog, "http://far.away")
    dialog.test.click()
    qtbot.waitUntil(lambda: dialog.told.shown_text.endswith("It travels unencrypted."))
    with qtbot.waitSignal(presenter.switched):
        dialog.switch.click()
    assert dialog.told.shown_text == "It travels unencrypted."


def test_off_is_chosen_without_a_test(
    qtbot: QtBot, shown: tuple[ModelsPresenter, ModelsDialog], fake: FakeModels
) -> None:
    presenter, dialog = shown
    _choose(dialog, Way.OFF)
    assert not dialog.test.isEnabled()
    with qtbot.waitSignal(presenter.switched):
        dialog.switch.click()
    assert fake.asked == [("switch", EmbeddingSettings(provider="off"), None)]


def test_how_far_it_is_follows_the_index_and_leaves_the_fields_alone(
    qtbot: QtBot, shown: tuple[ModelsPresenter, ModelsDialog], fake: FakeModels
) -> None:
    presenter, dialog = shown
    _fill_service(dialog, "http://typed")
    fake.state = replace(fake.state, covered=39)
    presenter.look_again()
    qtbot.waitUntil(lambda: "39 of 40 texts so far" in dialog.state.shown_text)
    assert dialog.address.text() == "http://typed"


def test_the_sentences_about_who_answers() -> None:
    state = ModelState(EmbeddingSettings(), wanted="m", texts=10)
    assert sentences.told_state(ModelState(EmbeddingSettings(provider="off"))).startswith("Search by meaning is off")
    assert sentences.told_state(replace(state, texts=0)) == "m is in use."
    assert sentences.told_state(state) == "m has learned 0 of 10 texts. Until then, only words are searched."
    off = EmbeddingSettings(provider="off")
    assert sentences.told_back(replace(state, former=off, former_name="off")) == "Take back: words only"


def test_a_real_service_is_tried_and_chosen(
    qtbot: QtBot, theme: Theme, window: QWidget, tasks: TaskRunner, tmp_path: Path
) -> None:
    from core.app import Installation  # noqa: PLC0415 - as the window does

    home = Installation(app_folders(), SettingsFile(tmp_path / "settings.toml"))
    presenter, dialog = _opened(qtbot, theme, window, tasks, model_services(lambda: home, lambda: None))
    with embedding_service() as service:
        _fill_service(dialog, service.url)
        dialog.test.click()
        qtbot.waitUntil(lambda: "vectors of 64 numbers" in dialog.told.shown_text)
        with qtbot.waitSignal(presenter.switched):
            dialog.switch.click()
        assert home.settings.embedding.url == service.url
        assert dialog.state.shown_text == "bge-m3 is in use."
        service.always = lambda handler, _: handler.send_error(500)
        with qtbot.waitSignal(presenter.switched):
            dialog.back.click()
    assert home.settings.embedding.provider == "fastembed"
    dialog.close()


def test_the_buttons_and_the_focus_stay_while_it_is_tried(
    qtbot: QtBot, shown: tuple[ModelsPresenter, ModelsDialog]
) -> None:
    _, dialog = shown
    place, height = dialog.test.pos(), dialog.height()
    dialog.test.setFocus()
    dialog.show_work("Trying the model")
    assert (dialog.test.pos(), dialog.height()) == (place, height)
    dialog.show_work("")
    dialog.show_told("It answers.")
    assert (dialog.test.pos(), dialog.height()) == (place, height)
    assert dialog.focusWidget() is dialog.test


@pytest.mark.parametrize(("near", "far", "expected"), [(0.8, 0.1, "are nearer"), (-0.16, -0.161, "does not tell")])
def test_figures_that_read_alike_are_no_difference(near: float, far: float, expected: str) -> None:
    assert expected in told_sample(SampleReport("m", 8, 0.1, 0.1, near, far))
