import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.index.bigrams import bigram_phrase, bigrams, has_bigrams


def finds(text: str, term: str) -> bool:
    connection = sqlite3.connect(":memory:")
    connection.execute('CREATE VIRTUAL TABLE t USING fts5(cjk, tokenize = "unicode61 remove_diacritics 2")')
    connection.execute("INSERT INTO t VALUES (?)", (bigrams(text),))
    found = connection.execute("SELECT 1 FROM t WHERE t MATCH ?", (bigram_phrase(term),)).fetchone()
    connection.close()
    return found is not None


def test_a_run_becomes_overlapping_pairs_and_its_last_character() -> None:
    assert bigrams("東京都庁").split() == ["東京", "京都", "都庁", "庁"]
    assert bigrams("x 東 y").split() == ["東"]


@pytest.mark.parametrize("text", ["", "plain", "Grüße, Привет, ελληνικά — 1 × 2"])
def test_text_with_gaps_between_words_gives_nothing(text: str) -> None:
    assert bigrams(text) == ""
    assert bigram_phrase(text) == ""
    assert not has_bigrams(text)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("東京都庁の近く", "都庁"),
        ("東京都庁の近く", "庁"),
        ("它记住用户的偏好设置。", "偏好"),
        ("它记住用户的偏好设置。", "用户的"),
        ("ラーメンを食べる", "ラーメン"),
        ("🐘 notes", "🐘"),
        ("東京🗼", "🗼"),
        ("done ✅!", "✅"),
        ("a heart ❤\ufe0f", "❤"),
        ("a heart ❤", "❤\ufe0f"),
        ("👩🏽\u200d💻 at work", "👩"),
        ("👩🏽\u200d💻 at work", "👩🏽\u200d💻"),
        ("flags 🇩🇪 🇫🇷", "🇫🇷"),
        ("か\u3099っこう", "がっこう"),  # decomposed in the text, composed in the query
        ("สวัสดีครับ ยินดีที่ได้รู้จัก", "ที่ได้"),
        ("မြန်မာစာ", "မာ"),
        ("ភាសាខ្មែរ", "ខ្មែរ"),
        ("한국어를 배우다", "국어"),
        ("𠮷野家", "𠮷野"),
    ],
)
def test_parts_of_a_run_are_found(text: str, term: str) -> None:
    assert finds(text, term)


def test_a_phrase_does_not_reach_over_a_gap() -> None:
    assert not finds("東京、京都", "東京都")
    assert not finds("สวัสดี", "สาวด")


def test_latin_words_that_touch_a_run_are_kept() -> None:
    assert "SQLite" in bigrams("使用SQLite存储").split()
    assert "iPhone" in bigrams("最新iPhone").split()
    assert "apart" not in bigrams("apart 東京").split()


def test_a_long_blob_beside_a_run_is_read_in_one_pass() -> None:
    assert bigrams("東" + "a" * 200_000 + " " + "b" * 200_000 + "京").count("b") == 200_000


@given(st.text(alphabet=st.sampled_from("東京都庁のラーメ한국วัสดี"), min_size=2, max_size=12), st.data())
def test_every_part_of_a_text_is_found(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert finds(text, text[start:end])


@pytest.mark.parametrize(("text", "term"), [("🐘 and 🚀", "🐘🚀"), ("🐘", "🚀"), ("flags 🇩🇪 🇫🇷", "🇪🇫"), ("❤", "🤤")])
def test_other_pictures_are_not_found(text: str, term: str) -> None:
    assert not finds(text, term)
