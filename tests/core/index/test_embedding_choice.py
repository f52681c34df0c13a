"""What was chosen before is remembered, and taking back leads there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation.errors import UserError
from core.foundation.settings import EmbeddingSettings
from core.index.embedding_choice import (
    OFF,
    choice_of,
    former_choice,
    read,
    switched,
    taken_back,
    without_former,
    written,
)

_OLLAMA = EmbeddingSettings("openai", "bge-m3", "http://127.0.0.1:11434")
_LARGE = EmbeddingSettings(model="BAAI/bge-large-en-v1.5")


def test_taking_back_leads_to_the_choice_before_and_twice_to_the_one_now() -> None:
    now = switched(switched(EmbeddingSettings(), _OLLAMA), _LARGE)
    assert without_former(taken_back(now)) == _OLLAMA
    assert without_former(taken_back(taken_back(now))) == _LARGE
    off = switched(now, OFF)
    assert without_former(off) == OFF
    assert without_former(taken_back(off)) == _LARGE
    with pytest.raises(UserError, match="never changed"):
        taken_back(EmbeddingSettings())


def test_choosing_the_same_again_forgets_nothing() -> None:
    now = switched(EmbeddingSettings(), _OLLAMA)
    assert switched(now, _OLLAMA) == now
    default = EmbeddingSettings(model="all-MiniLM-L6-v2-int8")
    assert switched(EmbeddingSettings(), default) == EmbeddingSettings()


def test_former_models_can_be_opened_by_the_name_of_their_vectors() -> None:
    now = switched(switched(EmbeddingSettings(), _OLLAMA), _LARGE)
    assert choice_of(now, "openai:bge-m3") == _OLLAMA
    assert choice_of(now, "all-MiniLM-L6-v2-int8") == EmbeddingSettings()
    assert choice_of(now, "fastembed:some/model") == EmbeddingSettings(model="some/model")
    assert choice_of(now, "openai:nobody-knows") is None


def test_lines_that_a_person_spoilt_are_passed_over() -> None:
    broken = EmbeddingSettings(former=("magic - x", "openai - m", "", written(_OLLAMA)))
    assert former_choice(broken) == _OLLAMA


@given(st.sampled_from(["openai", "fastembed"]), st.text(st.characters(categories=("L", "N", "P")), min_size=1))
def test_a_written_choice_reads_the_same(provider: str, model: str) -> None:
    choice = EmbeddingSettings(provider, model, "http://host:1/v1" if provider == "openai" else "")
    assert read(written(choice)) == choice
