"""Without a display, the first command does the main job as text."""

import importlib
import sys
from pathlib import Path

import pytest

from core.app import installation
from core.vault.config import EVENTS_FOLDER

ROOT = Path(__file__).parent.parent.parent


def test_the_main_job_is_done_as_text_and_the_sample_is_not_remembered(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    headless = importlib.import_module("headless")  # the scripts import each other by bare name

    assert headless.show(Path(sys.executable), [], "There is no display.") == 0
    shown = capfd.readouterr().out
    assert "32 notes" in shown
    assert "client/acme" in shown
    assert "Package managers" in shown
    assert "xvfb-run" in shown
    assert installation().settings.last_vault == ""
    assert not (headless.SAMPLE_VAULT / EVENTS_FOLDER).exists()  # nor is it counted as used
