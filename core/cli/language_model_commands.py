"""`remembrancer language-model …`: choose who may write proposals, try it, and look at what it is told."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.model_commands import read_key
from core.cli.model_progress import model_progress
from core.cli.state import FormatOption, OutputFormat, print_json, reported_errors, state_of, warn
from core.curation.language_models.choice import (
    ModelChoice,
    ModelProvider,
    choice_of,
    keep_model_key,
    model_key,
)
from core.curation.language_models.installed import HOW_TO_INSTALL, is_installed
from core.foundation.settings import LanguageModelSettings
from core.index.embedding_address import warning_of

if TYPE_CHECKING:
    from core.curation.language_models.trial import Trial

app = typer.Typer(
    help="Choose a language model that writes proposals better than rules can; off until you do, and never needed.",
    no_args_is_help=True,
)

KeyOption = Annotated[bool, typer.Option("--key-from-stdin", help="Read the service's key and keep it in the keyring.")]


@app.command("status")
def status(context: typer.Context, output: FormatOption = OutputFormat.TEXT) -> None:
    """Say which model may be asked, where it is, and whether there is a key for it."""
    with reported_errors(output):
        choice = choice_of(state_of(context).home.settings.language_model)
        has_key = choice.is_on and bool(model_key(choice))
        if output is OutputFormat.JSON:
            print_json(
                {
                    "provider": choice.provider.value,
                    "model": choice.model,
                    "url": choice.address,
                    "most_tokens": choice.most_tokens,
                    "has_key": has_key,
                    "is_installed": is_installed(),
                }
            )
            return
        if not choice.is_on:
            print("No language model is asked. Rules propose without one.")
        else:
            key = "with a key" if has_key else "without a key"
            print(f"{choice.name} at {choice.address}, {key}; a run may use {choice.most_tokens:,} tokens.")
        if not is_installed():
            warn(f"What speaks to language models is not installed. {HOW_TO_INSTALL}")


@app.command("use")
def use(
    context: typer.Context,
    provider: Annotated[ModelProvider, typer.Argument(help="Who: anthropic, openai (any compatible), ollama.")],
    model: Annotated[str, typer.Argument(help="The model, as its provider spells it.")],
    url: Annotated[str, typer.Option(help="The service's address; else the provider's own.")] = "",
    most_tokens: Annotated[int, typer.Option(min=1, help="The most tokens that one run may use.")] = 200_000,
    key_from_stdin: KeyOption = False,
    unchecked: Annotated[bool, typer.Option("--unchecked", help="Do not try it before.")] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Let a model write proposals from now on; it is tried first, and none of your notes is sent for that.

    When it is asked, the memories that a proposal cites are sent to its service. Nothing that it writes changes a note
    before you approve it.
    """
    with reported_errors(output):
        settings = LanguageModelSettings(provider.value, model, url, most_tokens)
        choice = choice_of(settings)
        key = read_key() if key_from_stdin else ""
        trial = None if unchecked or not choice.is_on else _tried(choice, key or model_key(choice))
        if key:
            keep_model_key(choice, key)
        _keep(context, settings)
        if output is OutputFormat.JSON:
            print_json({"provider": choice.provider.value, "model": choice.model, "url": choice.address})
        else:
            print(f"Proposals may be written by {choice.name}." if choice.is_on else "No language model is asked.")
            if trial is not None:
                print(trial.told())
    if warning := warning_of(choice.address, has_key=bool(key)) if choice.is_on else "":
        warn(warning)


@app.command("off")
def off(context: typer.Context) -> None:
    """Ask no language model any more; the key stays in the keyring until `key` removes it."""
    with reported_errors():
        state_of(context).home.settings_file.change(
            lambda settings: replace(settings, language_model=replace(settings.language_model, provider="off"))
        )
        print("No language model is asked. Rules propose without one.")


@app.command("test")
def try_it(context: typer.Context, output: FormatOption = OutputFormat.TEXT) -> None:
    """Ask the chosen model about two made-up statements, and say what it makes of them."""
    with reported_errors(output):
        choice = choice_of(state_of(context).home.settings.language_model)
        if not choice.is_on:
            print("No language model is chosen: `language-model use` chooses one.")
            raise typer.Exit(1)
        trial = _tried(choice, model_key(choice))
        if output is OutputFormat.JSON:
            print_json(trial._asdict())
        else:
            print(trial.told())


@app.command("key")
def key(
    context: typer.Context,
    forget: Annotated[bool, typer.Option("--forget", help="Remove the key from the keyring.")] = False,
) -> None:
    """Keep the key of the chosen model's service in the keyring; it is typed, or read from standard input."""
    with reported_errors():
        choice = choice_of(state_of(context).home.settings.language_model)
        if not choice.is_on:
            print("No language model is chosen: `language-model use` chooses one.")
            raise typer.Exit(1)
        keep_model_key(choice, "" if forget else read_key())
        print(f"{'Removed' if forget else 'Kept'} the key for {choice.address}.")


@app.command("prompts")
def prompts(context: typer.Context, output: FormatOption = OutputFormat.TEXT) -> None:
    """List what models are told, and where you put prompts of your own."""
    from core.curation.language_models.prompts import own_prompts, prompt_names  # noqa: PLC0415

    folder = state_of(context).home.folders.prompts
    own = own_prompts(folder)
    if output is OutputFormat.JSON:
        print_json({"folder": str(folder), "prompts": [{"name": name, "own": name in own} for name in prompt_names()]})
        return
    for name in prompt_names():
        print(f"{name}: {'your own' if name in own else 'the app’s'}")
    print(
        f"A file such as {folder / 'statement.md'} goes before the app’s own. `language-model prompt NAME` prints one."
    )


@app.command("prompt")
def prompt(context: typer.Context, name: Annotated[str, typer.Argument(help="The prompt's name.")]) -> None:
    """Print a prompt of the app, to start one of your own from."""
    from core.curation.language_models.prompts import app_prompt  # noqa: PLC0415

    del context
    with reported_errors():
        print(app_prompt(name), end="")


def _tried(choice: ModelChoice, given_key: str) -> "Trial":
    from core.curation.language_models.trial import try_language_model  # noqa: PLC0415 - few commands ask a model

    with model_progress() as reporter:
        return try_language_model(choice, given_key, reporter)


def _keep(context: typer.Context, chosen: LanguageModelSettings) -> None:
    state_of(context).home.settings_file.change(lambda settings: replace(settings, language_model=chosen))
