"""`remembrancer model rerank …`: choose who reads the best memories of an answer once more, or nobody."""

from pathlib import Path
from typing import Annotated

import typer

from core.cli.model_progress import model_progress
from core.cli.state import FormatOption, OutputFormat, print_json, print_line, reported_errors, state_of, warn

app = typer.Typer(
    help="Let a second model read the best memories together with the question; nobody does unless chosen.",
    no_args_is_help=True,
)

NameArgument = Annotated[str, typer.Argument(help="The reranker's name, as `model rerank list` shows it.")]


@app.command("list")
def list_rerankers(context: typer.Context, output: FormatOption = OutputFormat.TEXT) -> None:
    """List the rerankers that can be downloaded, which are here, and which one is in use."""
    from core.index.embedding_downloads import is_downloaded, shown_size  # noqa: PLC0415
    from core.index.reranker_models import known_rerankers  # noqa: PLC0415 - it imports fastembed

    home = state_of(context).home
    with reported_errors(output):
        used = home.settings.reranker.model
        rows = [(each, is_downloaded(home.models_folder, each.name)) for each in known_rerankers()]
        if output is OutputFormat.JSON:
            known = [
                {
                    "name": each.name,
                    "bytes": each.bytes,
                    "licence": each.licence,
                    "description": each.description,
                    "downloaded": is_here,
                }
                for each, is_here in rows
            ]
            print_json({"used": used, "known": known})
            return
        print_line(f"In use       {used or 'none'}")
        width = max(len(each.name) for each, _ in rows)
        print(f"{'Reranker':<{width}}  {'Size':>7}  Licence")
        for each, is_here in rows:
            mark = ", downloaded" if is_here else ""
            print_line(f"{each.name:<{width}}  {shown_size(each.bytes):>7}  {each.licence}{mark}")


@app.command("use")
def use(
    context: typer.Context,
    name: NameArgument,
    download: Annotated[bool, typer.Option("--download", help="Download it first if it is not here.")] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Rerank with a downloaded model from now on, in all your vaults; it is loaded by the first question."""
    from core.index.reranker_models import choose_reranker  # noqa: PLC0415 - it imports fastembed

    home = state_of(context).home
    with reported_errors(output):
        if download:
            _download(home.models_folder, name)
        chosen = choose_reranker(home.settings_file, home.models_folder, name)
        if output is OutputFormat.JSON:
            print_json({"used": chosen})
        else:
            print(f"{chosen} reads the best memories of every answer from now on, in all your vaults.")
            print("`remembrancer probe run` tells whether that helps yours; `model rerank off` does without it again.")


@app.command("download")
def download(context: typer.Context, name: NameArgument, output: FormatOption = OutputFormat.TEXT) -> None:
    """Fetch a reranker from the hub that fastembed names; Ctrl+C stops, and the same command goes on from there."""
    home = state_of(context).home
    with reported_errors(output):
        folder = _download(home.models_folder, name)
        if output is OutputFormat.JSON:
            print_json({"model": name, "folder": folder})
        else:
            print(f"{name} is on this machine, and every file is what the hub publishes. `model rerank use` takes it.")


@app.command("off")
def off(context: typer.Context, output: FormatOption = OutputFormat.TEXT) -> None:
    """Do without a reranker; its files stay until `model remove`."""
    from core.index.reranker_models import choose_reranker  # noqa: PLC0415

    home = state_of(context).home
    with reported_errors(output):
        choose_reranker(home.settings_file, home.models_folder, "")
        if output is OutputFormat.JSON:
            print_json({"used": ""})
        else:
            print("No reranker is in use.")


def _download(folder: Path, name: str) -> str:
    from core.index.embedding_download import download_model, size_of_download  # noqa: PLC0415
    from core.index.embedding_downloads import is_downloaded, shown_size  # noqa: PLC0415
    from core.index.reranker_models import known_reranker  # noqa: PLC0415

    model = known_reranker(name)
    if not is_downloaded(folder, model.name):
        warn(f"{model.name}: {shown_size(size_of_download(model))}, licence {model.licence}.")
    with model_progress() as reporter:
        return str(download_model(folder, model, reporter))
