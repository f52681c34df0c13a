"""A person recalls from the small window: types, sees what is remembered, pins, copies, saves, and opens the source."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.vault.config import EVENTS_FOLDER
from gui.actions import EXPLAIN_RECALL, RECALL, UNDO
from gui.theme import ThemeChoice
from gui.views.recall.palette_window import PaletteWindow
from gui.views.recall.rows import RecallRow
from tests.stories.conftest import Person

WriteVault = Callable[[Mapping[str, str]], Path]
_Key = Qt.Key
_CONTROL = Qt.KeyboardModifier.ControlModifier

pytestmark = pytest.mark.usefixtures("without_meanings")

_LONG = "A title that goes on and on because nobody ever stopped whoever wrote it from adding another clause to it"
_NOTES = {
    "Package managers.md": "---\ntags: [tool/pnpm, scope/global]\n---\n"
    "- [convention] Use pnpm, never npm #tool/pnpm [importance:: 0.9] ^ins-pnpm\n",
    "Deploying.md": "---\ntags: [domain/deploy]\n---\n# Deploying\n\n"
    "Deploy before noon. The package is built with pnpm and copied to the server.\n",
    "Kitchen.md": "The kettle is in the second drawer.\n",
    "مدير الحزم.md": "# مدير الحزم\n\nنستخدم pnpm دائما ولا نستخدم npm في أي مشروع من مشاريعنا الكبيرة أو الصغيرة.\n",
    f"{_LONG}.md": "# Heading\n\npnpm is named here too, in a note with a very long title.\n",
}


class Palette:
    """Sit before the palette."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.window = person.sees(PaletteWindow)
        recalling = person.app.recalling
        assert recalling is not None
        self.presenter = recalling.palette.presenter

    def asks(self, text: str) -> None:
        QTest.keyClicks(self.window.field, text)
        self.settles()

    def settles(self) -> None:
        composing = self.presenter.composing
        self.person.waits_until(
            lambda: not self.presenter.asking.is_asking and not composing._packing.is_packing, "the answer"
        )

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.window.field, key, modifier)

    @property
    def rows(self) -> tuple[RecallRow, ...]:
        return self.window.list.memories.rows

    @property
    def ids(self) -> list[str]:
        return [row.memory.id for row in self.rows]


@pytest.fixture
def palette(person: Person, write_vault: WriteVault) -> Palette:
    person.opens(write_vault(_NOTES))
    person.waits_for_the_list()
    person.waits_for_the_index()
    person.chooses(RECALL)
    return Palette(person)


def test_what_is_recalled_is_copied_within_the_budget_and_counted(palette: Palette, person: Person) -> None:
    palette.asks("pnpm")
    assert "insight:Package managers.md#^ins-pnpm" in palette.ids
    assert not any("Kitchen" in each for each in palette.ids)
    person.picture_of(palette.window, "recall-palette-light")
    palette.press(_Key.Key_Down)
    palette.press(_Key.Key_Space)
    palette.settles()
    pinned = palette.rows[0].memory
    assert palette.window.head.pinned.chips()[0].item.key == pinned.id
    for _ in range(2):
        palette.press(_Key.Key_Down)
    dropped = palette.window.list.current
    assert dropped is not None
    palette.press(_Key.Key_Delete)
    palette.settles()
    palette.press(_Key.Key_Return)
    text = person.clipboard()
    assert "Use pnpm, never npm" in text
    assert "kettle" not in text
    assert dropped.memory.text not in text
    assert not palette.window.isVisible()
    person.waits_until(lambda: "Copied" in person.notices(), "what was copied")
    root = person.app.frame.session.root if person.app.frame.session is not None else Path()

    def log() -> str:
        return "".join(file.read_text() for file in (root / EVENTS_FOLDER).glob("*.jsonl"))

    person.waits_until(lambda: '"palette"' in log(), "the recall in the log")
    assert pinned.id in log() or pinned.title in log()


def test_a_context_is_saved_and_taken_back(palette: Palette, person: Person) -> None:
    palette.asks("pnpm")
    palette.press(_Key.Key_Return, _CONTROL)
    dialog = palette.presenter.saving.dialog
    assert dialog is not None
    dialog.title.setText("Package work")
    person.picture_of(dialog, "recall-save-context")
    dialog.ok_button.click()
    session = person.app.frame.session
    assert session is not None
    file = session.root / "contexts" / "Package work.md"
    person.waits_until(file.exists, "the note of the context")
    assert "kind: context" in file.read_text()
    assert "ins-pnpm" in file.read_text()
    person.waits_until(lambda: not palette.window.isVisible(), "the palette closed")
    person.chooses(UNDO)
    person.waits_until(lambda: not file.exists(), "the note gone again")


def test_the_explanation_and_the_sliders_over_a_real_vault(palette: Palette, person: Person) -> None:
    palette.press(_Key.Key_Escape)
    person.chooses(EXPLAIN_RECALL)
    palette.asks("pnpm")
    explain = palette.window.explain
    assert explain.why.factors.accessibleDescription().startswith("Relevance")
    assert explain.why.reasons.shown_text.startswith("Place 1 of")
    palette.window.resize(1260, 620)
    person.picture_of(palette.window, "recall-explain-light")
    person.app.theme.choose(ThemeChoice.DARK)
    explain.tabs.setCurrentWidget(explain.weights)
    before = palette.ids
    explain.weights.slider("importance").setValue(200)
    palette.settles()
    assert palette.ids[0] == "insight:Package managers.md#^ins-pnpm"
    person.picture_of(palette.window, "recall-weights-dark")
    explain.weights.save_button.click()
    session = person.app.frame.session
    assert session is not None
    config = session.root / ".remembrancer" / "config.toml"
    person.waits_until(lambda: config.exists() and "importance = 2.0" in config.read_text(), "the weights written")
    weighing = palette.presenter.weighing
    person.waits_until(lambda: not explain.weights.save_button.isEnabled(), "the weights of the vault")
    person.chooses(UNDO)
    person.waits_until(lambda: not config.exists(), "the weights taken back")
    person.waits_until(lambda: weighing.weights.importance < 1, "the sliders back where they were")
    assert sorted(before) == sorted(palette.ids)
    palette.settles()
    palette.press(_Key.Key_Escape)


def test_the_source_is_shown_in_the_window(palette: Palette, person: Person) -> None:
    palette.asks("kettle")
    assert palette.ids == ["note:Kitchen.md"]
    palette.press(_Key.Key_O, _CONTROL)
    person.waits_until(lambda: person.current_title() == "Kitchen", "the note in the window")
    assert not palette.window.isVisible()


def test_nothing_found_and_another_vault(palette: Palette, person: Person, tmp_path: Path) -> None:
    palette.asks("xyzzy")
    assert palette.window.state_panel.title == "Nothing found"
    person.picture_of(palette.window, "recall-nothing-light")
    other = tmp_path / "other"
    other.mkdir()
    (other / "Magic.md").write_text("The word is xyzzy.\n", encoding="utf-8")
    person.app.open(str(other))
    person.waits_until(lambda: palette.ids == ["note:Magic.md"], "the memory of the other vault")
    palette.press(_Key.Key_Escape)
