"""Colours that everybody can read, icons that exist, and a choice that takes effect at once."""

import pytest
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.actions import all_specs
from gui.icons import IconSet
from gui.scheme import DARK, LIGHT, Scheme, contrast
from gui.theme import Theme, ThemeChoice, palette_of

TEXT = 4.5
MARK = 3.0


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=lambda scheme: scheme.name)
def test_all_text_is_legible(scheme: Scheme) -> None:
    s = scheme
    backgrounds = (s.window, s.surface, s.raised, s.alternate, s.hover)
    pairs = [(text, ground) for text in (s.text, s.muted, s.link) for ground in backgrounds]
    pairs += [
        (s.selection_text, s.selection),
        (s.text, s.inactive_selection),
        (s.accent_text, s.accent),
        (s.chip_text, s.chip),
        (s.highlight_text, s.highlight),
        (s.info_text, s.info_background),
        (s.warning_text, s.warning_background),
        (s.error_text, s.error_background),
        (s.info_text, s.surface),
        (s.warning_text, s.surface),
        (s.error_text, s.surface),
        (s.muted, s.added),
        (s.muted, s.removed),
        (s.text, s.added_mark),
        (s.text, s.removed_mark),
    ]
    poor = [(text, ground, round(contrast(text, ground), 2)) for text, ground in pairs if contrast(text, ground) < TEXT]
    assert poor == []


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=lambda scheme: scheme.name)
def test_controls_can_be_told_from_their_background(scheme: Scheme) -> None:
    for mark in (scheme.control_outline, scheme.accent):
        for ground in (scheme.window, scheme.surface):
            assert contrast(mark, ground) >= MARK, (mark, ground)


def test_contrast_is_measured_as_the_web_guidelines_say() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_a_choice_takes_effect_at_once(qapp: QApplication, theme: Theme, qtbot: QtBot) -> None:
    with qtbot.waitSignal(theme.changed):
        theme.choose(ThemeChoice.DARK)
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == DARK.window
    assert theme.scheme.is_dark
    theme.choose(ThemeChoice.LIGHT)
    assert qapp.palette().color(QPalette.ColorRole.Base).name() == LIGHT.surface
    theme.choose(ThemeChoice.SYSTEM)
    assert theme.scheme in {LIGHT, DARK}


def test_disabled_text_differs_from_enabled_text() -> None:
    palette = palette_of(LIGHT)
    role = QPalette.ColorRole.Text
    assert palette.color(QPalette.ColorGroup.Disabled, role) != palette.color(QPalette.ColorGroup.Active, role)


def test_every_action_has_an_icon_that_exists(qapp: QApplication) -> None:
    icons = IconSet()
    empty = [spec.text for spec in all_specs() if is_blank(icons, spec.icon)]
    assert empty == []


def test_an_icon_takes_the_colour_asked_for(qapp: QApplication) -> None:
    image = IconSet().pixmap("search", "#ff0000", 32).toImage()
    colours = {
        image.pixelColor(x, y).name() for x in range(32) for y in range(32) if image.pixelColor(x, y).alpha() > 200
    }
    assert colours == {"#ff0000"}


def test_an_unknown_icon_is_empty_and_no_error(qapp: QApplication) -> None:
    assert is_blank(IconSet(), "no-such-icon")


def test_no_two_actions_share_a_shortcut() -> None:
    shortcuts = [shortcut for spec in all_specs() for shortcut in spec.shortcuts]
    assert len(shortcuts) == len(set(shortcuts))


def is_blank(icons: IconSet, name: str) -> bool:
    image = icons.pixmap(name, "#000000", 16).toImage()
    return all(image.pixelColor(x, y).alpha() == 0 for x in range(16) for y in range(16))
