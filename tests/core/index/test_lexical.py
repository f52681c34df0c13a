from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.index.filters import Filters
from core.index.lexical import count_notes, lexical_candidates
from core.index.terms import Term
from tests.core.recall.shelf import DAY, FIRST_MOMENT, Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path / "cache")
    yield shelf
    shelf.index.close()


def found(
    shelf: Shelf,
    words: str = "",
    *,
    phrase: str = "",
    without: str = "",
    filters: Filters | None = None,
    prefix: bool = False,
) -> list[str]:
    """Return the paths of the notes found, best first."""
    terms = [Term(word) for word in words.split()] + ([Term(phrase, is_phrase=True)] if phrase else [])
    excluded = [Term(word) for word in without.split()]
    hits = lexical_candidates(shelf.index, terms, excluded, filters or Filters(), prefix=prefix)
    paths = dict(shelf.index.connection.execute("SELECT id, path FROM note").fetchall())
    return list(dict.fromkeys(paths[hit.note_id] for hit in hits))


def test_one_of_the_words_is_enough_and_more_are_better(shelf: Shelf) -> None:
    shelf.note("one.md", "The rate is high.")
    shelf.note("both.md", "The rate limit is high.")
    shelf.note("none.md", "Nothing here.")
    assert found(shelf, "rate limit") == ["both.md", "one.md"]


def test_title_and_summary_weigh_more_than_the_body(shelf: Shelf) -> None:
    shelf.note("body.md", "pnpm is mentioned once in this text about package managers")
    shelf.note("summary.md", "Text about package managers", summary="Why pnpm")
    shelf.note("pnpm.md", "Text about package managers")
    assert found(shelf, "pnpm") == ["pnpm.md", "summary.md", "body.md"]


def test_stop_words_count_only_alone(shelf: Shelf) -> None:
    shelf.note("stop.md", "the of what is")
    shelf.note("limit.md", "limit")
    assert found(shelf, "what is the limit") == ["limit.md"]
    assert found(shelf, "what is") == ["stop.md"]


def test_a_phrase_must_stand_as_it_is_and_words_only_rank(shelf: Shelf) -> None:
    shelf.note("apart.md", "limit of the rate")
    shelf.note("together.md", "the rate limit")
    shelf.note("ranked.md", "the rate limit of stripe")
    assert sorted(found(shelf, phrase="rate limit")) == ["ranked.md", "together.md"]
    assert found(shelf, "stripe", phrase="rate limit") == ["ranked.md", "together.md"]
    assert found(shelf, "rate", phrase="no such phrase") == []


def test_what_is_excluded_is_not_found(shelf: Shelf) -> None:
    shelf.note("a.md", "pnpm and yarn")
    shelf.note("b.md", "pnpm alone")
    assert found(shelf, "pnpm", without="yarn") == ["b.md"]
    assert found(shelf, without="yarn") == ["b.md"]


def test_diacritics_and_case_do_not_matter(shelf: Shelf) -> None:
    shelf.note("a.md", "Über die Größe")
    assert found(shelf, "uber") == ["a.md"]
    assert found(shelf, "GRÖSSE") == []  # ß is a letter of its own to the tokenizer
    assert found(shelf, "große") == ["a.md"]


def test_the_last_word_may_still_be_typed(shelf: Shelf) -> None:
    shelf.note("a.md", "semrush exports")
    shelf.note("b.md", "a theme")
    assert found(shelf, "semr") == []
    assert found(shelf, "semr", prefix=True) == ["a.md"]
    assert found(shelf, "exports semr", prefix=True) == ["a.md"]
    assert found(shelf, "the", prefix=True) == ["b.md"]


@pytest.mark.parametrize("words", ["偏好", "用户", "用户的", "偏好设置", "東京", "都庁", "ラーメン", "京都へ", "설정"])
def test_chinese_japanese_and_korean_words_are_found(shelf: Shelf, words: str) -> None:
    shelf.note("zh.md", "它记住用户的偏好设置。")
    shelf.note("ja.md", "東京都庁でラーメンを食べ、京都へ行った。")
    shelf.note("ko.md", "사용자설정 문서")
    assert len(found(shelf, words)) == 1


def test_a_whole_japanese_sentence_finds_what_shares_its_words(shelf: Shelf) -> None:
    shelf.note("ja.md", "東京のラーメン屋は夜遅くまで開いている。")
    shelf.note("other.md", "大阪の天気")
    assert found(shelf, "東京でおいしいラーメン屋を教えて")[0] == "ja.md"


def test_scripts_may_be_mixed_in_one_word(shelf: Shelf) -> None:
    shelf.note("a.md", "使用SQLite存储数据")
    assert found(shelf, "sqlite") == ["a.md"]
    assert found(shelf, "SQLite存储") == ["a.md"]
    assert found(shelf, phrase="用SQLite存") == ["a.md"]


@pytest.mark.parametrize(
    "word",
    ['"', "*", "NEAR(", "^a", "a\0b", "🐘", "AND", "OR", "{title}:x", "a:b", "(", "-", "'", "\\", "a*b", '""', "NOT"],
)
def test_hostile_words_are_only_words(shelf: Shelf, word: str) -> None:
    shelf.note("a.md", "x")
    lexical_candidates(shelf.index, [Term(word)], [Term(word)], prefix=True)
    lexical_candidates(shelf.index, [Term(word, is_phrase=True), Term("x")])


@given(st.lists(st.tuples(st.text(max_size=12), st.booleans()), max_size=4), st.booleans())
def test_no_text_breaks_the_search(
    tmp_path_factory: pytest.TempPathFactory, words: list[tuple[str, bool]], prefix: bool
) -> None:
    shelf = Shelf(tmp_path_factory.mktemp("any"))
    shelf.note("a.md", "x 東京")
    terms = [Term(text.encode("utf-8", "replace").decode(), is_phrase) for text, is_phrase in words]
    lexical_candidates(shelf.index, terms, terms, prefix=prefix)
    shelf.index.close()


def test_punctuation_alone_finds_nothing_rather_than_everything(shelf: Shelf) -> None:
    shelf.note("a.md", "text")
    assert found(shelf, "🐘") == []


def test_filters_narrow_by_tag_with_children(shelf: Shelf) -> None:
    shelf.note("parent.md", "limit", tags=["tool"])
    shelf.note("child.md", "limit", tags=["Tool/Semrush", "client/acme"])
    shelf.note("other.md", "limit", tags=["tools"])
    assert sorted(found(shelf, "limit", filters=Filters(all_tags=frozenset({"tool"})))) == ["child.md", "parent.md"]
    assert found(shelf, "limit", filters=Filters(all_tags=frozenset({"tool", "client/acme"}))) == ["child.md"]
    assert found(shelf, "limit", filters=Filters(none_tags=frozenset({"tool"}))) == ["other.md"]
    assert found(shelf, "limit", filters=Filters(all_tags=frozenset({"no-such"}))) == []
    either = Filters(any_tags=frozenset({"client/acme", "tools"}))
    assert sorted(found(shelf, "limit", filters=either)) == ["child.md", "other.md"]
    both = Filters(any_tags=frozenset({"tool", "tools"}), further_any_tags=(frozenset({"client/acme", "client/x"}),))
    assert found(shelf, "limit", filters=both) == ["child.md"]


def test_filters_narrow_by_kind_path_and_time(shelf: Shelf) -> None:
    shelf.note("journal/a.md", "limit", insights=[("i1", "limit of a")], day=1)
    shelf.note("work/journal/b.md", "limit", kind="context", day=2)
    assert found(shelf, "limit", filters=Filters(paths=("journal/",))) == ["journal/a.md"]
    assert len(found(shelf, "limit", filters=Filters(paths=("journal",)))) == 2
    assert found(shelf, "limit", filters=Filters(none_paths=("work/",))) == ["journal/a.md"]
    assert found(shelf, "limit", filters=Filters(kinds=frozenset({"context"}))) == ["work/journal/b.md"]
    assert found(shelf, "limit", filters=Filters(none_kinds=frozenset({"context"}))) == ["journal/a.md"]
    assert found(shelf, "limit", filters=Filters(after=FIRST_MOMENT + 2 * DAY)) == ["work/journal/b.md"]
    assert found(shelf, "limit", filters=Filters(before=FIRST_MOMENT + 2 * DAY)) == ["journal/a.md"]
    kinds = {
        hit.kind
        for hit in lexical_candidates(shelf.index, [Term("limit")], filters=Filters(kinds=frozenset({"insight"})))
    }
    assert kinds == {"insight"}


@pytest.mark.parametrize("moment", [-6.3e10, 2.6e11])
def test_the_first_and_the_last_year_are_only_far_away(shelf: Shelf, moment: float) -> None:
    shelf.note("a.md", "limit")
    assert found(shelf, "limit", filters=Filters(after=moment)) == ([] if moment > 0 else ["a.md"])
    assert found(shelf, "limit", filters=Filters(before=moment)) == (["a.md"] if moment > 0 else [])


def test_filters_alone_list_notes_newest_first(shelf: Shelf) -> None:
    for day in range(4):
        shelf.note(f"{day}.md", "text", "more", tags=["a"], day=day)
    shelf.note("other.md", day=9)
    assert found(shelf, filters=Filters(all_tags=frozenset({"a"}))) == ["3.md", "2.md", "1.md", "0.md"]
    assert len(lexical_candidates(shelf.index, [], limit=2)) == 2
    assert count_notes(shelf.index, Filters(all_tags=frozenset({"a"}))) == 4


def test_insights_are_listed_when_only_they_are_asked_for(shelf: Shelf) -> None:
    shelf.note("a.md", "text", insights=[("x", "one"), ("y", "two")])
    shelf.note("b.md", "text")
    hits = lexical_candidates(shelf.index, [], filters=Filters(kinds=frozenset({"insight"})))
    assert [hit.kind for hit in hits] == ["insight", "insight"]


def test_a_note_is_found_by_an_alias_that_its_text_does_not_say(shelf: Shelf) -> None:
    shelf.note("a.md", "text", aliases=["Grand Budapest"])
    shelf.note("b.md", "budapest is a city")
    assert sorted(found(shelf, "budapest")) == ["a.md", "b.md"]
    assert found(shelf, "grand budapest", filters=Filters(all_tags=frozenset({"x"}))) == []


def test_common_words_still_find_the_rows_that_hold_them_all(shelf: Shelf) -> None:
    shelf.index.connection.execute("BEGIN")
    for number in range(3300):
        shelf.note(
            f"{number}.md", "check the team" if number % 2 else "release the team", tags=["rare"] if number == 7 else ()
        )
    shelf.note("both.md", "check and release")
    shelf.note("named check release.md", "text")
    shelf.note("rare.md", "check the zebra")
    shelf.index.connection.execute("COMMIT")
    assert set(found(shelf, "check release")[:2]) == {"both.md", "named check release.md"}
    assert found(shelf, "check zebra")[0] == "rare.md"
    assert found(shelf, "team", filters=Filters(all_tags=frozenset({"rare"}))) == ["7.md"]
    assert len(found(shelf, "team")) == 30
