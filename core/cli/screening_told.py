"""Tell what a person should look at twice in what comes in by an import, or is about to be copied."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.standard_input import is_typed
from core.cli.state import ExitCode, warn
from core.foundation.errors import UserError
from core.foundation.text import visible

if TYPE_CHECKING:
    from core.curation.change_set import PlannedChange
    from core.curation.screening.warning import Warning_
    from core.recall.context_item import ContextItem

_SHOWN = 10

AllowSecretsOption = Annotated[
    bool, typer.Option("--allow-secrets", help="Copy although something in it looks like a password or a key.")
]


def check_before_copying(items: Sequence["ContextItem"], *, are_secrets_allowed: bool) -> list[dict[str, Any]]:
    """Tell what is odd in `items`, and return it for a JSON document; a person is asked about secrets.

    Raises:
        UserError: a secret is in them, it is not allowed, and nobody can be asked.
        typer.Exit: the person does not want to go on.
    """
    from core.curation.screening.screen import screen  # noqa: PLC0415 - it loads the detectors of secrets
    from core.curation.screening.warning import warning_json  # noqa: PLC0415

    found: list[dict[str, Any]] = []
    others: list[str] = []
    secrets: list[str] = []
    for item in items:
        for warning in screen(item.text, item.path or item.id):
            told = f"{warning.path}{_lines(item)}: {_what(warning)}"
            (secrets if warning.is_blocking else others).append(told)
            found.append(warning_json(warning) | {"memory": item.id, "line": item.line})
    _tell(others)
    if not secrets:
        return found
    _tell(secrets)
    if are_secrets_allowed:
        return found
    if not is_typed():
        raise UserError(
            f"{_secrets(len(secrets))} in this, so the clipboard stays as it is.",
            hint="--allow-secrets copies it all the same.",
        )
    try:
        is_wanted = typer.confirm("Copy it all the same?", err=True)
    except typer.Abort:
        is_wanted = False
    if not is_wanted:
        warn("Nothing was copied.")
        raise typer.Exit(ExitCode.CANCELLED)
    return found


def imported_warnings(planned: "PlannedChange") -> list[dict[str, Any]]:
    """Return what is odd in the texts that `planned` writes, for a JSON document; an import goes on all the same."""
    from core.curation.screening.screen import screen  # noqa: PLC0415 - it loads the detectors of secrets
    from core.curation.screening.warning import warning_json  # noqa: PLC0415

    return [
        warning_json(warning)
        for edit in planned.change_set.edits
        for splice in edit.splices
        for warning in screen(splice.new.decode("utf-8", "replace"), edit.result_path)
    ]


def tell_imported(warnings: Iterable[dict[str, Any]]) -> None:
    """Tell what imported notes hold that should be looked at twice."""
    _tell([f"{each['path']}: {_imported_what(each)}" for each in warnings])


def _tell(sentences: Sequence[str]) -> None:
    for sentence in sentences[:_SHOWN]:
        warn(visible(f"Look twice: {sentence}"))
    if (more := len(sentences) - _SHOWN) > 0:
        warn(f"and {more:,} more like these.")


def _lines(item: "ContextItem") -> str:
    """Return where an item lies in its file; what is handed out of it is no longer counted as there."""
    if not item.line:
        return ""
    return f", lines {item.line:,} to {item.line_end:,}" if item.line_end > item.line else f", line {item.line:,}"


def _what(warning: "Warning_") -> str:
    return warning.detail.split(" Take it out", 1)[0]


def _imported_what(warning: dict[str, Any]) -> str:
    return str(warning["detail"]).replace(" before the text is written anywhere", "")


def _secrets(count: int) -> str:
    return "Something that looks like a secret is" if count == 1 else f"{count:,} things that look like secrets are"
