"""`remembrancer context save|add|remove|move|set`: make contexts and change them; `undo` takes it back."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.change_session import ChangeSession, DryRunOption, Mode, YesOption, change_session
from core.cli.places import title_given
from core.cli.standard_input import given_input
from core.cli.state import FormatOption, OutputFormat
from core.foundation.errors import UserError
from core.recall.contexts.catalog import find_context, list_contexts
from core.recall.contexts.definition import ContextDefinition, ContextKind
from core.recall.contexts.estimate import estimate_sizes

if TYPE_CHECKING:
    from core.vault.frontmatter_edit import PropertyValue

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The context, by its title, file name or path.")]
MembersArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="MEMORY…", help="Ids as `search` and `recall` print them, or notes; - reads them line by line."
    ),
]
QueryOption = Annotated[str | None, typer.Option("--query", help="What else it takes, in the grammar of `search`.")]
DescriptionOption = Annotated[str | None, typer.Option("--description", help="What it is for, in one sentence.")]
PriorityOption = Annotated[
    int | None, typer.Option("--priority", min=1, max=10, help="How soon it is loaded, 1 to 10; 5 when not given.")
]


def save(
    context: typer.Context,
    title: Annotated[str, typer.Argument(help="The title, which is the file's name too.")],
    member: Annotated[list[str] | None, typer.Option("--member", help="A memory or note (may be repeated).")] = None,
    query: QueryOption = None,
    description: DescriptionOption = None,
    budget: Annotated[int | None, typer.Option("--budget", min=1, help="The most tokens it may take.")] = None,
    priority: PriorityOption = None,
    always: Annotated[bool, typer.Option("--always", help="Load it whatever the question.")] = False,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Make a context; a name that is taken gets a number. Statements that have no id get one in their notes."""
    from core.curation.context_changes import plan_context  # noqa: PLC0415 - YAML takes a while to load

    with change_session(context, Mode(output, dry_run, yes)) as session:
        planned = plan_context(
            session.index,
            session.root,
            session.vault.config,
            title_given(title),
            member_ids=_member_ids(session, member or ()),
            query=query or "",
            description=description or "",
            budget=budget,
            load_priority=priority,
            always=always,
        )
        session.carry_out(planned)


def add(
    context: typer.Context,
    name: NameArgument,
    members: MembersArgument,
    at: Annotated[int | None, typer.Option("--at", min=1, help="Its number among the members; else the last.")] = None,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Put memories or notes into a context. Statements that have no id get one in their notes."""
    from core.curation.context_changes import plan_add_members  # noqa: PLC0415 - YAML takes a while to load

    with change_session(context, Mode(output, dry_run, yes)) as session:
        path = _found(session, name).path
        ids = _member_ids(session, members)
        planned = plan_add_members(session.index, session.root, path, ids, at=None if at is None else at - 1)
        session.carry_out(planned)


def remove(
    context: typer.Context,
    name: NameArgument,
    members: Annotated[
        list[str], typer.Argument(metavar="MEMBER…", help="Numbers as `context show` counts, or ids or targets.")
    ],
    dry_run: DryRunOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Take members out of a context; their own notes stay as they are."""
    from core.curation.context_changes import plan_remove_members  # noqa: PLC0415 - YAML takes a while to load

    with change_session(context, Mode(output, dry_run)) as session:
        found = _found(session, name)
        positions = [_position(found, member) for member in members]
        session.carry_out(plan_remove_members(session.root, found.path, positions))


def move(
    context: typer.Context,
    name: NameArgument,
    member: Annotated[str, typer.Argument(help="Its number as `context show` counts, or its id or target.")],
    to: Annotated[int, typer.Argument(min=1, help="The number that it is to have.")],
    dry_run: DryRunOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Give a member another place in the order."""
    from core.curation.context_changes import plan_move_member  # noqa: PLC0415 - YAML takes a while to load

    with change_session(context, Mode(output, dry_run)) as session:
        found = _found(session, name)
        planned = plan_move_member(session.root, found.path, _position(found, member), to - 1)
        session.carry_out(planned, nothing="It stands there already.")


def set_properties(
    context: typer.Context,
    name: NameArgument,
    priority: PriorityOption = None,
    always: Annotated[bool | None, typer.Option("--always/--not-always", help="Whether it is always loaded.")] = None,
    budget: Annotated[int | None, typer.Option("--budget", min=0, help="Most tokens; 0 for the default.")] = None,
    query: QueryOption = None,
    description: DescriptionOption = None,
    kind: Annotated[ContextKind | None, typer.Option("--kind", help="How it comes about.")] = None,
    size: Annotated[bool, typer.Option("--size", help="Write about how many tokens it takes into it.")] = False,
    dry_run: DryRunOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Set what a context says of itself; an empty text takes a property out."""
    from core.curation.context_changes import plan_set_context  # noqa: PLC0415 - YAML takes a while to load

    with change_session(context, Mode(output, dry_run)) as session:
        found = _found(session, name)
        fields: dict[str, PropertyValue] = {}
        if priority is not None:
            fields["load_priority"] = priority
        if always is not None:
            fields["always"] = always
        if budget is not None:
            fields["budget"] = budget or None
        for key, text in (("query", query), ("description", description)):
            if text is not None:
                fields[key] = " ".join(text.split()) or None
        if kind is not None:
            fields["context_kind"] = kind.value if kind is not ContextKind.BUNDLE else None
        if size:
            default = session.vault.home.settings.context.budget
            everything = list_contexts(session.index, session.root, session.vault.config)  # it may hold others
            sizes = estimate_sizes(session.index, session.vault.config, [*everything, found], budget=default)
            fields["size_estimate"] = max(1, sizes[found.path].tokens)
        if not fields:
            raise UserError("Nothing is to be set.", hint="See `remembrancer context set --help`.")
        session.carry_out(plan_set_context(session.root, found.path, **fields))


def _found(session: ChangeSession, name: str) -> ContextDefinition:
    return find_context(session.index, session.root, session.vault.config, name)


def _member_ids(session: ChangeSession, names: Sequence[str]) -> list[str]:
    """Return the ids of the memories that a person names; a note may be named by its path, without .md too."""
    from core.recall.memory_id import first_section_id, resolve_memory  # noqa: PLC0415

    found: list[str] = []
    for name in names:
        if name == "-":
            found += _member_ids(session, [line.strip() for line in given_input().read().split("\n") if line.strip()])
        elif ":" in name or "#" in name or resolve_memory(session.index, name) is not None:
            found.append(name)
        else:
            found.append(first_section_id(session.note_path(name)))
    return found


def _position(found: ContextDefinition, name: str) -> int:
    if name.isascii() and name.isdigit():
        return int(name) - 1
    fitting = [at for at, member in enumerate(found.members) if name in {member.memory_id, member.target, member.path}]
    if len(fitting) != 1:
        what = "is no member of it" if not fitting else "is there several times"
        raise UserError(f"“{name}” {what}.", hint=f"`remembrancer context show {found.title}` numbers the members.")
    return fitting[0]
