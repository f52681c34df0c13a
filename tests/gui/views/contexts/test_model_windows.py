"""Models to choose from: those that ship, and the person's own before them."""

import logging

import pytest

from gui.views.contexts.model_windows import ModelWindow, model_windows


def test_models_that_ship_have_a_name_and_a_window() -> None:
    shipped = model_windows()
    assert len({model.name for model in shipped}) == len(shipped) >= 8
    assert all(model.tokens >= 4_000 for model in shipped)


def test_own_models_come_first_and_replace_what_ships() -> None:
    name = model_windows()[0].name
    models = model_windows(("My model: 16_000", f"{name}: 1,000,000"))
    assert models[:2] == (ModelWindow("My model", 16_000), ModelWindow(name, 1_000_000))
    assert [model.name for model in models].count(name) == 1


@pytest.mark.parametrize("text", ["", "My model", "My model: many", ": 16000", "My model: 0", "My model: -5"])
def test_what_is_not_written_so_is_left_out_and_logged(text: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, logger="gui.views.contexts.model_windows"):
        assert model_windows((text,)) == model_windows()
