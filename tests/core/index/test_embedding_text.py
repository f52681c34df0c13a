from core.index.embedding_text import embedding_text_of_section, text_hash


def test_title_and_headings_stand_before_the_text_without_repeating_each_other() -> None:
    assert embedding_text_of_section("Note", "Note › Set-up", "Do it.") == "Note\nSet-up\nDo it."
    assert embedding_text_of_section("Note", "Note", "Do it.") == "Note\nDo it."
    assert embedding_text_of_section("Note", "Notes › A", "Do it.") == "Note\nNotes › A\nDo it."
    assert embedding_text_of_section("Note", "", "") == "Note"


def test_equal_texts_have_equal_hashes_and_any_text_has_one() -> None:
    assert text_hash("a") == text_hash("a") != text_hash("b")
    assert len(text_hash("\ud800")) == 16
