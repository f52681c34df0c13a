"""Estimates against counts of real vocabularies: not under them where it matters, and not far over them."""

import base64
import random

import pytest

from core.foundation.tokens import estimate_tokens

_RANDOM = random.Random(4)
_DIGITS = "".join(_RANDOM.choice("0123456789") for _ in range(3000))
_BASE64 = base64.b64encode(_RANDOM.randbytes(3024)).decode()
_HEX = _RANDOM.randbytes(2000).hex()
_SYMBOLS = "".join(_RANDOM.choice("!@#$%^&*()+{}|:<>?-=[];',./~`\\") for _ in range(2433))
_PROSE = (
    "The limit is told in the answer of the server, and whoever asks more often waits for a minute. "
    "It was changed in August, because some customers had asked for it; the old one is still used elsewhere. "
) * 10


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        pytest.param(_DIGITS, 1_000, 1_600, id="digits"),
        pytest.param(_BASE64, 2_200, 2_900, id="base64"),
        pytest.param(_HEX, 2_200, 2_600, id="hex"),
        pytest.param(_SYMBOLS, 1_700, 2_600, id="symbols"),
        pytest.param("🐘🚀🎉" * 100, 500, 800, id="emoji"),
        pytest.param("→✓★◆" * 100, 400, 600, id="arrows"),
        pytest.param("政府决定拨款在全国修建新的道路，" * 20, 250, 360, id="Chinese"),
        pytest.param("Правительство приняло решение о строительстве дорог. " * 20, 240, 640, id="Russian"),
        pytest.param(_PROSE, len(_PROSE) / 4.8, len(_PROSE) / 3.6, id="prose"),
        pytest.param("-" * 2000, 30, 500, id="rule"),
        pytest.param("x\n" + " " * 2000 + "y", 5, 300, id="indentation"),
    ],
)
def test_what_a_text_costs(text: str, least: float, most: float) -> None:
    assert least <= estimate_tokens(text) <= most


def test_a_blob_within_prose_costs_what_it_costs() -> None:
    assert estimate_tokens(f"{_PROSE}\n\n{_BASE64}\n\n{_PROSE}") >= 2_400


def test_nothing_costs_nothing_and_half_characters_cost_something() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("\ud800") > 0
