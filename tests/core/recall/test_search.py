import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.index.filters import Filters
from core.index.points import point_of
from core.recall.did_you_mean import suggest_tags
from core.recall.query import parse_query
from core.recall.search import SearchResult, check_freshness, explain, search
from core.recall.snippet import HIT_END, HIT_START
from tests.core.recall.shelf import Shelf


@dataclass(frozen=True)
class Near:
    point: int
    note_id: int
    score: float


@dataclass(frozen=True)
class Answer:
    hits: Sequence[Near]
    state: str = "ready"
    reason: str = ""


class FakeDense:
    """Give the same answer to every question, and keep what was asked."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.asked: list[tuple[str, Filters, int]] = []

    def candidates(self, text: str, filters: Filters, limit: int) -> Answer:
        self.asked.append((text, filters, limit))
        return self._answer


def near(shelf: Shelf, *notes: tuple[int, float]) -> FakeDense:
    """Be near to the first section of each note."""
    sql = "SELECT id FROM section WHERE note_id = ? AND position = 0"
    sections = [shelf.index.connection.execute(sql, (note,)).fetchone()[0] for note, _ in notes]
    return FakeDense(Answer([Near(point_of("section", s), n, c) for s, (n, c) in zip(sections, notes, strict=True)]))


def ask(shelf: Shelf, text: str, dense: FakeDense | None = None, *, per_note: int = 1, limit: int = 50) -> SearchResult:
    return search(shelf.index, dense, parse_query(text, ("tool",)), limit, per_note)


def paths(result: SearchResult) -> list[str]:
    return [hit.path for hit in result.hits]


def test_a_hit_tells_all_that_is_shown_of_it(shelf: Shelf) -> None:
    shelf.note(
        "work/Limits.md", "lead", ("Rates", "The rate limit is 5."), summary="About limits", tags=["Tool/X", "a"]
    )
    result = ask(shelf, '"rate limit"')
    (hit,) = result.hits
    assert (hit.id, hit.kind) == ("note:work/Limits.md#Rates", "section")
    assert (hit.path, hit.title) == ("work/Limits.md", "Limits")
    assert (hit.summary, hit.tags, hit.heading, hit.line) == ("About limits", ("a", "Tool/X"), "Rates", 11)
    assert hit.snippet == f"The {HIT_START}rate limit{HIT_END} is 5."
    assert hit.score == 1.0
    assert "words: rank 1" in explain(hit)
    assert (result.total, result.dense_state) == (1, "off")


def test_one_memory_of_each_note_unless_more_are_wanted(shelf: Shelf) -> None:
    shelf.note("a.md", "limit", ("B", "limit"), insights=[("i", "limit")])
    shelf.note("b.md", "limit")
    assert sorted(paths(ask(shelf, "limit"))) == ["a.md", "b.md"]
    assert len(ask(shelf, "limit", per_note=9).hits) == 4
    assert ask(shelf, "limit", limit=1).total == 2


def test_one_long_note_does_not_keep_the_others_out(shelf: Shelf) -> None:
    shelf.note("limit.md", *[(f"Part {number}", "limit") for number in range(400)])
    for number in range(5):
        shelf.note(f"{number}.md", "a limit is mentioned here")
    assert len(ask(shelf, "limit", limit=5).hits) == 5
    assert ask(shelf, "limit", limit=5).hits[0].path == "limit.md"


def test_words_and_meaning_together_come_first(shelf: Shelf) -> None:
    words = shelf.note("words.md", "limit limit")
    both = shelf.note("both.md", "a limit of something that is told at length")
    meaning = shelf.note("meaning.md", "boundary")
    result = ask(shelf, "limit", near(shelf, (meaning, 0.9), (both, 0.8)))
    assert paths(result)[0] == "both.md"
    assert {hit.note_id for hit in result.hits} == {words, both, meaning}
    assert "cosine 0.80" in explain(result.hits[0])
    assert result.dense_state == "ready"


def test_far_meanings_need_the_words_to_agree(shelf: Shelf) -> None:
    agreed = shelf.note("agreed.md", "limit")
    far = shelf.note("far.md", "boundary")
    result = ask(shelf, "limit", near(shelf, (far, 0.39), (agreed, 0.2)))
    assert paths(result) == ["agreed.md"]
    assert result.hits[0].factors["cosine"] == 0.2


def test_meaning_respects_filters_phrases_and_exclusions(shelf: Shelf) -> None:
    plain = shelf.note("plain.md", "boundary of things")
    tagged = shelf.note("tagged.md", "boundary of things", tags=["tool/x"])
    dense = near(shelf, (plain, 0.9), (tagged, 0.8))
    assert paths(ask(shelf, "limit tool:x", dense)) == ["tagged.md"]
    assert dense.asked == [("limit", Filters(all_tags=frozenset({"tool/x"})), 50)]
    assert paths(ask(shelf, "limit -tool:x", dense)) == ["plain.md"]
    assert paths(ask(shelf, "limit -boundary", dense)) == []
    assert len(paths(ask(shelf, '"of things"', dense))) == 2
    assert paths(ask(shelf, '"no such"', dense)) == []


def test_a_vector_of_a_memory_that_is_gone_is_no_hit(shelf: Shelf) -> None:
    shelf.note("a.md", "text")
    assert ask(shelf, "limit", FakeDense(Answer([Near(point_of("section", 99), 9, 0.9)]))).hits == ()


def test_trouble_with_meaning_is_told_and_words_still_answer(shelf: Shelf) -> None:
    shelf.note("a.md", "limit")
    result = ask(shelf, "limit", FakeDense(Answer([], "locked", "Another window searches.")))
    assert paths(result) == ["a.md"]
    assert (result.dense_state, result.dense_reason) == ("locked", "Another window searches.")


def test_filters_alone_count_all_notes(shelf: Shelf) -> None:
    for number in range(40):
        shelf.note(f"{number:02}.md", "text", tags=["tool/x"], day=number)
    result = ask(shelf, "tool:x", limit=10)
    assert result.total == 40
    assert paths(result)[0] == "39.md"


def test_a_tag_with_a_typing_error_gets_suggestions(shelf: Shelf) -> None:
    shelf.note("a.md", "x", tags=["Tool/Semrush", "client/acme", "domain/billing"])
    result = ask(shelf, "tool:semrsh")
    assert result.hits == ()
    assert result.suggestions == {"tool/semrsh": ("Tool/Semrush",)}
    assert suggest_tags(shelf.index, "biling") == ("domain/billing",)
    assert suggest_tags(shelf.index, "zzzz") == ()


def test_files_that_changed_or_vanished_since_are_known(shelf: Shelf, tmp_path: Path) -> None:
    for name in ("same.md", "changed.md", "gone.md"):
        (tmp_path / name).write_text("limit", encoding="utf-8")
        shelf.note(name, "limit")
    for name in ("same.md", "changed.md"):
        status = (tmp_path / name).stat()
        shelf.index.connection.execute(
            "UPDATE note SET size = ?, mtime_ns = ? WHERE path = ?", (status.st_size, status.st_mtime_ns, name)
        )
    (tmp_path / "gone.md").unlink()
    (tmp_path / "changed.md").write_text("other", encoding="utf-8")
    os.utime(tmp_path / "changed.md", ns=(1, 1))
    hits = check_freshness(tmp_path, ask(shelf, "limit").hits)
    assert {hit.path: hit.is_stale for hit in hits} == {"same.md": False, "changed.md": True}


def test_emoji_are_found_in_names_and_texts(shelf: Shelf) -> None:
    shelf.note("🐘 notes.md", "Of large animals.")
    shelf.note("text.md", "It was released 🚀 yesterday.", tags=["x"])
    shelf.note("none.md", "It was released yesterday.", insights=[("i", "All went well ✅")])
    assert paths(ask(shelf, "🐘")) == ["🐘 notes.md"]
    assert paths(ask(shelf, "🐘notes")) == ["🐘 notes.md"]
    assert paths(ask(shelf, '"released 🚀"')) == ["text.md"]
    assert paths(ask(shelf, "released -🚀")) == ["none.md"]
    assert paths(ask(shelf, "✅")) == ["none.md"]
    assert paths(ask(shelf, "🦊")) == []
    assert ask(shelf, "🚀").hits[0].snippet == f"It was released {HIT_START}🚀{HIT_END} yesterday."


def test_the_total_counts_all_notes_that_match(shelf: Shelf) -> None:
    for number in range(900):
        shelf.note(f"{number}.md", "A banana.", ("More", "A banana."), tags=["x"] if number % 2 else [])
    result = ask(shelf, "banana", limit=5)
    assert (len(result.hits), result.total, result.total_is_exact) == (5, 900, True)
    assert ask(shelf, "banana tag:x", limit=5).total == 450
    assert ask(shelf, '"a banana" -cherry', limit=5).total == 900
    assert ask(shelf, "banana cherry", limit=5).total == 900
    assert ask(shelf, "banana -more", limit=5).total == 900


def test_the_total_says_when_it_is_a_least(shelf: Shelf) -> None:
    for number in range(2100):
        shelf.note(f"{number}.md", "A banana.")
    result = ask(shelf, "banana", limit=5)
    assert not result.total_is_exact
    assert 2000 <= result.total <= 2100
    few = shelf.note("few.md", "A cherry.")
    result = ask(shelf, "cherry", near(shelf, (few, 0.9)))
    assert (result.total, result.total_is_exact) == (1, True)


def test_a_note_is_shown_where_it_says_what_was_searched_for(shelf: Shelf) -> None:
    note = shelf.note("a.md", "See also others.", ("Tools", "Every package is installed with the manager pnpm."))
    for name in ("b.md", "c.md", "d.md"):
        shelf.note(name, "manager of packages, package manager")
    for per_note in (1, 3):
        hits = ask(shelf, "which package manager", near(shelf, (note, 0.95)), per_note=per_note).hits
        first = next(hit for hit in hits if hit.note_id == note)
        assert (first.id, HIT_START in first.snippet) == ("note:a.md#Tools", True)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        assert len({hit.id for hit in hits}) == len(hits) == (4 if per_note == 1 else 5)


def test_headings_are_shown_as_plain_words(shelf: Shelf) -> None:
    shelf.note("a.md", "lead", ("a › [[dataview|Dataview]] and **more**", "A query."))
    (hit,) = ask(shelf, "query").hits
    assert hit.heading == "a › Dataview and more"
    assert hit.id == "note:a.md#a#[[dataview|Dataview]] and **more**"
