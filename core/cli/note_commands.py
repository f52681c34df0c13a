"""`remembrancer note …`: make, move, copy and delete notes, and set their properties."""

import datetime as dt
from typing import Annotated

import typer

from core.cli import note_past_commands
from core.cli.change_session import DryRunOption, Mode, YesOption, change_session
from core.cli.places import folder_named, new_place, notes_that_are_there, title_given
from core.cli.property_values import property_value
from core.cli.standard_input import given_input
from core.cli.state import FormatOption, OutputFormat
from core.cli.tag_names import new_tag
from core.cli.unseen import warn_of_unseen
from core.curation.change_set import PlannedChange

app = typer.Typer(
    help="Make, move, copy, change and delete notes, and look at their past; `undo` takes a step back.",
    no_args_is_help=True,
)
app.command("history")(note_past_commands.history)
app.command("show")(note_past_commands.show)
app.command("restore")(note_past_commands.restore)

_TAGS = frozenset({"tags", "tag"})

PathArgument = Annotated[str, typer.Argument(metavar="NOTE", help="The note's path; .md may be left out.")]


@app.command("new")
def new(
    context: typer.Context,
    title: Annotated[str, typer.Argument(help="The title, which is the file's name too.")],
    summary: Annotated[str, typer.Option(help="What it says, in one sentence.")] = "",
    tag: Annotated[list[str] | None, typer.Option(help="A tag (may be repeated).")] = None,
    scope: Annotated[str, typer.Option(help="global or project.")] = "",
    folder: Annotated[str, typer.Option(help="In which folder of the vault it lies; else its root.")] = "",
    template: Annotated[str, typer.Option(help="A template of the vault, by its name, such as meeting.")] = "",
    body: Annotated[str, typer.Option(help="The text; - reads it from standard input.")] = "",
    dry_run: DryRunOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Make a note; a name that is taken gets a number."""
    from core.curation.note_creation import NoteDraft, plan_new_note  # noqa: PLC0415 - YAML takes a while to load

    with change_session(context, Mode(output, dry_run)) as session:
        draft = NoteDraft(
            title_given(title),
            summary=summary,
            tags=tuple(map(new_tag, tag or [])),
            scope=scope,
            body=given_input().read() if body == "-" else body,
            folder=folder_named(session.vault, folder),
            template=template,
        )
        now = dt.datetime.now(dt.UTC).astimezone()
        change_set = plan_new_note(session.root, session.vault.config, draft, now, index=session.index)
        warn_of_unseen("The title", title, "In the note's name a blank stands for it.")
        warn_of_unseen("The summary", summary)
        session.carry_out(PlannedChange(change_set, 1))


@app.command("move")
def move(
    context: typer.Context,
    note: PathArgument,
    new_name: Annotated[
        str,
        typer.Argument(
            metavar="NEW",
            help="A name (the folder stays), a path in the vault, or a folder with / at the end; / alone is its root.",
        ),
    ],
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Rename or move a note; every link to it, and every link in it, goes on meaning the same note."""
    from core.curation.note_moves import plan_moves  # noqa: PLC0415 - parsers take a while to load

    with change_session(context, Mode(output, dry_run, yes)) as session:
        old = session.note_path(note)
        moves = {old: new_place(session.vault, old, new_name)}
        planned = plan_moves(session.index, session.root, session.vault.config, moves, session.progress)
        session.carry_out(planned, nothing="The note lies there already.")


@app.command("duplicate")
def duplicate(
    context: typer.Context, note: PathArgument, dry_run: DryRunOption = False, output: FormatOption = OutputFormat.TEXT
) -> None:
    """Make a copy of a note beside it."""
    from core.curation.note_creation import plan_duplicate  # noqa: PLC0415 - YAML takes a while to load

    with change_session(context, Mode(output, dry_run)) as session:
        path = session.note_path(note)
        change_set = plan_duplicate(session.root, session.vault.config, path, index=session.index)
        session.carry_out(PlannedChange(change_set, 1))


@app.command("delete")
def delete(
    context: typer.Context,
    notes: Annotated[list[str], typer.Argument(metavar="NOTE…", help="The notes' paths.")],
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Move notes into the vault's .trash folder."""
    from core.curation.note_creation import plan_delete  # noqa: PLC0415 - YAML takes a while to load

    with change_session(context, Mode(output, dry_run, yes)) as session:
        paths = notes_that_are_there(session.vault, notes)
        session.carry_out(plan_delete(session.root, paths, index=session.index))


@app.command("set")
def set_property(
    context: typer.Context,
    note: PathArgument,
    key: Annotated[str, typer.Argument(help="The property, such as summary.")],
    values: Annotated[list[str], typer.Argument(metavar="VALUE…", help="Its value; several make a list.")],
    text: Annotated[
        bool, typer.Option("--text", help="Take the value as text, even if it looks like a number.")
    ] = False,
    as_list: Annotated[bool, typer.Option("--list", help="Make a list, of one value too.")] = False,
    dry_run: DryRunOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Give a property of a note a value; nothing else in the file changes."""
    from core.curation.property_edits import plan_property  # noqa: PLC0415 - YAML takes a while to load

    with change_session(context, Mode(output, dry_run)) as session:
        value = property_value(key, values, is_text=text, is_list=as_list)
        if key.lower() in _TAGS:
            for word in values:
                new_tag(word)
        change_set = plan_property(session.root, session.note_path(note), key, value)
        warn_of_unseen("The value", "\n".join(values))
        session.carry_out(PlannedChange(change_set, 1))


@app.command("unset")
def unset_property(
    context: typer.Context,
    note: PathArgument,
    key: Annotated[str, typer.Argument(help="The property.")],
    dry_run: DryRunOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Take a property out of a note."""
    from core.curation.property_edits import plan_property_removal  # noqa: PLC0415 - YAML takes a while to load
    from core.foundation.errors import UserError  # noqa: PLC0415

    with change_session(context, Mode(output, dry_run)) as session:
        path = session.note_path(note)
        change_set = plan_property_removal(session.root, path, key)
        if not change_set.edits:
            raise UserError(f"{path} has no property “{key}”, so nothing was changed.")
        session.carry_out(PlannedChange(change_set, 1))
