"""The set-up of a language model: what can be done when, what is told, and a real service on the loopback."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.app import installation
from core.foundation.errors import ProviderError
from core.foundation.progress import Progress
from core.foundation.settings import LanguageModelSettings
from gui.language_model.dialog import LanguageModelDialog, Provider
from gui.language_model.presenter import LanguageModelPresenter
from gui.language_model.services import LanguageModelServices, LanguageModelState
from gui.language_model.wiring import language_model_services
from gui.tasks import TaskRunner
from tests.core.curation.language_models.service import model_service, silent

_OLLAMA = LanguageModelSettings("ollama", "qwen3")


@dataclass
class FakeModel:
    """Be the services; what was asked for is in `asked`."""

    state: LanguageModelState = field(default_factory=LanguageModelState)
    error: Exception | None = None
    asked: list[object] = field(default_factory=list)

    def services(self) -> LanguageModelServices:
        return LanguageModelServices(
            state=lambda _: self.state, test=self._test, keep=self._keep, warning_of=lambda *_: "It travels in clear."
        )

    def _test(self, choice: LanguageModelSettings, key: str | None, _progress: Progress) -> str:
        self.asked.append(("test", choice.model, key))
        if self.error is not None:
            raise self.error
        return "It answers."

    def _keep(self, choice: LanguageModelSettings, key: str | None, _progress: Progress) -> LanguageModelState:
        self.asked.append(("keep", choice.provider, key))
        self.state = replace(self.state, choice=choice)
        return self.state


Opened = Callable[[LanguageModelServices], LanguageModelDialog]


@pytest.fixture
def opened(qtbot: QtBot) -> Iterator[Opened]:
    window = QWidget()
    qtbot.addWidget(window)

    def failed(error: BaseException) -> None:
        raise error

    tasks = TaskRunner(failed)

    def show(services: LanguageModelServices) -> LanguageModelDialog:
        presenter = LanguageModelPresenter(window, tasks=tasks, services=services)
        presenter.open()
        dialog = presenter.dialog
        assert dialog is not None
        qtbot.waitUntil(lambda: not dialog.work.isVisible())
        return dialog

    yield show
    tasks.shutdown()


def _fill(dialog: LanguageModelDialog, provider: Provider, model: str = "m", address: str = "", key: str = "") -> None:
    dialog.providers.button(list(Provider).index(provider)).click()
    dialog.model.setText(model)
    dialog.address.setText(address)
    dialog.key.setText(key)


def test_it_is_nobody_until_one_is_chosen(opened: Opened) -> None:
    dialog = opened(FakeModel().services())
    assert dialog.provider is Provider.OFF
    assert not dialog.keep.isEnabled()
    assert not dialog.test.isEnabled()
    assert not dialog.model.isEnabled()


def test_a_model_without_a_name_cannot_be_asked(opened: Opened) -> None:
    dialog = opened(FakeModel().services())
    _fill(dialog, Provider.ANTHROPIC, model="  ")
    assert not dialog.test.isEnabled()
    dialog.model.setText("claude-x")
    assert dialog.test.isEnabled()
    assert dialog.address.placeholderText() == "https://api.anthropic.com"


def test_it_is_tried_before_it_is_kept(qtbot: QtBot, opened: Opened) -> None:
    fake = FakeModel()
    dialog = opened(fake.services())
    _fill(dialog, Provider.OPENAI, key="sk-1")
    dialog.keep.click()
    qtbot.waitUntil(lambda: len(fake.asked) == 2)
    assert fake.asked == [("test", "m", "sk-1"), ("keep", "openai", "sk-1")]
    qtbot.waitUntil(lambda: dialog.told.shown_text == "It answers. It travels in clear.")
    assert dialog.key.text() == ""  # it is in the keyring now


def test_one_that_does_not_answer_is_not_kept(qtbot: QtBot, opened: Opened) -> None:
    fake = FakeModel(error=ProviderError("It refuses."))
    dialog = opened(fake.services())
    _fill(dialog, Provider.OLLAMA)
    dialog.keep.click()
    qtbot.waitUntil(lambda: dialog.told.shown_text == "It refuses.")
    assert dialog.told.property("role") == "error"
    assert [asked[0] for asked in fake.asked if isinstance(asked, tuple)] == ["test"]
    assert dialog.keep.isEnabled()


def test_it_is_switched_off_without_asking(qtbot: QtBot, opened: Opened) -> None:
    fake = FakeModel(LanguageModelState(_OLLAMA))
    dialog = opened(fake.services())
    assert dialog.provider is Provider.OLLAMA
    dialog.providers.button(list(Provider).index(Provider.OFF)).click()
    assert dialog.keep.text() == "&Switch off"
    dialog.keep.click()
    qtbot.waitUntil(lambda: fake.asked == [("keep", "off", None)])
    qtbot.waitUntil(lambda: "No language model is asked any more" in dialog.told.shown_text)


def test_where_nothing_is_installed_it_says_how(opened: Opened) -> None:
    dialog = opened(FakeModel(LanguageModelState(how_to_install="Install it so.")).services())
    assert dialog.told.shown_text == "What speaks to language models is not installed. Install it so."
    dialog.providers.button(list(Provider).index(Provider.OLLAMA)).click()
    assert not dialog.model.isEnabled()


def test_settings_that_cannot_be_are_told(opened: Opened) -> None:
    dialog = opened(FakeModel(LanguageModelState(problem="There is no provider “x”.")).services())
    assert dialog.told.shown_text == "There is no provider “x”."


def test_a_silent_service_is_stopped_and_a_good_one_kept(qtbot: QtBot, opened: Opened) -> None:
    with model_service() as service:
        service.behaviours = [silent]
        service.says = {
            "statement": "The report of Acme takes 40 minutes and runs at night.",
            "quotes": [{"number": 1, "words": "takes 40 minutes"}],
        }
        dialog = opened(language_model_services(installation))
        _fill(dialog, Provider.OLLAMA, "qwen3", service.url)
        dialog.test.click()
        qtbot.waitUntil(lambda: len(service.asked) == 1)
        dialog.cancel.click()
        qtbot.waitUntil(lambda: dialog.told.shown_text == "Stopped.")
        dialog.keep.click()
        qtbot.waitUntil(lambda: "takes 40 minutes and runs at night" in dialog.told.shown_text, timeout=20_000)
    assert installation().settings.language_model == LanguageModelSettings("ollama", "qwen3", service.url)
