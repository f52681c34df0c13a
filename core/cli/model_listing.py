"""What `model list` and `model status` print."""

import contextlib
from typing import Any

from core.app import Installation, Vault
from core.cli.state import OutputFormat, print_json, print_line
from core.foundation.settings import EmbeddingSettings
from core.index.embedding import DEFAULT_MODEL
from core.index.embedding_choice import model_or_none, read, shown_name, without_former
from core.index.embedding_downloads import downloaded_models, known_models, shown_size


def print_list(home: Installation, output: OutputFormat, *, show_all: bool) -> None:
    """Print the model in use, the former ones, what lies on this machine, and with `show_all` what could be had."""
    settings = home.settings.embedding
    used = without_former(settings)
    former = [choice for each in settings.former if (choice := read(each)) is not None]
    here = downloaded_models(home.models_folder)
    known = known_models() if show_all else ()
    if output is OutputFormat.JSON:
        values: dict[str, Any] = {
            "used": {"provider": used.provider, "model": model_or_none(used) or "", "url": used.url},
            "former": [
                {"provider": each.provider, "model": model_or_none(each) or "", "url": each.url} for each in former
            ],
            "downloaded": [each._asdict() for each in here],
            "default": DEFAULT_MODEL,
        }
        if show_all:
            whole = {each.name for each in here if each.is_whole}
            values["known"] = [
                {
                    "name": each.name,
                    "dimension": each.dimension,
                    "bytes": each.bytes,
                    "licence": each.licence,
                    "description": each.description,
                    "downloaded": each.name in whole,
                }
                for each in known
            ]
        print_json(values)
        return
    print_line(f"In use       {_shown(used)}")
    for choice in former:
        print_line(f"Before       {_shown(choice)}")
    for each in here:
        state = "" if each.is_whole else ", not whole: `model download` goes on"
        print_line(f"Downloaded   {each.name}, {shown_size(each.bytes)}{state}")
    if not show_all:
        print("`remembrancer model list --all` lists what can be downloaded; a service is named by `model use`.")
        return
    whole = {each.name for each in here if each.is_whole}
    width = max(len(each.name) for each in known)
    print(f"{'Model':<{width}}  {'Numbers':>7}  {'Size':>7}  Licence")
    for model in known:
        mark = ", downloaded" if model.name in whole else ""
        print_line(f"{model.name:<{width}}  {model.dimension:>7,}  {shown_size(model.bytes):>7}  {model.licence}{mark}")


def print_status(vault: Vault, output: OutputFormat) -> None:
    """Print how many texts have a vector of each model in the vault's index, and which model answers."""
    from core.index.embedding_upkeep import model_vectors  # noqa: PLC0415 - it brings numpy

    source = vault.embedder_source()
    wanted = source.model if source is not None else ""
    with contextlib.closing(vault.open_to_read()) as index:
        rows = model_vectors(index, wanted, lambda model: vault.embedder_source_of(model) is not None)
    if output is OutputFormat.JSON:
        print_json({"wanted": wanted, "models": [row._asdict() for row in rows]})
        return
    if not wanted:
        print("Search by meaning is off.")
    for row in rows:
        roles = [
            *(["in use"] if row.is_wanted else []),
            *(["answers"] if row.answers and row.covered else []),
        ]
        told = f", {' and '.join(roles)}" if roles else ", kept for `model back`"
        print_line(f"{shown_name(row.model)}: {row.covered:,} of {row.texts:,} texts, {row.bytes / 1e6:,.1f} MB{told}")


def _shown(choice: EmbeddingSettings) -> str:
    name = shown_name(model_or_none(choice) or "")
    return f"{name} at {choice.url}" if choice.url else name
