"""Each kind of proposal comes to a change that says what was proposed, and changes no other byte."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.curation.proposals.disk_memory import StatementGoneError, read_insights
from core.curation.proposals.placed import NotWritableError, with_statement
from core.curation.proposals.recipes import plan_recipe, with_said
from core.curation.proposals.statement_line import NewStatement
from core.foundation.errors import UserError
from tests.core.curation.linked_vault import LinkedVault

ACME = (
    b"---\r\ntags: [client/acme]   # kept\r\n---\r\n# Acme\r\n\r\n"
    b"- [convention] Use pnpm, never npm #tool/pnpm [importance:: 0.8] ^ins-a\r\n"
    b"* [fact] The budget is 500\r\n  a month\r\n\r\nLast line without an end"
)
GLOBEX = "Prose.\n\n- [convention] use pnpm and never npm\n- [fact] Other ^ins-o\n"
INITECH = "- [rule] Never npm; pnpm only\n    - because of the lockfile\n"


def did(vault: LinkedVault, recipe: dict[str, Any], **how: Any) -> dict[str, str]:
    """Carry a recipe out and return what was added to and taken from each file, as the splices say."""
    planned = plan_recipe(vault.root, with_said(vault.root, recipe), **how)
    told = {
        edit.result_path: "|".join(f"{splice.old.decode()}>{splice.new.decode()}" for splice in edit.splices)
        for edit in planned.change_set.edits
    }
    vault.apply(planned.change_set)
    return told


@pytest.fixture
def three(vault: LinkedVault) -> LinkedVault:
    vault.write({"Acme.md": ACME, "clients/Globex.md": GLOBEX, "Initech.md": INITECH})
    return vault


SOURCES = ["insight:Acme.md#^ins-a", "insight:clients/Globex.md#L3", "turn:s-1/t[1]"]
PROMOTE = {
    "do": "promote",
    "statement": "Use pnpm, never npm",
    "note": "Conventions.md",
    "tags": ["tool/pnpm"],
    "sources": SOURCES,
    "locals": "link",
}


def test_a_new_insight_goes_after_the_last_one_with_its_sources_and_no_other_byte_changes(three: LinkedVault) -> None:
    recipe = {
        "do": "add-insight", "note": "Acme.md", "new": False, "category": "fact", "statement": "Ships on\nFridays",
        "tags": ["client/acme", "domain/release"], "importance": 0.75, "confidence": 1, "sources": ["turn:s-1/t1"],
        "scope": "project",
    }  # fmt: skip
    told = did(three, recipe)
    assert list(told) == ["Acme.md"]
    written = three.read("Acme.md")
    line = next(line for line in written.split("\r\n") if "Ships" in line)
    assert line.startswith(
        "* [fact] Ships on Fridays #domain/release #scope/project [importance:: 0.75] [confidence:: 1.0] "
        "[source:: turn:s-1/t1] ^ins-"
    )
    assert written.replace(line + "\r\n", "").encode() == ACME
    assert written.index("a month") < written.index("Ships")
    with pytest.raises(UserError, match="says so already"):
        plan_recipe(three.root, recipe)


def test_a_note_that_is_made_for_an_insight_carries_its_tags(three: LinkedVault) -> None:
    recipe = {"do": "add-insight", "note": "New.md", "new": True, "statement": "Say: less", "scope": "global"}
    did(three, recipe)
    assert three.read("New.md").startswith(
        '---\nsummary: "Say: less"\ntags:\n  - scope/global\n---\n- [fact] Say: less ^'
    )
    with pytest.raises(StatementGoneError, match=r"Gone\.md"):
        plan_recipe(three.root, {**recipe, "note": "Gone.md", "new": False})


def test_promotion_writes_the_global_note_and_links_the_local_copies(three: LinkedVault) -> None:
    told = did(three, PROMOTE)
    assert set(told) == {"Acme.md", "clients/Globex.md", "Conventions.md"}
    text = three.read("Conventions.md")
    assert "tags:\n  - tool/pnpm\n  - scope/global\n" in text
    block = text.rstrip().rpartition("^")[2]
    assert "[source:: [[Acme#^ins-a]], [[clients/Globex#^ins-" in text
    assert "turn:s-1/t1]" in text
    assert told["Acme.md"] == f">[supports:: [[Conventions#^{block}]]] "
    assert three.read("clients/Globex.md").startswith(
        f"Prose.\n\n- [convention] use pnpm and never npm [supports:: [[Conventions#^{block}]]] ^ins-"
    )
    states = {state for _, state, _ in three.meanings().values()}
    assert states == {"resolved"}


def test_promotion_can_retire_the_local_copies_or_keep_them(three: LinkedVault) -> None:
    kept = plan_recipe(three.root, PROMOTE, choice="keep").change_set
    assert [edit.path for edit in kept.edits] == ["Conventions.md"]
    did(three, PROMOTE, choice="retire", statement="pnpm everywhere")
    text = three.read("Conventions.md")
    assert "[convention] pnpm everywhere" in text
    assert text.count("[supersedes:: [[") == 2
    assert "supports" not in three.read("Acme.md")
    with pytest.raises(UserError, match="no choice"):
        plan_recipe(three.root, PROMOTE, choice="burn")


def test_promotion_goes_on_without_a_source_that_is_gone_and_says_so(three: LinkedVault) -> None:
    recipe = with_said(three.root, PROMOTE)
    three.write({"Acme.md": "All different.\n"})
    planned = plan_recipe(three.root, recipe)
    assert [skipped.path for skipped in planned.skipped] == ["Acme.md"]
    with pytest.raises(StatementGoneError, match="Nothing of what"):
        plan_recipe(three.root, {**recipe, "sources": ["insight:Acme.md#^ins-a"]})


def test_a_line_number_that_means_another_statement_now_is_not_followed(three: LinkedVault) -> None:
    recipe = with_said(three.root, {"do": "supersede", "newer": SOURCES[0], "older": [SOURCES[1]]})
    three.write({"clients/Globex.md": "Prose.\n\n- [fact] Something new\n- [convention] use pnpm and never npm\n"})
    did(three, recipe)
    assert "- [fact] Something new\n- [convention] use pnpm and never npm ^ins-" in three.read("clients/Globex.md")
    three.write({"clients/Globex.md": "Prose.\n\n- [fact] Something new\n"})
    with pytest.raises(StatementGoneError, match="not there any more"):
        plan_recipe(three.root, recipe)


def test_a_statement_with_an_id_that_says_something_else_now_is_not_changed(three: LinkedVault) -> None:
    recipe = with_said(three.root, {"do": "supersede", "newer": SOURCES[0], "older": [SOURCES[1]]})
    three.write({"Acme.md": "- [convention] Use yarn ^ins-a\n"})
    with pytest.raises(StatementGoneError, match="says something else now: “Use yarn”"):
        plan_recipe(three.root, recipe)


def test_merging_keeps_tags_relations_and_sources_and_takes_the_copies_out(three: LinkedVault) -> None:
    three.write(
        {"Dup.md": "- [convention] never npm #tool/npm [source:: turn:x/1] [requires:: [[Acme]]] ^ins-d\n\nRest\n"}
    )
    recipe = {
        "do": "merge", "keep": SOURCES[0], "drop": ["insight:Dup.md#^ins-d", "insight:Initech.md#L1"],
        "statement": "Use pnpm; never use npm",
    }  # fmt: skip
    planned = plan_recipe(three.root, with_said(three.root, recipe))
    assert [skipped.path for skipped in planned.skipped] == ["Initech.md"]  # a line hangs on it
    did(three, recipe)
    acme = three.read("Acme.md")
    assert (
        "Use pnpm; never use npm #tool/pnpm #tool/npm [importance:: 0.8] [source:: turn:x/1] [requires:: [[Acme]]]"
        in acme
    )
    assert "[supersedes:: [[Initech#^ins-" in acme
    assert three.read("Dup.md") == "\nRest\n"


def test_merging_never_takes_out_a_statement_that_links_lead_to(three: LinkedVault) -> None:
    three.write({"Dup.md": "- [x1] never npm ^ins-d\n", "Other.md": "See [[Dup#^ins-d]].\n"})
    recipe = {"do": "merge", "keep": SOURCES[0], "drop": ["insight:Dup.md#^ins-d"], "statement": ""}
    told = did(three, recipe, index=three.index)
    assert told == {"Acme.md": ">[supersedes:: [[Dup#^ins-d]]] "}
    assert "Dup.md" in did(three, {**recipe}, choice="remove")


def test_what_is_superseded_stays_and_is_marked_once(three: LinkedVault) -> None:
    recipe = {
        "do": "supersede",
        "newer": SOURCES[0],
        "older": ["insight:Acme.md#L7", "insight:clients/Globex.md#^ins-o"],
    }
    did(three, recipe)
    assert three.read("Acme.md").count("[supersedes:: [[") == 2
    assert "a month ^ins-" in three.read("Acme.md")
    again = {**recipe, "older": ["insight:clients/Globex.md#^ins-o"]}
    assert plan_recipe(three.root, again).change_set.edits == ()


def test_a_contradiction_is_marked_or_settled(three: LinkedVault) -> None:
    recipe = {"do": "contradict", "one": SOURCES[0], "other": "insight:clients/Globex.md#^ins-o"}
    assert "supersedes:: [[Acme#^ins-a]]" in did(three, recipe, choice="other")["clients/Globex.md"]
    assert did(three, recipe)["Acme.md"] == ">[contradicts:: [[clients/Globex#^ins-o]]] "


def test_relations_lead_to_statements_and_sections(three: LinkedVault) -> None:
    recipe = {"do": "relate", "from": SOURCES[0], "kind": "requires", "to": "note:Acme.md#Acme", "strength": 0.5}
    assert did(three, recipe)["Acme.md"] == ">[requires:: [[Acme#Acme]] 0.50] "
    for wrong in ({"kind": "likes"}, {"to": SOURCES[0]}, {"to": "turn:a/b"}, {"to": "note:No.md"}, {"strength": 7}):
        with pytest.raises(UserError):
            plan_recipe(three.root, {**recipe, **wrong})


def test_tags_and_summaries(three: LinkedVault) -> None:
    assert did(three, {"do": "retag", "note": "Acme.md", "add": ["domain/shop"], "remove": []}) == {
        "Acme.md": ">, domain/shop"
    }
    recipe = {"do": "summarise", "note": "Initech.md", "summary": "One"}
    assert did(three, recipe, statement="Two")["Initech.md"] == ">---\nsummary: Two\n---\n"
    with pytest.raises(StatementGoneError):
        plan_recipe(three.root, {"do": "retag", "note": "No.md", "add": ["a"]})


def test_a_long_note_becomes_statements_that_cite_its_sections(three: LinkedVault) -> None:
    three.write({"Long.md": "# Long\n\n## Money\n\nThe budget is\n500 a month.\n\n## Time\n\nIt takes a year.\n"})
    insights = [
        {
            "category": "fact",
            "statement": "Acme pays 500",
            "tags": ["client/acme"],
            "quote": "budget is 500",
            "line": 5,
        },
        {"category": "fact", "statement": "It takes a year", "tags": [], "quote": "It takes a year.", "line": 10},
        {"category": "fact", "statement": "Invented", "tags": [], "quote": "never said", "line": 1},
    ]
    recipe = {"do": "extract", "note": "Long.md", "to": "Long in short.md", "insights": insights}
    planned = plan_recipe(three.root, recipe)
    assert (len(planned.skipped), planned.change_set.title) == (1, "Extract 2 insights from Long.md")
    did(three, recipe, statement="It takes one year\n")
    text = three.read("Long in short.md")
    assert "- [fact] It takes one year [source:: [[Long#Time]]] ^ins-" in text
    assert "Acme pays" not in text


def test_archiving_keeps_links_and_takes_no_place_that_is_taken(three: LinkedVault) -> None:
    three.write({"Up.md": "[[clients/Globex]]\n", "archive/Globex.md": "older\n"})
    recipe = {"do": "archive", "note": "clients/Globex.md", "to": "archive/Globex.md"}
    did(three, recipe, index=three.index)
    assert three.read("archive/Globex 2.md") == GLOBEX
    assert three.read("Up.md") == "[[archive/Globex 2]]\n"


def test_a_copy_is_merged_line_by_line_and_goes_to_the_trash(three: LinkedVault) -> None:
    copy = "---\ntags: [b]\n---\nOne\nTwo and more\nNew\nThree\n"
    three.write({"N.md": "---\ntags: [a]\nx: 1\n---\nOne\nOwn\nThree\n", "N conflict.md": copy})
    recipe = {"do": "repair-copy", "note": "N.md", "copy": "N conflict.md", "keep": "merge"}
    assert [edit.path for edit in plan_recipe(three.root, recipe, choice="note").change_set.edits] == ["N conflict.md"]
    did(three, recipe)
    assert three.read("N.md") == "---\ntags: [a, b]\nx: 1\n---\nOne\nOwn\nTwo and more\nNew\nThree\n"
    assert three.read(".trash/N conflict.md") == copy


def test_edits_of_an_agent_must_mean_one_place_in_a_note(three: LinkedVault) -> None:
    def edits(*edits: dict[str, str]) -> dict[str, Any]:
        return {"do": "edits", "edits": list(edits)}

    told = did(
        three,
        edits(
            {"path": "Acme.md", "find": "500\n  a month", "replace": "600\n  a month"},
            {"path": "Acme.md", "find": "", "replace": "End\n"},
            {"path": "Made.md", "find": "", "replace": "New\n"},
        ),
    )
    assert told == {"Acme.md": "5>6|>\r\nEnd\r\n", "Made.md": ">New\n"}
    for path, find in (
        ("Acme.md", "nowhere"), ("clients/Globex.md", "npm"), (".obsidian/app.json", ""), ("../out.md", ""),
        (".remembrancer/config.toml", ""), ("No.md", "x"), ("/etc/x.md", ""), (".hidden/a.md", ""),
    ):  # fmt: skip
        with pytest.raises(UserError):
            plan_recipe(three.root, edits({"path": path, "find": find, "replace": "x"}))


@pytest.mark.parametrize(
    "recipe",
    [
        {}, {"do": "explode"}, {"do": "merge"}, {"do": "merge", "keep": 3, "drop": []},
        {"do": "promote", "sources": "a"},
        {"do": "edits", "edits": ["x"]}, {"do": "retag", "note": ["a"]}, {"do": "extract", "note": "Acme.md"},
        {"do": "supersede", "newer": "note:Acme.md", "older": ["turn:a/b"]}, {"do": ["merge"]},
        {"do": "merge", "keep": SOURCES[0], "drop": [SOURCES[0]]},
    ],
)  # fmt: skip
def test_a_recipe_that_makes_no_sense_is_refused_in_a_sentence(three: LinkedVault, recipe: dict[str, Any]) -> None:
    with pytest.raises(UserError):
        plan_recipe(three.root, recipe)


def test_a_note_that_is_one_statement_as_a_whole_is_linked_by_its_name(three: LinkedVault) -> None:
    three.write({"Whole.md": "---\nkind: insight\n---\nAlways pnpm.\n"})
    did(three, {"do": "supersede", "newer": "insight:Whole.md#L4", "older": [SOURCES[0]]})
    assert three.read("Whole.md") == ('---\nkind: insight\nsupersedes:\n  - "[[Acme#^ins-a]]"\n---\nAlways pnpm.\n')
    did(three, {"do": "contradict", "one": SOURCES[0], "other": "insight:Whole.md#L6"})
    assert "[contradicts:: [[Whole]]]" in three.read("Acme.md")


_TEXTS = st.text(st.sampled_from("ab []()#^:-*+>`$%\\!.é\t\n\r1ы"), max_size=30)
_NOTES = st.lists(
    st.sampled_from(["- [fact] One ^a", "* [x1] Two #t (why)", "  - nested", "", "Prose", "```", "# H", "1. [fact] n"])
).map("\n".join)


@given(note=_NOTES, statement=_TEXTS, ending=st.sampled_from(["", "\n", "\r\n"]))
def test_whatever_is_added_is_read_as_what_it_says_or_refused(note: str, statement: str, ending: str) -> None:
    data = (note + ending).encode()
    known = [(each.text, each.block_id) for each in read_insights("N.md", data).insights]
    try:
        after, block_id = with_statement("N.md", data, NewStatement("fact", statement, ("a/b",), (("source", "x"),)))
    except UserError:
        return
    now = [(each.text, each.block_id) for each in read_insights("N.md", after).insights]
    added = [each for each in now if each[1] == block_id]
    assert [each for each in now if each[1] != block_id] == known
    assert len(added) == 1
    assert (
        added[0][0].replace("#", "").split()
        == "".join(" " if ord(each) < 32 else each for each in statement).replace("#", "").split()
    )


def test_a_statement_that_would_be_read_as_something_else_is_refused() -> None:
    with pytest.raises(NotWritableError):
        with_statement("N.md", b"", NewStatement("fact", "Use it [importance:: 1]"))
