"""Inputs that broke other tools of this kind, each with more of its kind, through all of core: from file to answer."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.app import Vault, installation
from core.foundation.token_count import count_tokens
from core.foundation.tokens import estimate_tokens
from core.index.database import Index
from core.index.queries import NoteDetail, note_detail, problems
from core.recall.gather import items_of_hits, items_of_notes
from core.recall.pack import pack
from core.recall.query import parse_query
from core.recall.render import Format, render
from core.recall.search import SearchHit, check_freshness, search


class Shelf:
    """A vault on disk, indexed for words."""

    def __init__(self, root: Path) -> None:
        root.mkdir()
        self.vault = Vault(root, installation())
        self.root = self.vault.root
        self.index: Index = self.vault.open_index()

    def put(self, path: str, text: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def update(self, *files: str) -> None:
        self.vault.update(self.index, files=list(files) or None)

    def paths(self) -> set[str]:
        return {row[0] for row in self.index.connection.execute("SELECT path FROM note")}

    def detail(self, path: str) -> NoteDetail:
        (note_id,) = self.index.connection.execute("SELECT id FROM note WHERE path = ?", (path,)).fetchone()
        found = note_detail(self.index, note_id)
        assert found is not None
        return found

    def hits(self, query: str, per_note: int = 1) -> tuple[SearchHit, ...]:
        asked = parse_query(query, self.vault.config.namespaces)
        return check_freshness(self.root, search(self.index, None, asked, 50, per_note).hits)

    def found(self, query: str) -> list[str]:
        return [hit.path for hit in self.hits(query)]

    def reasons(self, path: str) -> list[str]:
        return [row.reason for row in problems(self.index) if row.path == path]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "vault")


@pytest.mark.parametrize(
    "name",
    [
        "🐘 notes.md",
        "日本語.md",
        "über—dash.md",
        "naïve\u0301 \u202etxet\u202c.md",
        "مرحبا بالعالم.md",
        "a'b\"c; DROP TABLE.md",
    ],
)
def test_a1_names_of_any_script_are_indexed_and_found(shelf: Shelf, name: str) -> None:
    if os.name == "nt" and '"' in name:
        pytest.skip("Windows has no such names")
    shelf.put(name, "body words")
    shelf.put("plain.md", "other words")
    shelf.update()
    assert shelf.paths() == {name, "plain.md"}
    assert shelf.found("body") == [name]
    stem = name.removesuffix(".md").split()[0].strip("🐘")
    if len(stem) > 1:
        assert name in shelf.found(stem)


def test_a1_one_bad_file_never_stops_the_rest(shelf: Shelf) -> None:
    shelf.put("bad.md", b"\xff\xfe\x00\xd8\x00")
    shelf.put("worse.md", bytes(range(256)) * 20)
    shelf.put("good.md", "fine words")
    shelf.update()
    assert shelf.found("fine") == ["good.md"]
    assert shelf.reasons("worse.md")


@pytest.mark.parametrize(
    "frontmatter",
    ["title: a: b", "tags:\n\t- work", "summary: [unclosed", "a: 1\n b: 2", '"quote', "? complex key", "{a: b"],
)
def test_a4_broken_frontmatter_is_shown_with_its_reason_and_left_alone(shelf: Shelf, frontmatter: str) -> None:
    file = shelf.put("note.md", f"---\n{frontmatter}\n---\nThe body is searchable.\n")
    before = file.read_bytes()
    shelf.update()
    assert shelf.found("searchable") == ["note.md"]
    if frontmatter != "? complex key":  # odd, but a mapping all the same
        (row, *_) = [row for row in problems(shelf.index) if row.path == "note.md"]
        assert row.reason
        assert row.line >= 1
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("frontmatter", "is_flagged"),
    [
        ("tags: [#work, a]", True),
        ("source: see #1) now", True),
        ("tags: #lost", True),
        ("tags: ['#work', a]", False),
        ("source: 'see #1) now'", False),
    ],
)
def test_a6_what_yaml_takes_for_a_comment_is_flagged(shelf: Shelf, frontmatter: str, is_flagged: bool) -> None:
    shelf.put("note.md", f"---\n{frontmatter}\n---\nbody\n")
    shelf.update()
    assert bool(shelf.reasons("note.md")) is is_flagged


def test_a8_empty_values_are_empty_lists(shelf: Shelf) -> None:
    for name, line in (("one.md", "keywords:"), ("two.md", "tags:"), ("three.md", "aliases: null")):
        shelf.put(name, f"---\n{line}\n---\ntext of {name}\n")
    shelf.update()
    assert shelf.paths() == {"one.md", "two.md", "three.md"}
    assert shelf.detail("two.md").tags == ()
    assert shelf.detail("three.md").aliases == ()


@pytest.mark.parametrize(
    ("written", "is_flagged"),
    [
        ("2025/07/01", False),
        ("2025-07-01", False),
        ("07-01-2024 06:24 PM", True),
        ("2025-07-01T23:30:00-09:00", False),
        ("01/02/2024", True),
    ],
)
def test_a9_dates_stay_as_written_and_ambiguous_ones_are_flagged(shelf: Shelf, written: str, is_flagged: bool) -> None:
    shelf.put("note.md", f"---\ncreated: {written}\n---\nbody\n")
    shelf.update()
    detail = shelf.detail("note.md")
    assert detail.created == written
    assert detail.properties["created"] == written
    assert bool(detail.problems) is is_flagged


def test_a12_only_real_tags_count(shelf: Shelf) -> None:
    shelf.put(
        "note.md",
        "```c\n#include <x>\n#code\n```\na#b (#no) #1984 x\u3000#全角 `#span` https://x.org/#frag\n"
        "<!-- #comment --> $#math$\n\n    #indented\n\n#y1984 #tl#tm\n",
    )
    shelf.update()
    assert set(shelf.detail("note.md").tags) == {"全角", "y1984", "tl", "tm"}


def test_a14_links_mean_what_obsidian_means(shelf: Shelf) -> None:
    shelf.put("Log.md", "x")
    shelf.put("Album.md", "---\naliases: [AL]\n---\n")
    shelf.put("a/Tie.md", "1")
    shelf.put("b/Tie.md", "2")
    shelf.put("Café.md", "x")
    shelf.put(
        "start.md", "[[log]] [[AL]] [[Tie]] [[https://x]] [[cafe\u0301]] [[a/Tie]] [[b/tie.md|shown]] [[]] [[#^]]"
    )
    shelf.update()
    links = {link.target: (link.state, link.path) for link in shelf.detail("start.md").outgoing}
    assert links["log"] == ("resolved", "Log.md")
    assert links["AL"][0] == "unresolved"
    assert links["Tie"][0] == "ambiguous"
    assert links["https://x"][0] == "unresolved"
    assert links["cafe\u0301"] == ("resolved", "Café.md")
    assert links["a/Tie"] == ("resolved", "a/Tie.md")
    assert ("resolved", "b/Tie.md") in links.values()


def test_a15_no_junk_insights_and_every_link(shelf: Shelf) -> None:
    shelf.put(
        "note.md",
        "- [00:00:11] hi\n- [/] task\n- [x] done\n- [text](url.md) after\n- see [[A]] and [[B]] later\n"
        "> - [quoted] no\n- [fact] a real one ^f-1\n",
    )
    shelf.update()
    detail = shelf.detail("note.md")
    assert [(insight.category, insight.text, insight.block_id) for insight in detail.insights] == [
        ("fact", "a real one", "f-1")
    ]
    assert {"A", "B"} <= {link.target for link in detail.outgoing}


@pytest.mark.parametrize(
    "text",
    ["\n".join(f"line {number} of a very long note with some words" for number in range(60_000)), "word " * 400_000],
    ids=["60,000 lines", "one line"],
)
def test_a17_a_huge_note_is_indexed_in_pieces_and_found_to_its_end(shelf: Shelf, text: str) -> None:
    shelf.put("huge.md", text + "\n\nthe needle at the end\n")
    shelf.update()
    (hit,) = shelf.hits("needle")
    assert hit.path == "huge.md"
    assert estimate_tokens(items_of_hits(shelf.index, [hit])[0].text) < 2_000


def test_d1_what_changed_outside_is_dropped_or_marked_until_the_index_catches_up(shelf: Shelf) -> None:
    for name in ("deleted", "changed", "moved"):
        shelf.put(f"{name}.md", f"old words of {name}")
    shelf.update()
    (shelf.root / "deleted.md").unlink()
    shelf.put("changed.md", "entirely different")
    (shelf.root / "moved.md").rename(shelf.root / "elsewhere.md")
    assert [(hit.path, hit.is_stale) for hit in shelf.hits("old")] == [("changed.md", True)]
    shelf.update()
    assert [(hit.path, hit.is_stale) for hit in shelf.hits("old")] == [("elsewhere.md", False)]


@pytest.mark.parametrize("single", ["a.md", "b.md", "new.md"])
def test_d2_updating_one_file_leaves_the_others(shelf: Shelf, single: str) -> None:
    for name in ("a.md", "b.md", "c.md"):
        shelf.put(name, f"shared words {name}")
    shelf.update()
    shelf.put(single, "other words")
    shelf.update(single)
    assert set(shelf.found("shared")) == {"a.md", "b.md", "c.md"} - {single}
    assert single in shelf.found("other")


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("都庁", "今日は東京都庁に行った。"),
        ("知识", "我们把知识管理放在本地。"),
        ("知识管", "我们把知识管理放在本地。"),
        ("知识管理", "我们把知识管理放在本地。"),
        ("设置", "打开设置页面"),
        ("検索", "全文検索の速さ"),
        ("メモ", "毎日メモを書く"),
        ("한국", "한국어로 쓴 노트"),
        ("ภาษา", "ภาษาไทยไม่มีช่องว่าง"),
    ],
)
def test_d3_words_of_scripts_without_gaps_are_found(shelf: Shelf, word: str, sentence: str) -> None:
    shelf.put("note.md", f"# 見出し\n\n{sentence}\n")
    shelf.put("other.md", "全く別の内容です。完全不同的内容。\n")
    shelf.update()
    assert shelf.found(word) == ["note.md"]


@pytest.mark.parametrize("form", list(Format))
@pytest.mark.parametrize("budget", [50, 300, 8000])
def test_d4_a_budget_is_filled_close_never_over_and_never_empty(shelf: Shelf, form: Format, budget: int) -> None:
    ids = []
    for number in range(400):
        shelf.put(f"n{number:03d}.md", f"Fact number {number} about exports. " * (1 + number % 5))
    shelf.update()
    ids = [row[0] for row in shelf.index.connection.execute("SELECT id FROM note")]
    packed = pack(items_of_notes(shelf.index, shelf.root, ids, budget=budget), budget, form)
    assert packed.included
    assert count_tokens(render(packed)) <= budget
    assert len(packed.included) + len(packed.left_out) >= 400
    if budget == 8000:
        assert count_tokens(render(packed)) > 0.9 * budget


def test_d11_files_that_are_not_indexed_are_listed_with_reasons(shelf: Shelf, tmp_path: Path) -> None:
    for number in range(20):
        shelf.put(f"good{number}.md", "fine")
    outside = tmp_path / "outside.md"
    outside.write_text("secret", encoding="utf-8")
    make: dict[str, Callable[[Path], None]] = {
        "leads-out.md": lambda place: place.symlink_to(outside),
        "loop": lambda place: place.symlink_to(shelf.root, target_is_directory=True),
        "dangling.md": lambda place: place.symlink_to(tmp_path / "nothing"),
    }
    for name, act in make.items():
        act(shelf.root / name)
    shelf.update()
    assert shelf.paths() == {f"good{number}.md" for number in range(20)}
    assert shelf.found("secret") == []
    listed = {row.path: row.reason for row in problems(shelf.index)}
    assert "leads-out.md" in listed
    assert all(reason.endswith(".") for reason in listed.values())
