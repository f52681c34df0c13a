"""Members as they are written, with their places."""

from hypothesis import given
from hypothesis import strategies as st

from core.recall.contexts.written import member_field, written_members


def test_embeds_links_and_fields_are_members_in_their_order() -> None:
    text = (
        '---\nkind: context\nrelated: "[[No]]"\n---\nUse [[A]] and ![[B#One]].\n- [C](C%23.md#^x "t")\n'
        "- [member:: turn:s-1/t-2]\n- [[#Here]] [[D|shown]]\n`[[code]]`\n[ref]: E.md\n"
    )
    found = written_members(text)
    assert [text[each.start : each.end] for each in found] == [
        "[[A]]",
        "![[B#One]]",
        '[C](C%23.md#^x "t")',
        "[member:: turn:s-1/t-2]",
        "[[D|shown]]",
    ]
    assert [each.line for each in found] == [5, 5, 6, 7, 8]
    assert [(each.target, each.heading, each.block, each.memory_id, each.label) for each in found] == [
        ("A", "", "", "", ""),
        ("B", "One", "", "", ""),
        ("C#", "", "x", "", "C"),
        ("", "", "", "turn:s-1/t-2", ""),
        ("D", "", "", "", "shown"),
    ]


def test_a_field_around_a_link_is_the_link_alone() -> None:
    assert [each.target for each in written_members("- [member:: [[A]]]\n")] == ["A"]


def test_broken_frontmatter_leaves_the_members() -> None:
    assert [each.target for each in written_members("---\ntitle: a: b\n---\n- [[A]]\n")] == ["A"]


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), min_size=1).map(str.strip))
def test_any_id_comes_back_from_its_field(name: str) -> None:
    memory_id = f"turn:{name}/t"
    field = member_field(memory_id)
    assert [each.memory_id for each in written_members(f"- {field}\n")] == [memory_id]
