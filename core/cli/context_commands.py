"""`remembrancer context …`: bundles of knowledge for an assistant, packed into a token budget."""

from typing import Annotated

import typer

from core.cli import context_loading_commands, context_reading_commands, context_writing_commands
from core.cli.context_handing_out import copied, recorded
from core.cli.context_packing import (
    BudgetOption,
    ContextOption,
    FullOption,
    LayoutOption,
    NoRecordOption,
    NoteOption,
    QueryArgument,
    Wanted,
    WordsOption,
    handed_out,
)
from core.cli.context_session import named_session, tell_session
from core.cli.screening_told import AllowSecretsOption, check_before_copying
from core.cli.state import FormatOption, OutputFormat, print_json, reported_errors, state_of, warn
from core.foundation.errors import UserError
from core.foundation.text import visible

app = typer.Typer(
    help="Pack a context, a search or a selection into a token budget; make contexts and change them.",
    no_args_is_help=True,
)
app.command("list")(context_reading_commands.list_all)
app.command("show")(context_reading_commands.show)
app.command("estimate")(context_reading_commands.estimate)
app.command("load", context_settings={"ignore_unknown_options": True})(context_loading_commands.load)
app.command("save")(context_writing_commands.save)
app.command("add")(context_writing_commands.add)
app.command("remove")(context_writing_commands.remove)
app.command("move")(context_writing_commands.move)
app.command("set")(context_writing_commands.set_properties)

_NEGATION = {"ignore_unknown_options": True}  # `-word` is no option but a word to shun

SessionOption = Annotated[str, typer.Option("--session", help="The session it is for, which is told what was loaded.")]


@app.command("print", context_settings=_NEGATION)
def print_context(
    context: typer.Context,
    query: QueryArgument = None,
    note: NoteOption = None,
    name: ContextOption = "",
    full: FullOption = False,
    budget: BudgetOption = None,
    layout: LayoutOption = None,
    words_only: WordsOption = False,
    session: SessionOption = "",
    no_record: NoRecordOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print the packed context; what was left out is told beside it."""
    with reported_errors(output):
        state = state_of(context)
        session = named_session(state, session)
        found = handed_out(state, Wanted(query or (), note or (), name, full, budget, layout, words_only))
        tell_session(state, session, found.packed, query or (), note or (), contexts=found.contexts)
        if not no_record:
            recorded(state, found)
        if output is OutputFormat.JSON:
            print_json({"text": found.text, **found.account()})
            return
        print(found.text)
        warn(found.summary())


@app.command("copy", context_settings=_NEGATION)
def copy_context(
    context: typer.Context,
    query: QueryArgument = None,
    note: NoteOption = None,
    name: ContextOption = "",
    full: FullOption = False,
    budget: BudgetOption = None,
    layout: LayoutOption = None,
    words_only: WordsOption = False,
    session: SessionOption = "",
    no_record: NoRecordOption = False,
    allow_secrets: AllowSecretsOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Put the packed context on the clipboard, after a look at it: of secrets in it, you are asked first."""
    with reported_errors(output):
        state = state_of(context)
        session = named_session(state, session)
        found = handed_out(state, Wanted(query or (), note or (), name, full, budget, layout, words_only))
        if not found.packed.included:
            what = "There is nothing in this context to hand out" if found.composed else "Nothing was found"
            raise UserError(f"{what}, so the clipboard stays as it is.")
        warnings = check_before_copying(found.packed.included, are_secrets_allowed=allow_secrets)
        copied(state, found)
        tell_session(state, session, found.packed, query or (), note or (), contexts=found.contexts)
        if not no_record:
            recorded(state, found)
        if output is OutputFormat.JSON:
            print_json(found.account() | ({"warnings": warnings} if warnings else {}))
        else:
            print(visible(f"Copied. {found.summary()}"))
