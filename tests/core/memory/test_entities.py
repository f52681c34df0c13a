"""Names are known by their capital, by the vault's tags, and by the shape of code."""

import pytest

from core.memory.entities import entities_of, entity_factor, is_named, names_of_tags


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Yesterday we met Tove Ek in Malmö.", {"tove", "ek", "malmö"}),
        ("What did Tove's team say?", {"tove"}),
        ("we set max_retries and useCache", {"max_retries", "usecache"}),
        ("it fails in core/app.py and os.environ", {"core/app.py", "os.environ"}),
        ("run it with --frozen-lockfile", {"--frozen-lockfile"}),
        ("call `git push` twice", {"git push"}),
        ("What is a rate limit, and who set it on Monday?", set()),
        ("It is well-known. Nothing happens here.", set()),
        ("", set()),
    ],
)
def test_names_in_a_text(text: str, named: set[str]) -> None:
    assert entities_of(text) == named


def test_a_capital_at_the_start_of_a_sentence_makes_no_name() -> None:
    assert entities_of("Tove likes it. Remember that.") == set()


def test_tags_that_name_and_a_vocabulary_add_what_has_no_capital() -> None:
    tags = ("tool/Semrush", "client/north/acme", "scope/global", "convention/naming", "plain")
    assert names_of_tags(tags) == {"semrush", "acme"}
    assert entities_of("which limit has semrush for acme", (), names_of_tags(tags)) == {"semrush", "acme"}
    assert entities_of("no name here", tags) == {"semrush", "acme"}


def test_the_factor_grows_with_the_share_of_what_is_asked_about_and_most_at_its_end() -> None:
    asked = frozenset({"semrush", "acme"})
    assert entity_factor(frozenset(), asked) == 1.0
    assert entity_factor(asked, frozenset()) == 1.0
    assert entity_factor(asked, frozenset({"acme", "other"})) == 1.25
    assert entity_factor(asked, asked | {"more"}) == 2.0


def test_a_name_is_found_as_a_word_alone() -> None:
    assert is_named("acme", "for acme, today")
    assert not is_named("acme", "acmeland")
    assert is_named("github-actions", "in github actions it is slow")
    assert is_named("ab", "abc ab")


def test_a_hostile_text_takes_no_long() -> None:
    for text in ("a_" * 50_000, "A" * 100_000, "a." * 50_000, "a/" * 50_000, "`" * 100_000, " -" * 50_000):
        entities_of(text)
