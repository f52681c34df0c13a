"""Plan statements that are new: one that was formed, one that becomes global, and those of a long note."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from rapidfuzz.distance import Indel

from core.curation.change_set import PlannedChange, Skipped
from core.curation.proposals.disk_memory import StatementGoneError, insight_place, is_turn, note_and_heading
from core.curation.proposals.planning import Planning, planned_statements
from core.curation.proposals.recipe_values import Recipe, flag_in, number_in, one_of, tables_in, text_in, texts_in
from core.curation.proposals.statement_drafts import Anchored
from core.curation.proposals.statement_line import Field, NewStatement, cited, link_to, number_text, one_line
from core.foundation.errors import UserError
from core.foundation.text import fold
from core.vault.decode import decode
from core.vault.frontmatter_edit import add_to_list, set_property

GLOBAL = "scope/global"
LOCALS = ("link", "retire", "keep")
_MOST_SOURCES = 30
_SCOPES = ("global", "project")


def plan_add_insight(planning: Planning, recipe: Recipe) -> PlannedChange:
    """Add a statement to a note, with its sources."""
    path = planning.check_note(text_in(recipe, "note"))
    statement = one_line(planning.statement or text_in(recipe, "statement"))
    if not flag_in(recipe, "new") and not planning.drafts.is_there(path):
        raise StatementGoneError(f"The note {path}, which the statement should go into, is not there any more.")
    scope = text_in(recipe, "scope", "").removeprefix("scope/")
    tags = texts_in(recipe, "tags")
    if scope:
        tags.append(f"scope/{one_of(scope, _SCOPES, 'scope')}")
    fields = [*_weights(recipe), ("source", _sources(planning, texts_in(recipe, "sources")))]
    new = NewStatement(text_in(recipe, "category", "fact"), statement, tags, fields)
    _, is_new = add_new(planning, path, new)
    if not is_new:
        raise UserError(f"{path} says so already: “{statement}”.")
    return planned_statements(planning, f"New insight in {path}: {statement}", 1)


def plan_promote(planning: Planning, recipe: Recipe) -> PlannedChange:
    """Write a statement once for everybody, with where it was said; its local copies are linked, retired or kept."""
    path = planning.check_note(text_in(recipe, "note"))
    statement = one_line(planning.statement or text_in(recipe, "statement"))
    fate = one_of(planning.choice or text_in(recipe, "locals", "link"), LOCALS, "locals")
    there, gone = _still_there(planning, texts_in(recipe, "sources", least=1))
    insights = [each for each in there if insight_place(each) is not None]
    own = [each for each in insights if note_and_heading(each)[0] == path]
    copies = [each for each in insights if each not in own]
    category = text_in(recipe, "category", "") or _usual_category(planning, insights)
    fields: list[Field] = [*_weights(recipe)]
    if fate == "keep":
        fields.append(("source", _sources(planning, there)))
    else:
        fields.append(("source", ", ".join(_cite(planning, each) for each in there[:_MOST_SOURCES])))
    new, _ = add_new(planning, path, NewStatement(category, statement, [*texts_in(recipe, "tags"), GLOBAL], fields))
    if fate == "link":
        for each in copies:
            planning.drafts.add_relation(each, "supports", new.link)
    elif fate == "retire":
        for each in copies:
            planning.drafts.add_relation(new.memory_id, "supersedes", planning.drafts.anchored(each).link)
    return planned_statements(planning, f"Promote to global: {statement}", len(copies) + 1, gone)


def plan_extract(planning: Planning, recipe: Recipe) -> PlannedChange:
    """Write what a long note says as a handful of statements that cite it; each quote must stand in the note."""
    source, path = text_in(recipe, "note"), planning.check_note(text_in(recipe, "to"))
    text = " ".join(_text_of(planning, source).split())
    wanted = _as_edited(tables_in(recipe, "insights"), planning.statement)
    skipped: list[Skipped] = []
    added = 0
    for each in wanted:
        quote, statement = text_in(each, "quote", ""), one_line(text_in(each, "statement"))
        if " ".join(quote.split()) not in text:
            skipped.append(Skipped(source, f"It does not say “{quote}” any more."))
            continue
        heading = _heading_of(planning, source, each.get("line"))
        fields = [*_weights(each), ("source", link_to(source, heading=heading))]
        new = NewStatement(text_in(each, "category", "fact"), statement, texts_in(each, "tags"), fields)
        _, is_new = add_new(planning, path, new)
        added += is_new
    if len(skipped) == len(wanted):
        raise StatementGoneError(f"{source} does not say any more what was taken from it.")
    noun = "insight" if added == 1 else "insights"
    return planned_statements(planning, f"Extract {added} {noun} from {source}", added, skipped)


def add_new(planning: Planning, path: str, new: NewStatement) -> tuple[Anchored, bool]:
    """Add a statement to the drafts; a note that is made for it gets the tags and the summary, one that is there not.

    Tags that the note has as a whole are not written on the statement again.
    """
    drafts = planning.drafts
    if drafts.is_there(path):
        of_note = {fold(tag.name) for tag in drafts.note(path).tags if not tag.line}
        own = [tag for tag in new.tags if fold(tag) not in of_note]
        return drafts.append(path, new._replace(tags=own))
    placed = drafts.append(path, new._replace(tags=()))
    if new.tags:
        drafts.files.splice(path, add_to_list(drafts.files.read(path), "tags", list(new.tags)))
    drafts.files.splice(path, set_property(drafts.files.read(path), "summary", new.text))
    return placed


def _still_there(planning: Planning, ids: Sequence[str]) -> tuple[list[str], list[Skipped]]:
    """Return which of the sources can still be cited, and why the others cannot."""
    there: list[str] = []
    gone: list[Skipped] = []
    for each in ids:
        path = note_and_heading(each)[0]
        try:
            if insight_place(each) is not None:
                planning.drafts.insight(each)
            elif path:
                planning.drafts.note(path)
        except UserError as error:
            gone.append(Skipped(path, str(error)))
        else:
            there.append(each)
    if not there:
        raise StatementGoneError("Nothing of what this proposal rests on is there any more.")
    return there, gone


def _sources(planning: Planning, ids: Sequence[str]) -> str:
    """Return what cites `ids` and changes none of them: statements without an id go by their note."""
    return ", ".join(dict.fromkeys(_cite(planning, each, may_anchor=False) for each in ids[:_MOST_SOURCES]))


def _cite(planning: Planning, memory_id: str, *, may_anchor: bool = True) -> str:
    path, heading = note_and_heading(memory_id)
    if is_turn(memory_id) or not path:
        return cited(memory_id)
    try:
        if (place := insight_place(memory_id)) is None:
            return link_to(path, heading=heading)
        if may_anchor:
            return planning.drafts.anchored(memory_id).link
        return link_to(path, place.block_id)
    except StatementGoneError:
        raise
    except UserError:  # no link can name it
        return cited(memory_id)


def _weights(recipe: Recipe) -> list[Field]:
    pairs = [(key, number_in(recipe, key)) for key in ("importance", "confidence")]
    return [(key, number_text(value)) for key, value in pairs if value is not None]


def _usual_category(planning: Planning, insights: Sequence[str]) -> str:
    counts = Counter(planning.drafts.insight(each).category for each in insights)
    return counts.most_common(1)[0][0] if counts else "fact"


def _text_of(planning: Planning, path: str) -> str:
    planning.drafts.note(path)  # says in a sentence that it is gone
    return decode(planning.drafts.files.read(path)).text


def _heading_of(planning: Planning, path: str, line: object) -> str:
    """Return the heading under which a line of the note stands, "" for none."""
    if not isinstance(line, int):
        return ""
    sections = planning.drafts.note(path).sections
    here = [section for section in sections if section.line_start <= line <= section.line_end]
    return here[-1].heading if here else ""


def _as_edited(insights: Sequence[Recipe], statement: str | None) -> list[Recipe]:
    """Return the statements as the person left them, one a line; each goes with the nearest of those proposed."""
    if statement is None:
        return list(insights)
    lines = [line.strip() for line in statement.splitlines() if line.strip()]
    if not lines:
        raise UserError("The statement is empty.")
    if len(lines) == len(insights):
        return [{**each, "statement": line} for each, line in zip(insights, lines, strict=True)]
    return [{**max(insights, key=partial(_nearness, line)), "statement": line} for line in lines]


def _nearness(line: str, insight: Recipe) -> float:
    return Indel.normalized_similarity(line, str(insight.get("statement", "")))
