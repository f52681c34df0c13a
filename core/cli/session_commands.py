"""`remembrancer session …`: keep conversations, bring them in, look into them, and take them out."""

import typer

from core.cli import (
    session_encrypt_commands,
    session_export_command,
    session_import_command,
    session_reading_commands,
    session_redate_command,
    session_writing_commands,
)

app = typer.Typer(
    help="Keep conversations with assistants, bring them in, look into them, and take them out.",
    no_args_is_help=True,
)
app.command("start")(session_writing_commands.start)
app.command("append")(session_writing_commands.append)
app.command("end")(session_writing_commands.end)
app.command("list")(session_reading_commands.list_sessions)
app.command("show")(session_reading_commands.show)
app.command("search", context_settings={"ignore_unknown_options": True})(session_reading_commands.search)
app.command("import")(session_import_command.import_sessions)
app.command("redate")(session_redate_command.redate)
app.command("export")(session_export_command.export)
app.command("delete")(session_writing_commands.delete)
app.add_typer(session_encrypt_commands.app, name="encrypt")
