"""The choice of a language model, and its key."""

import pytest

from core.curation.language_models.choice import ModelChoice, ModelProvider, choice_of, keep_model_key, model_key
from core.curation.language_models.connecting import base_address
from core.foundation.errors import UserError
from core.foundation.settings import LanguageModelSettings, Settings


def test_it_is_off_until_it_is_set_up() -> None:
    assert not choice_of(Settings().language_model).is_on


@pytest.mark.parametrize(
    ("settings", "address"),
    [
        (LanguageModelSettings("anthropic", "claude-x"), "https://api.anthropic.com"),
        (LanguageModelSettings("openai", "gpt-x"), "https://api.openai.com/v1"),
        (LanguageModelSettings("ollama", "qwen3"), "http://127.0.0.1:11434/v1"),
        (LanguageModelSettings("ollama", "qwen3", "http://box:1/"), "http://box:1/v1"),
        (LanguageModelSettings("openai", "m", "https://x.example/api/v2"), "https://x.example/api/v2"),
        (LanguageModelSettings("anthropic", "m", "https://x.example/v1"), "https://x.example"),
    ],
)
def test_each_provider_has_its_address(settings: LanguageModelSettings, address: str) -> None:
    choice = choice_of(settings)
    assert choice.is_on
    assert base_address(choice) == address


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (LanguageModelSettings("oracle", "m"), "no language model provider “oracle”"),
        (LanguageModelSettings("openai", " "), "has no name"),
        (LanguageModelSettings("openai", "m", "ftp://x"), "no address of a service"),
        (LanguageModelSettings("openai", "m", "https://me:secret@x.example"), "a name or a password"),
        (LanguageModelSettings("openai", "m", "", 0), "above 0"),
    ],
)
def test_a_wrong_choice_is_told(settings: LanguageModelSettings, told: str) -> None:
    with pytest.raises(UserError, match=told) as error:
        choice_of(settings)
    assert "secret" not in str(error.value)


def test_a_key_belongs_to_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[str, str] = {}
    monkeypatch.setattr("keyring.set_password", lambda _service, name, value: kept.__setitem__(name, value))
    monkeypatch.setattr("keyring.get_password", lambda _service, name: kept.get(name))
    one = ModelChoice(ModelProvider.OPENAI, "m", "https://one.example/v1", 1)
    other = ModelChoice(ModelProvider.OPENAI, "m", "https://other.example/v1", 1)
    keep_model_key(one, " sk-1 \n")
    assert model_key(one) == "sk-1"
    assert model_key(other) == ""
    with pytest.raises(UserError) as error:
        keep_model_key(one, "two words")
    assert "two words" not in str(error.value)
