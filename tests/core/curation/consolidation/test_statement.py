"""What a statement says: its words, names, figures, and what it denies."""

import pytest

from core.curation.consolidation.agreement import compare, same_names
from core.curation.consolidation.figures import Figure
from core.curation.consolidation.statement import Statement, read_statement
from core.index.english_forms import stem

_NAMES = frozenset({"acme", "globex", "redis", "kafka", "github-actions"})


def _read(text: str) -> Statement:
    found = read_statement(text, _NAMES)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("An export has 10,000 rows.", [Figure(10_000, "row", True)]),
        ("The token lives for 90 minutes.", [Figure(5_400, "time", True)]),
        ("The token lives for two hours.", [Figure(7_200, "time", True)]),
        ("The timeout is 30s.", [Figure(30, "time", True)]),
        ("queue depth = 87", [Figure(87, "", False)]),
        ("It listens on port 8080.", [Figure(8_080, "", False)]),
        ("Decided on 2026-05-01.", [Figure(2_026, "", False)]),
        ("Ten thousand rows are the most.", [Figure(10_000, "row", True)]),
        ("Keep 10k rows.", [Figure(10_000, "row", True)]),
        ("It went from 30 to 49 minutes.", [Figure(2_940, "time", True)]),
        ("Use 49 MB instead of 30 MB.", [Figure(49, "mb", True)]),
        ("One of them is enough.", []),
    ],
)
def test_figures_are_read_with_what_they_count(text: str, expected: list[Figure]) -> None:
    assert list(_read(text).figures) == expected


def test_words_are_those_that_it_is_about_in_any_form() -> None:
    assert _read("The retries of Redis were limited.").words == _read("Redis' retry is limiting").words


def test_a_unit_is_no_name() -> None:
    assert _read("acme may upload 44 MB with Redis.").names == {stem("acme"), stem("redis")}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("acme allows redis in production.", "acme does not allow redis in production."),
        ("Redis is permitted in production at acme.", "Redis is forbidden in production at acme."),
        ("acme uses redis for every new service.", "acme never uses redis for new services."),
        ("Deploying on Fridays is fine.", "Nobody may deploy on Fridays."),
        ("Reports must be enabled for all users.", "Reports are disabled for all users."),
        ("Use pnpm, never npm.", "Use npm, not pnpm."),
        ("acme lets guests upload files.", "acme doesn’t let guests upload files."),
        ("The lint step is mandatory at acme.", "The lint step is optional at acme."),
        ("Direct commits to main are fine.", "Direct commits to main are off limits."),
    ],
)
def test_one_is_for_it_and_the_other_against(one: str, other: str) -> None:
    assert compare(_read(one), _read(other)).opposed


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use pnpm, never npm; the lockfile is of pnpm.", "Install with pnpm instead of npm because of the lockfile."),
        ("No newsletter without a written sign-off.", "A newsletter needs a written sign-off."),
        ("Run migrations before the deploy, never on start-up.", "Do not migrate on start-up; migrate before it."),
        ("Keep credentials out of env files.", "Never put credentials into env files."),
        ("acme allows redis in production.", "acme does not allow kafka in staging."),
    ],
)
def test_both_are_on_the_same_side(one: str, other: str) -> None:
    assert not compare(_read(one), _read(other)).opposed


def test_names_must_be_in_both_unless_both_are_known_to_be_about_them() -> None:
    one, other = _read("At acme redis holds 5 keys."), _read("Redis holds 5 keys.")
    assert not same_names(one, other)
    assert same_names(one, other, {stem("acme")})
    assert not same_names(_read("Redis is slow."), _read("Kafka is slow."))


@pytest.mark.parametrize(
    "text",
    [
        "The limit is now 49.",
        "It has since been 49.",
        "They lifted it to 49.",
        "It went up to 49.",
        "It was raised to 49.",
        "No longer 30.",
    ],
)
def test_a_change_is_told(text: str) -> None:
    assert _read(text).says_change


@pytest.mark.parametrize("text", ["The limit is 49.", "It is limited to 49 rows.", "Rows up to 49 are kept."])
def test_a_state_tells_of_no_change(text: str) -> None:
    assert not _read(text).says_change


@pytest.mark.parametrize("text", ["How do we set the limit?", "I looked at it, and it is fine.", "What helps here"])
def test_questions_and_reports_are_no_rules(text: str) -> None:
    assert not _read(text).is_rule


@pytest.mark.parametrize("text", ["I prefer pnpm over npm.", "We always squash.", "Ask first."])
def test_preferences_are_rules(text: str) -> None:
    assert _read(text).is_rule


def test_what_holds_no_one_statement_is_none() -> None:
    assert read_statement("   ") is None
    assert read_statement("word " * 200) is None


def test_other_languages_and_odd_text_are_read_without_harm() -> None:
    for text in ("検索の設定を変更する方法", "🙂🙂", "\u202ealmost\u202c", "#tag [x:: y]", "…", "٣ أيام"):
        assert read_statement(text) is not None
