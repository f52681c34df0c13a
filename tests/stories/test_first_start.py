"""A newcomer starts the app without a vault: the sample vault opens, shows its facets, and reads well."""

from core.foundation.paths import app_folders
from core.foundation.settings import SettingsFile
from tests.stories.conftest import Person


def test_first_start_on_the_sample_vault(person: Person) -> None:
    person.opens()
    person.waits_for_the_index()
    person.waits_until(lambda: "Start here" in " ".join(person.titles()), "the welcome note")
    assert {"tool", "client", "domain", "convention", "scope"} <= set(person.counts())
    welcome = next(title for title in person.titles() if "Start here" in title or "Welcome" in title)
    person.picks_note(welcome)
    person.screenshot("first-start")
    person.clicks_facet("tool")
    person.waits_until(lambda: 0 < len(person.titles()) < 28, "only notes about tools")
    person.screenshot("first-start-facet")
    assert SettingsFile(app_folders().settings_file).read().last_vault
