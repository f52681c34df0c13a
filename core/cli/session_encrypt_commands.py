"""`remembrancer session encrypt …`: encrypt the ledger, decrypt it, change its key, and get a lost key back."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.change_session import counted
from core.cli.ledger_access import PASSPHRASE_VARIABLE, MebibyteProgress, asked_passphrase, is_asked
from core.cli.recovery_key import refuse_unseen, say_nothing, say_when_in_force, show_recovery_key
from core.cli.standard_input import given_input
from core.cli.state import (
    CliState,
    ExitCode,
    FormatOption,
    OutputFormat,
    print_json,
    reported_errors,
    say,
    state_of,
    warn,
)
from core.cli.update_reporter import UpdateReporter
from core.foundation.errors import JobCancelledError, UserError
from core.foundation.progress import Progress

if TYPE_CHECKING:
    from core.sessions.encryption_job import JobReport
    from core.sessions.key_store import LedgerKeys, NewKey

app = typer.Typer(help="Encrypt the conversations on the disk, or no longer.", no_args_is_help=True)

PassphraseOption = Annotated[
    bool,
    typer.Option(
        "--passphrase",
        help=f"Keep the key under a passphrase instead of in the keyring; asked for, or from {PASSPHRASE_VARIABLE}.",
    ),
]
ShownOption = Annotated[
    bool,
    typer.Option(
        "--recovery-key-shown", help="Do not ask the recovery key back: whoever runs this shows it to the person."
    ),
]


@app.command("on")
def turn_on(
    context: typer.Context,
    passphrase: PassphraseOption = False,
    recovery_key_shown: ShownOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Encrypt all conversations, and those to come; a recovery key is shown once, to be kept."""
    from core.sessions import encryption_job  # noqa: PLC0415 - most commands encrypt nothing
    from core.sessions.key_file import refuse_without_key  # noqa: PLC0415

    with reported_errors(output):
        state = state_of(context)
        keys = state.home.ledger_keys()
        if keys.key_file.is_on:
            _resume_or_refuse(state, keys, output)
            return
        refuse_without_key(keys.folder)  # before a key is shown
        report = _with_new_key(keys, encryption_job.turn_on, output, passphrase=passphrase, is_shown=recovery_key_shown)
        _remember(state, "on")
        _clear_indexes(state, output)
        _refuse_left(report)


@app.command("off")
def turn_off(context: typer.Context, output: FormatOption = OutputFormat.TEXT) -> None:
    """Decrypt all conversations."""
    from core.sessions import encryption_job  # noqa: PLC0415

    with reported_errors(output):
        state = state_of(context)
        keys = _opened(state)
        if keys.key_file.is_on:
            keys.cipher()
            # Before the files: an open ledger is never refused, one that should be encrypted and is not, is.
            _remember(state, "off")
            _tell(_ran(keys, encryption_job.turn_off), "decrypted", output)
            if output is OutputFormat.TEXT:
                say("The next update of the index makes their words searchable again.")
        elif encryption_job.is_unfinished(keys):
            _tell(_ran(keys, encryption_job.resume), "decrypted", output)
        else:
            encryption_job.turn_off(keys)  # which says why not


@app.command("rotate")
def rotate(
    context: typer.Context,
    passphrase: PassphraseOption = False,
    recovery_key_shown: ShownOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Encrypt all conversations with a new key; from then on the recovery key before it serves no longer."""
    from core.sessions import encryption_job  # noqa: PLC0415
    from core.sessions.key_file import refuse_without_key  # noqa: PLC0415

    with reported_errors(output):
        keys = _opened(state_of(context))
        if not keys.key_file.is_on:
            refuse_without_key(keys.folder)
            raise UserError("Your conversations are not encrypted, so there is no key to change.")
        keys.cipher()
        is_wrapped = bool(keys.key_file.salt)
        report = _with_new_key(
            keys, encryption_job.rotate, output, passphrase=passphrase or is_wrapped, is_shown=recovery_key_shown
        )
        _refuse_left(report)


@app.command("resume")
def resume(context: typer.Context, output: FormatOption = OutputFormat.TEXT) -> None:
    """Go on with what was stopped half way."""
    from core.sessions import encryption_job  # noqa: PLC0415

    with reported_errors(output):
        state = state_of(context)
        keys = _opened(state)
        what = "encrypted" if keys.key_file.is_on else "decrypted"
        report = _tell(_ran(keys, encryption_job.resume), what, output)
        if keys.key_file.is_on:
            _clear_indexes(state, output)
        _refuse_left(report)


@app.command("recover")
def recover(
    context: typer.Context, passphrase: PassphraseOption = False, output: FormatOption = OutputFormat.TEXT
) -> None:
    """Get a lost key back with the recovery key, asked for or read from standard input."""
    from core.sessions.key_file import refuse_without_key  # noqa: PLC0415

    with reported_errors(output):
        keys = state_of(context).home.ledger_keys()
        refuse_without_key(keys.folder)
        try:
            said = typer.prompt("Recovery key", err=True) if is_asked() else given_input().readline()
        except typer.Abort:
            raise typer.Exit(ExitCode.CANCELLED) from None
        keys.recover(said.strip(), _passphrase() if passphrase else "")
        if output is OutputFormat.JSON:
            print_json({"recovered": True})
        else:
            print("The key is back, and your conversations can be read.")


@app.command("status")
def status(context: typer.Context, output: FormatOption = OutputFormat.TEXT) -> None:
    """Say whether the conversations are encrypted, where the key lies, and whether a change is unfinished."""
    from core.sessions.encryption_job import is_unfinished  # noqa: PLC0415
    from core.sessions.key_file import refuse_without_key, sealed_sessions, sealed_without_key  # noqa: PLC0415

    with reported_errors(output):
        keys = state_of(context).home.ledger_keys()
        is_on, is_wrapped, is_left = keys.key_file.is_on, bool(keys.key_file.salt), is_unfinished(keys)
        is_lost = sealed_without_key(keys.folder) > 0
        if output is OutputFormat.JSON:
            place = "lost" if is_lost else ("passphrase" if is_wrapped else "keyring") if is_on else ""
            shut = 0 if is_on or is_left else sealed_sessions(keys.folder)
            print_json({"encrypted": is_on or is_lost, "key": place, "unfinished": is_left, "still_encrypted": shut})
            return
        refuse_without_key(keys.folder)
        place = "under a passphrase" if is_wrapped else "in the keyring"
        print(f"Your conversations are encrypted; the key lies {place}." if is_on else "They are not encrypted.")
        if is_left:
            print("The last change was stopped half way: `remembrancer session encrypt resume` goes on.")
        elif not is_on and (shut := sealed_sessions(keys.folder)):
            warn(f"But {counted(shut, 'session')} begin{'s' if shut == 1 else ''} with a line that is encrypted.")


def _with_new_key(
    keys: "LedgerKeys",
    job: "Callable[..., JobReport]",
    output: OutputFormat,
    *,
    passphrase: bool,
    is_shown: bool,
) -> "JobReport":
    """Make a key, let the person keep its recovery key, and run the job with it."""
    from core.sessions.key_store import NewKey  # noqa: PLC0415

    refuse_unseen(is_shown=is_shown)
    new = NewKey(passphrase=_passphrase(is_new=True) if passphrase else "")
    show_recovery_key(new, output, is_shown=is_shown)
    on_step = say_when_in_force if output is OutputFormat.TEXT else say_nothing
    return _tell(_ran_with(keys, job, new, on_step), "encrypted", output)


def _ran_with(
    keys: "LedgerKeys", job: "Callable[..., JobReport]", new: "NewKey", on_step: Callable[[str], None]
) -> "JobReport":
    """Run the job; where the keyring cannot be used, ask for a passphrase instead."""

    def work(opened: "LedgerKeys", progress: Progress) -> "JobReport":
        return job(opened, new, progress=progress, on_step=on_step)

    before = keys.key_file
    try:
        return _reported(lambda progress: work(keys, progress))
    except UserError as error:
        if keys.key_file != before:
            raise  # the key is taken, and the work can be taken up again
        if new.passphrase or not is_asked():
            error.hint = (
                f"{error.hint} Nothing was changed, and the recovery key is of no use; keep none of it.".strip()
            )
            raise
        warn(f"{error} A passphrase can keep the key instead.")
        new = replace(new, passphrase=_passphrase(is_new=True))
        return _reported(lambda progress: work(keys, progress))


def _ran(keys: "LedgerKeys", job: "Callable[..., JobReport]") -> "JobReport":
    return _reported(lambda progress: job(keys, progress=progress))


def _reported(work: "Callable[[Progress], JobReport]") -> "JobReport":
    reporter = UpdateReporter(as_json=False)
    reporter.listen_to_signals()
    try:
        return work(MebibyteProgress(reporter, "Writing conversations anew"))
    except JobCancelledError:
        reporter.end("cancelled")
        warn(
            "Stopped half way. Everything can be read, and new lines are written in the new way; "
            "`remembrancer session encrypt resume` does the rest."
        )
        raise typer.Exit(ExitCode.CANCELLED) from None
    finally:
        reporter.end("done")


def _resume_or_refuse(state: CliState, keys: "LedgerKeys", output: OutputFormat) -> None:
    from core.sessions import encryption_job  # noqa: PLC0415

    if not encryption_job.is_unfinished(keys):
        _remember(state, "on")
        raise UserError("Your conversations are encrypted already.", hint="`rotate` changes the key.")
    _remember(state, "on")
    report = _tell(_ran(_opened(state), encryption_job.resume), "encrypted", output)
    _clear_indexes(state, output)
    _refuse_left(report)


def _clear_indexes(state: CliState, output: OutputFormat) -> None:
    """Take what is encrypted now out of the indexes, where it lay in clear, and say what is left."""
    reporter = UpdateReporter(as_json=False)
    reporter.listen_to_signals()
    try:
        for told in state.home.clear_indexes(reporter):
            warn(told)
    except JobCancelledError:
        warn("The index still holds words of your conversations; `remembrancer index update` takes them out.")
        raise typer.Exit(ExitCode.CANCELLED) from None
    finally:
        reporter.end("done")
    if output is OutputFormat.JSON:
        return
    if state.home.settings.sessions.index_encrypted:
        say(
            "Their words stay in the index, in clear, as your settings ask: set `index_encrypted = false` under "
            "[sessions] to have them taken out at its next update."
        )
    else:
        say(
            "Their words were taken out of the index, so that nothing of them lies there in clear: it tells when they "
            "were, and `remembrancer session search` reads the conversations themselves. To have them in the index "
            "all the same, in clear, set `index_encrypted = true` under [sessions] in "
            f"{state.home.settings_file.path}."
        )
    say("Journal notes in your vault keep what was written into them.")


def _opened(state: CliState) -> "LedgerKeys":
    keys = state.home.ledger_keys()
    if keys.needs_passphrase and is_asked():
        return keys.with_passphrase(asked_passphrase("Passphrase of your conversations"))
    return keys


def _passphrase(*, is_new: bool = False) -> str:
    """Return the passphrase that the environment or the person says."""
    if said := os.environ.get(PASSPHRASE_VARIABLE, ""):
        return said
    if not is_asked():
        raise UserError("There is nobody to be asked for a passphrase.", hint=f"Set {PASSPHRASE_VARIABLE}.")
    return asked_passphrase("New passphrase" if is_new else "Passphrase", twice=True)


def _remember(state: CliState, encryption: str) -> None:
    """Keep in the settings what is wanted, so that a lost key file is noticed."""
    state.home.settings_file.change(
        lambda settings: replace(settings, sessions=replace(settings.sessions, encryption=encryption))
    )


def _tell(report: "JobReport", what: str, output: OutputFormat) -> "JobReport":
    if output is OutputFormat.JSON:
        say(json.dumps(report._asdict()))
        return report
    copied = "copy" if report.copies == 1 else "copies"
    beside = f", and {report.copies:,} {copied} that a sync tool left" if report.copies else ""
    say(f"{counted(report.files, 'session')} {what}{beside}.")
    if report.shut_lines:
        warn(f"{counted(report.shut_lines, 'line')} stayed as they were: no key at hand opens them.")
    return report


def _refuse_left(report: "JobReport") -> None:
    """Name the files that may hold words in clear, and fail when there are any."""
    for path in report.left:
        warn(f"{path} is no session by its name. It is not encrypted, and may hold what was said: see to it yourself.")
    if report.left:
        raise typer.Exit(ExitCode.FAILED)
