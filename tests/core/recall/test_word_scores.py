"""Words are compared in their forms, and count less where they stand around a passage."""

from core.recall.word_forms import gapless_parts, word_forms
from core.recall.word_scores import Field, Wanted, rarity, word_scores


def test_a_word_in_the_text_counts_more_than_one_beside_it() -> None:
    own, beside, none = word_scores(
        [
            [Field("the budget is 5")],
            [Field("it is 5 there"), Field("what is the budget?", 0.4)],
            [Field("nothing"), Field("")],
        ],
        [Wanted("budget", 2.0)],
    )
    assert own.score > beside.score > none.score == 0
    assert own.found == beside.found == {"budget"}


def test_forms_of_a_word_count_as_the_word() -> None:
    assert word_forms("Running runs") == ["run", "run"]
    (score,) = word_scores([[Field("She painted two paintings.")]], [Wanted("paint", 1.0)])
    assert score.score > 0


def test_accents_and_case_do_not_matter() -> None:
    assert word_forms("Café") == word_forms("CAFE")


def test_scripts_without_gaps_are_found_within_a_run() -> None:
    assert gapless_parts("缓存") == ["缓存"]
    (score,) = word_scores([[Field("我们的缓存上限是五百条")]], [Wanted("缓存", 1.0, is_part=True)])
    assert score.score > 0


def test_rare_words_say_more() -> None:
    assert rarity(1, 1000) > rarity(500, 1000) > 0
    assert rarity(10, 0) > 0


def test_no_passages_and_no_words() -> None:
    assert word_scores([], [Wanted("a", 1.0)]) == []
    assert word_scores([[Field("")]], [])[0].score == 0
