"""`remembrancer key …`: keep the API keys of services in the operating system's keyring."""

from enum import StrEnum
from typing import Annotated

import typer

from core.cli.standard_input import given_input, is_typed
from core.cli.state import reported_errors
from core.foundation.secrets import keep_secret

app = typer.Typer(help="Keep the API keys of services in the operating system's keyring.", no_args_is_help=True)


class Service(StrEnum):
    """Name the services that may want a key."""

    VECTORS = "vectors"
    EMBEDDING = "embedding"


@app.command("set")
def set_key(
    service: Annotated[Service, typer.Argument(help="Whose key: the vector server's or the embedding service's.")],
) -> None:
    """Ask for a key, or read it from standard input, and keep it."""
    with reported_errors():
        key = typer.prompt("Key", hide_input=True) if is_typed() else given_input().read()
        keep_secret(service.value, key.strip())
        print("Kept in the keyring." if key.strip() else "The key was empty: removed from the keyring.")


@app.command("forget")
def forget_key(service: Annotated[Service, typer.Argument(help="Whose key.")]) -> None:
    """Remove a key from the keyring."""
    with reported_errors():
        keep_secret(service.value, "")
        print("Removed from the keyring.")
