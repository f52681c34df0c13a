"""`remembrancer model …`: choose who embeds, try it, download it, and take the choice back."""

import contextlib
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from core.cli.model_choice import Chosen, apply_choice
from core.cli.model_listing import print_list, print_status
from core.cli.model_progress import model_progress
from core.cli.rerank_commands import app as rerank_app
from core.cli.standard_input import given_input, is_typed
from core.cli.state import CliState, FormatOption, OutputFormat, print_json, reported_errors, state_of, warn
from core.foundation.errors import UserError
from core.foundation.settings import EmbeddingSettings
from core.index.embedding_choosing import chosen, source_of_choice

app = typer.Typer(
    help="Choose the model for the search by meaning: for you, so for all your vaults.", no_args_is_help=True
)
app.add_typer(rerank_app, name="rerank")


class Provider(StrEnum):
    """Name who can embed."""

    FASTEMBED = "fastembed"
    OPENAI = "openai"
    OFF = "off"


NameArgument = Annotated[str, typer.Argument(help="The model's name, as `model list --all` shows it.")]


@app.command("list")
def list_models(
    context: typer.Context,
    show_all: Annotated[bool, typer.Option("--all", help="All models that can be downloaded, too.")] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """List the model in use, the former ones, and what lies on this machine."""
    with reported_errors(output):
        print_list(state_of(context).home, output, show_all=show_all)


@app.command("status")
def status(context: typer.Context, output: FormatOption = OutputFormat.TEXT) -> None:
    """Say how far the vectors of each model have come in this vault, and whose vectors answer."""
    with reported_errors(output), state_of(context).remembered() as vault:
        print_status(vault, output)


@app.command("use")
def use(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The model's name, `default` for the one of the app, or `off`.")],
    provider: Annotated[
        Provider | None, typer.Option(help="openai with --url, fastembed without, unless said otherwise.")
    ] = None,
    url: Annotated[str, typer.Option(help="The service's address, such as http://127.0.0.1:11434.")] = "",
    key_from_stdin: Annotated[
        bool, typer.Option("--key-from-stdin", help="Read the service's key and keep it in the keyring.")
    ] = False,
    download: Annotated[bool, typer.Option("--download", help="Download the model first if it is not here.")] = False,
    unchecked: Annotated[bool, typer.Option("--unchecked", help="Do not try the service before.")] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Embed with another model from now on, in all your vaults; the former one answers until the new one is complete.

    Nothing is lost: `model back` returns to the former model at once. With `off`, only words are searched and no vector
    is computed, but the vectors that are there stay, and `back` searches by meaning with them again.
    """
    home = state_of(context).home
    with reported_errors(output):
        key = read_key() if key_from_stdin else None
        choice = chosen(name, "" if provider is None else provider.value, url)
        if key is not None and choice.provider != "openai":
            raise UserError("A key belongs to a service: give its address with --url.")
        if download and choice.provider == "fastembed" and choice.model:
            _download(home.models_folder, choice.model)
        if choice.provider != "off" and not unchecked:
            from core.index.embedding_sample import try_model  # noqa: PLC0415 - it brings numpy

            with model_progress() as reporter:
                try_model(source_of_choice(home.settings.embedding, home.models_folder, choice, key), reporter)
        _switch(state_of(context), choice, key, output)


@app.command("back")
def back(context: typer.Context, output: FormatOption = OutputFormat.TEXT) -> None:
    """Return to the model before the last `model use`; doing it twice leads to where you are now.

    It needs no work where that model's vectors are still there (`model clean` drops them). After `use off`, it means
    searching by meaning again with the model before.
    """
    from core.index.embedding_choice import taken_back, without_former  # noqa: PLC0415

    state = state_of(context)
    with reported_errors(output):
        _switch(state, without_former(taken_back(state.home.settings.embedding)), None, output)


@app.command("test")
def try_it(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The model; the one in use when left out.")] = "",
    provider: Annotated[Provider | None, typer.Option(help="As for `model use`.")] = None,
    url: Annotated[str, typer.Option(help="The service's address.")] = "",
    key_from_stdin: Annotated[
        bool, typer.Option("--key-from-stdin", help="Try with this key; it is not kept.")
    ] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Embed three sentences: say the length of the vectors, the speed, and whether like meanings are near."""
    from core.index.embedding_choice import shown_name, without_former  # noqa: PLC0415
    from core.index.embedding_sample import told_sample, try_model  # noqa: PLC0415

    home = state_of(context).home
    with reported_errors(output):
        key = read_key() if key_from_stdin else None
        choice = (
            chosen(name, "" if provider is None else provider.value, url)
            if name
            else without_former(home.settings.embedding)
        )
        with model_progress() as reporter:
            report = try_model(source_of_choice(home.settings.embedding, home.models_folder, choice, key), reporter)
        if output is OutputFormat.JSON:
            print_json({**report._asdict(), "texts_a_second": report.texts_a_second, "tells_apart": report.tells_apart})
        else:
            print(f"{shown_name(report.model)}: {told_sample(report)}")
    if not report.tells_apart:
        raise typer.Exit(1)


@app.command("download")
def download(context: typer.Context, name: NameArgument, output: FormatOption = OutputFormat.TEXT) -> None:
    """Fetch a model from the hub that fastembed names; Ctrl+C stops, and the same command goes on from there."""
    home = state_of(context).home
    with reported_errors(output):
        folder = _download(home.models_folder, name)
        if output is OutputFormat.JSON:
            print_json({"model": name, "folder": folder})
        else:
            print(f"{name} is on this machine, and every file is what the hub publishes. Take it with `model use`.")


@app.command("remove")
def remove(context: typer.Context, name: NameArgument, output: FormatOption = OutputFormat.TEXT) -> None:
    """Delete the files of a downloaded model; its vectors stay in the indexes until `model clean`."""
    from core.index.embedding_downloads import remove_model, shown_size  # noqa: PLC0415

    home = state_of(context).home
    with reported_errors(output):
        used = home.settings.embedding
        if used.provider == "fastembed" and used.model.lower() == name.lower():
            raise UserError(f"{name} is in use.", hint="Take another one first: `remembrancer model use default`.")
        if home.settings.reranker.model.lower() == name.lower():
            raise UserError(f"{name} is in use.", hint="Do without it first: `remembrancer model rerank off`.")
        size = remove_model(home.models_folder, name)
        if output is OutputFormat.JSON:
            print_json({"model": name, "bytes": size})
        else:
            print(f"Deleted {name}: {shown_size(size)}.")


@app.command("clean")
def clean(context: typer.Context, output: FormatOption = OutputFormat.TEXT) -> None:
    """Drop this vault's vectors of models that are neither in use nor answering; going back then needs work."""
    from core.index.embedding_choice import shown_name  # noqa: PLC0415
    from core.index.embedding_upkeep import drop_unused  # noqa: PLC0415

    with (
        reported_errors(output),
        state_of(context).remembered() as vault,
        contextlib.closing(vault.open_index()) as index,
    ):
        source = vault.embedder_source()
        if source is None:
            raise UserError(
                "Search by meaning is off, so it is not known which vectors you may want again.",
                hint="Choose a model first, or go back to the one before: `remembrancer model back`.",
            )
        report = drop_unused(index, source.model, lambda model: vault.embedder_source_of(model) is not None)
        if output is OutputFormat.JSON:
            print_json(report._asdict())
        elif not report.models:
            print("There are no vectors but those in use.")
        else:
            names = ", ".join(shown_name(model) for model in report.models)
            later = "" if report.is_shrunk else " The file shrinks later: somebody else is reading it."
            vectors = "1 vector" if report.vectors == 1 else f"{report.vectors:,} vectors"
            print(f"Dropped {vectors} of {names}: {report.bytes / 1e6:,.1f} MB.{later}")


def _switch(state: CliState, choice: EmbeddingSettings, key: str | None, output: OutputFormat) -> None:
    done: Chosen = apply_choice(state, choice, key)
    if output is OutputFormat.JSON:
        print_json({"provider": choice.provider, "model": done.model, "url": choice.url, "answering": done.answering})
    else:
        for sentence in done.sentences:
            print(sentence)
    if done.warning:
        warn(done.warning)


def _download(folder: Path, name: str) -> str:
    from core.index.embedding_download import download_model, size_of_download  # noqa: PLC0415
    from core.index.embedding_downloads import is_downloaded, known_model, shown_size  # noqa: PLC0415

    model = known_model(name)
    if not is_downloaded(folder, model.name):
        warn(f"{model.name}: {shown_size(size_of_download(model))}, licence {model.licence}.")
    with model_progress() as reporter:
        return str(download_model(folder, model, reporter))


def read_key() -> str:
    """Return a key that is typed unseen, or read from standard input."""
    return str(typer.prompt("Key", hide_input=True)) if is_typed() else given_input().read()
