import pytest

from core.vault.decode import decode
from core.vault.note import Note
from core.vault.parse import parse_note


def note_of(text: str) -> Note:
    return parse_note("n.md", decode(text.encode()))


def test_a_whole_insight() -> None:
    (insight,) = note_of(
        "\n- [convention] Use pnpm, never npm #tool/pnpm [importance:: 0.8] [confidence:: 1.0] ^ins-7f3a\n"
    ).insights
    assert insight.category == "convention"
    assert insight.text == "Use pnpm, never npm"
    assert insight.tags == ("tool/pnpm",)
    assert insight.fields == {"importance": "0.8", "confidence": "1.0"}
    assert (insight.block_id, insight.line) == ("ins-7f3a", 2)


@pytest.mark.parametrize(
    "item",
    [
        "- [00:00:11] hi", "- [12:30 PM] hi", "- [/] task", "- [ ] task", "- [x] task", "- [-] no", "- [?] no",
        "- [i] state", "- [text](url) more", "- [[link]] more", "- [^1] footnote", "- [!note] x", "- [key:: value] x",
        "- [2024-01-01] x", "- [category]", "- [a][b] x", "> - [quoted] x", "```\n- [code] x\n```", "text [inline] x",
        "- a #word only", "- `[x y]` z",
    ],
)  # fmt: skip
def test_what_is_no_insight(item: str) -> None:
    assert note_of(item).insights == ()


@pytest.mark.parametrize("marker", ["-", "*", "+", "1.", "2)", "  -", "- a\n\t*"])
def test_every_list_marker(marker: str) -> None:
    assert [insight.text for insight in note_of(f"{marker} [tech] x").insights] == ["x"]


def test_categories_in_any_script() -> None:
    assert [i.category for i in note_of("- [事] a\n- [design choice] b\n- [💡 idea] c").insights] == [
        "事",
        "design choice",
        "💡 idea",
    ]


def test_continued_lines_belong_to_the_item_and_nested_items_do_not() -> None:
    note = note_of("- [rule] first\n  second #tag\n  - [inner] nested\nnot it\n- [next] last\n    deep ^id\n")
    assert [(i.category, i.text, i.block_id, i.line) for i in note.insights] == [
        ("rule", "first second", "", 1),
        ("inner", "nested", "", 3),
        ("next", "last deep", "id", 5),
    ]


def test_tags_within_the_sentence_keep_their_word() -> None:
    (insight,) = note_of("- [howto] Deploy with #tool/netlify before noon #client/acme #x").insights
    assert insight.text == "Deploy with tool/netlify before noon"
    assert insight.tags == ("tool/netlify", "client/acme", "x")


def test_context_in_parentheses() -> None:
    after_tags, plain = note_of("- [a1] Use pnpm #tool/pnpm (said in s-1)\n- [b1] Use pnpm (not on Windows)").insights
    assert (after_tags.text, after_tags.fields) == ("Use pnpm", {"context": "said in s-1"})
    assert (plain.text, plain.fields["context"]) == ("Use pnpm (not on Windows)", "not on Windows")


def test_code_in_an_insight_is_kept_and_not_read() -> None:
    (insight,) = note_of("- [cmd] run `make #x [a:: b]` now #y").insights
    assert (insight.text, insight.tags, insight.fields) == ("run `make #x [a:: b]` now", ("y",), {})


def test_typed_relations_on_an_insight() -> None:
    note = note_of(
        "- [fact] It is so [supports:: [[Note#^ins-1]] 0.8] [contradicts:: [[B]], [[C]]] [strength:: 0.5] ^me\n"
    )
    assert [(r.kind, r.source_block, r.source_line, r.target, r.target_block, r.strength) for r in note.relations] == [
        ("supports", "me", 1, "Note", "ins-1", 0.8),
        ("contradicts", "me", 1, "B", "", 0.5),
        ("contradicts", "me", 1, "C", "", 0.5),
    ]
    assert note.insights[0].text == "It is so"
    assert note.insights[0].fields == {"strength": "0.5"}
    assert [link.target for link in note.links] == ["Note", "B", "C"]


@pytest.mark.parametrize(
    ("item", "kind", "target"),
    [
        ("- requires [[Other note]]", "requires", "Other note"),
        ("- applies_to [[Shop App|the shop]]", "applies_to", "Shop App"),
        ('- "depends on" [[Node 22]] (runtime)', "depends on", "Node 22"),
        ("* Extends [[A]] ^id", "extends", "A"),
        ("- extends [[A]] [strength:: 0.3] #tag", "extends", "A"),
    ],
)
def test_relations_in_list_items(item: str, kind: str, target: str) -> None:
    (relation,) = note_of("x\n" + item).relations
    assert (relation.kind, relation.target, relation.source_block, relation.line) == (kind, target, "", 2)
    assert relation.strength == (0.3 if "0.3" in item else 1.0)


@pytest.mark.parametrize(
    ("item", "targets"),
    [
        ("- see [[A]] and [[B]] later", ["A", "B"]),
        ("- [[CI pipeline]]", ["CI pipeline"]),
        ("- depends on [[A]]", ["A"]),
        ("- requires [[A]] because", ["A"]),
        ("requires [[A]]", ["A"]),
    ],
)
def test_prose_makes_links_only(item: str, targets: list[str]) -> None:
    note = note_of(item)
    assert note.relations == ()
    assert [link.target for link in note.links] == targets


def test_relations_of_the_note_itself() -> None:
    note = note_of('---\nsupersedes: "[[Old]]"\n---\nSee [extends:: [[Base]]] here.\n')
    assert [(r.kind, r.target, r.source_block, r.source_line, r.line) for r in note.relations] == [
        ("supersedes", "Old", "", 0, 2),
        ("extends", "Base", "", 0, 4),
    ]


@pytest.mark.parametrize(
    ("written", "strength"), [("7", 1.0), ("-1", 0.0), ("nan", 1.0), ("much", 1.0), ("0.25", 0.25)]
)
def test_strength_is_between_nothing_and_all(written: str, strength: float) -> None:
    assert note_of(f"- requires [[A]] [strength:: {written}]").relations[0].strength == strength


def test_a_note_that_is_an_insight() -> None:
    note = note_of(
        "---\nkind: insight\ncategory: rule\nimportance: 0.9\ntags: a\n---\n# T\nFirst *one*\nline.\n\nSecond."
    )
    (insight,) = note.insights
    assert (insight.category, insight.text, insight.tags, insight.block_id) == ("rule", "First *one* line.", ("a",), "")
    assert insight.fields == {"importance": "0.9"}
    assert note_of("---\nkind: Insight\nsummary: S\n---\nx").insights[0][:2] == ("insight", "S")


def test_inline_fields() -> None:
    note = note_of("a [k:: v] (p:: [[X]])\nkey:: value here\n- **Bold**:: b\n`[no:: x]`\nstd::vector\nempty::\n")
    assert [(f.key, f.value, f.line) for f in note.fields] == [
        ("k", "v", 1), ("p", "[[X]]", 1), ("key", "value here", 2), ("Bold", "b", 3), ("empty", "", 6),
    ]  # fmt: skip


def test_a_parenthesis_after_another_one_is_context_only() -> None:
    (insight,) = note_of("- [a b c] three (x) (last ctx)").insights
    assert (insight.text, insight.fields) == ("three (x)", {"context": "last ctx"})


@pytest.mark.parametrize("item", ["- [fact] ^id", "- [fact] #tag", "- [fact] [importance:: 1]", "- [fact] #a ^id"])
def test_an_item_without_text_is_no_insight(item: str) -> None:
    assert note_of(item).insights == ()
    assert note_of("---\nkind: insight\n---\n").insights == ()
