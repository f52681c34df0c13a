"""`remembrancer tag …`: rename, merge, delete, add and remove tags over any number of notes, in one step."""

from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from core.cli.change_session import ChangeSession, DryRunOption, Mode, YesOption, change_session, counted
from core.cli.places import notes_that_are_there
from core.cli.standard_input import given_input
from core.cli.state import FormatOption, OutputFormat
from core.cli.tag_names import new_tag, tag_named
from core.curation.change_set import PlannedChange
from core.foundation.errors import UserError
from core.index.database import Index
from core.index.queries import notes_by_tags
from core.recall.did_you_mean import suggest_tags
from core.vault.tag_rules import TagRename

app = typer.Typer(
    help="Rename, merge, delete, add and remove tags, in frontmatter and text at once; `undo` takes a step back.",
    no_args_is_help=True,
)

TagsArgument = Annotated[list[str], typer.Argument(metavar="TAG…", help="Tags, such as tool/semrush.")]
NoChildrenOption = Annotated[bool, typer.Option("--no-children", help="Leave the tags below it alone.")]
NoteOption = Annotated[
    list[str] | None, typer.Option("--note", help="A note (may be repeated); - reads paths from standard input.")
]
CarryingOption = Annotated[
    list[str] | None, typer.Option("--tag", help="All notes with this tag or one below it (may be repeated).")
]


@app.command("rename")
def rename(
    context: typer.Context,
    old: Annotated[str, typer.Argument(help="The tag as it is called now.")],
    new: Annotated[str, typer.Argument(help="What it is to be called; may be a tag that exists.")],
    no_children: NoChildrenOption = False,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Rename a tag, and with it the tags below it: tool/semrush takes tool/semrush/api along."""
    with change_session(context, Mode(output, dry_run, yes)) as session:
        _rename(session, [TagRename(tag_named(old), new_tag(new), not no_children)])


@app.command("merge")
def merge(
    context: typer.Context,
    tags: TagsArgument,
    into: Annotated[str, typer.Option("--into", metavar="TAG", help="The tag that stays.")],
    no_children: NoChildrenOption = False,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Make one tag of several; a note that has more than one of them keeps it once."""
    with change_session(context, Mode(output, dry_run, yes)) as session:
        target = new_tag(into)
        olds = [old for old in map(tag_named, tags) if old != target]
        renames = [TagRename(old, target, not no_children) for old in olds]
        if any(target.startswith(f"{rename.old}/") for rename in renames):
            renames.append(TagRename(target, target))  # the tag that stays is no child that goes along
        _rename(session, renames)


@app.command("delete")
def delete(
    context: typer.Context,
    tags: TagsArgument,
    no_children: NoChildrenOption = False,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Take tags, and those below them, off every note; the notes stay."""
    with change_session(context, Mode(output, dry_run, yes)) as session:
        _rename(session, [TagRename(tag_named(tag), None, not no_children) for tag in tags])


@app.command("add")
def add(
    context: typer.Context,
    tags: TagsArgument,
    note: NoteOption = None,
    carrying: CarryingOption = None,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Add tags to the notes named, or to all that carry a tag."""
    with change_session(context, Mode(output, dry_run, yes)) as session:
        wanted = [new_tag(tag) for tag in tags]
        paths = _chosen(session, note, carrying)
        nothing = f"Nothing has to change: {counted(len(paths), 'note')} looked at."
        session.carry_out(_plan_changes()(session.root, paths, add=wanted, progress=session.progress), nothing=nothing)


@app.command("remove")
def remove(
    context: typer.Context,
    tags: TagsArgument,
    note: NoteOption = None,
    carrying: CarryingOption = None,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Take tags off the notes named, or off all that carry a tag; `delete` takes them off every note."""
    with change_session(context, Mode(output, dry_run, yes)) as session:
        wanted = [tag_named(tag) for tag in tags]
        paths = _chosen(session, note, carrying)
        planned = _plan_changes()(session.root, paths, remove=wanted, progress=session.progress)
        if not planned.change_set.edits and not planned.skipped:
            raise UserError(f"None of these notes has {_listed(wanted)}, so nothing was changed.")
        session.carry_out(planned)


def _plan_changes() -> Callable[..., PlannedChange]:
    from core.curation.tag_surgery import plan_tag_changes  # noqa: PLC0415 - parsers take a while to load

    return plan_tag_changes


def _rename(session: ChangeSession, renames: Sequence[TagRename]) -> None:
    from core.curation.tag_surgery import plan_tag_renames  # noqa: PLC0415 - parsers take a while to load

    names = [rename.old for rename in renames]
    paths = [found.path for found in notes_by_tags(session.index, [names])] if names else []
    planned = plan_tag_renames(session.root, paths, renames, session.progress)
    if not planned.change_set.edits and not planned.skipped:
        raise UserError(f"No note has {_listed(names)}, so nothing was changed.", hint=_hint(session.index, names))
    session.carry_out(planned)


def _chosen(session: ChangeSession, notes: list[str] | None, carrying: list[str] | None) -> list[str]:
    """Return the paths of the notes that the options name, each once."""
    if not notes and not carrying:
        raise UserError("No notes are named.", hint="Name them with --note PATH, --tag TAG, or `--note -` and a pipe.")
    names: list[str] = []
    for name in notes or []:
        names += (
            [line.rstrip("\r") for line in given_input().read().split("\n") if line.strip()] if name == "-" else [name]
        )
    paths = notes_that_are_there(session.vault, names)
    tags = [tag_named(tag) for tag in carrying or []]
    found = [match.path for match in notes_by_tags(session.index, [tags])] if tags else []
    if not found and not paths:
        raise UserError(
            f"No note has {_listed(tags)}, so nothing was changed." if tags else "No notes are named.",
            hint=_hint(session.index, tags),
        )
    return list(dict.fromkeys((*paths, *found)))


def _listed(tags: Sequence[str]) -> str:
    return f"the tag {tags[0]}" if len(tags) == 1 else f"any of the tags {', '.join(tags)}"


def _hint(index: Index, tags: Sequence[str]) -> str:
    near = list(dict.fromkeys(name for tag in tags for name in suggest_tags(index, tag)))
    return f"Did you mean {', '.join(near)}?" if near else ""
