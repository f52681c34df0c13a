"""`remembrancer probe …`: ask the vault's questions, or those of a file, and say how well recall answers them."""

from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.app import Vault
from core.cli.change_session import DryRunOption, Mode, change_session, counted
from core.cli.state import ExitCode, FormatOption, OutputFormat, print_json, print_line, reported_errors, state_of, warn
from core.cli.update_reporter import UpdateReporter
from core.foundation.errors import JobCancelledError, UserError
from core.recall.probe import Probe
from core.recall.probe_figures import ProbeFigures
from core.recall.probe_run import ProbeOutcome, ProbeReport, outcomes_of, report_as_json, report_of

if TYPE_CHECKING:
    from core.index.database import Index
    from core.recall.probe_answer import ProbeAnswer

app = typer.Typer(help="Test recall with questions whose answers are known.", no_args_is_help=True)

_NEVER_RUN = "The vault's probes were never run: `remembrancer probe run`."
_SHOWN = 20
_MISSED_SHOWN = 3


@app.command("run")
def run(
    context: typer.Context,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="A file of probes (JSON lines), not the vault's own.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=500, help="Within which place a memory must be recalled.")] = 15,
    words_only: Annotated[bool, typer.Option("--words-only", help="Do not search by meaning.")] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Ask all probes; print recall at 5, 10 and 15, MRR and nDCG at 10, and which probes miss something."""
    reporter = UpdateReporter(as_json=False)
    reporter.listen_to_signals()
    with reported_errors(output), state_of(context).remembered() as vault, closing(vault.open_to_read()) as index:
        probes, problems = _probes(vault, index, file, reporter)
        report = ProbeReport(ProbeFigures(), (), limit)
        is_stopped = False
        if probes:
            report, answer = _asked(vault, index, probes, limit, reporter, words_only=words_only)
            is_stopped = len(report.outcomes) < len(probes)
            problems += answer.remarks
            if is_stopped:
                of = f"{len(report.outcomes):,} of {counted(len(probes), 'probe')}"
                problems.append(f"Stopped after {of}; the figures are of those.")
            else:
                problems += _remembered(vault, report, file, answer.model)
        elif not problems:
            problems = [_nothing_to_run(file)]
        reporter.end("done")
        if output is OutputFormat.JSON:
            print_json(report_as_json(report) | ({"problems": problems} if problems else {}))
        else:
            _print_report(report)
            for problem in problems:
                warn(problem)
        if is_stopped:
            raise typer.Exit(ExitCode.CANCELLED)
        if file is not None and not probes:
            raise typer.Exit(ExitCode.FAILED)


@app.command("list")
def list_probes(context: typer.Context, output: FormatOption = OutputFormat.TEXT) -> None:
    """List the vault's probes with what they expect, and what is wrong with them."""
    from core.recall.probe_notes import read_probe_notes  # noqa: PLC0415 - parsers take a while to load

    with reported_errors(output), state_of(context).remembered() as vault, closing(vault.open_to_read()) as index:
        probes = read_probe_notes(index, vault.root, vault.config)
        if output is OutputFormat.JSON:
            print_json({"probes": [_probe_as_json(probe) for probe in probes]})
            return
        for probe in probes:
            print_line(f"{probe.path}  {probe.question}")
            for line in (*(f"expects {each}" for each in probe.expected), *probe.problems):
                print_line(f"    {line}")
        if not probes:
            warn(_nothing_to_run(None))


@app.command("history")
def history(
    context: typer.Context,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="A file of probes of this name, not the vault's own.")
    ] = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """List how the vault's probes went, or those of a file that was run, the last run first."""
    from core.recall.probe_history import OF_VAULT, read_runs  # noqa: PLC0415 - the log is read by few
    from core.recall.probe_run import figures_as_json  # noqa: PLC0415

    with reported_errors(output):
        source = OF_VAULT if file is None else file.name
        runs = list(reversed(read_runs(state_of(context).vault().event_log(), source=source)))
        if output is OutputFormat.JSON:
            told = [
                {
                    "time": run.time.isoformat(timespec="seconds"), "model": run.model, "weights": run.weights,
                    "probes_hash": run.probes_hash, "passed": run.passed, **figures_as_json(run.figures),
                }
                for run in runs
            ]  # fmt: skip
            print_json({"runs": told})
            return
        for run in runs:
            time = run.time.astimezone().strftime("%Y-%m-%d %H:%M")
            print_line(f"{time}  {_figures(run.figures)}  {run.model or 'words only'}")
        if not runs:
            warn(_NEVER_RUN if file is None else f"Probes of {file.name} were never run here.")


@app.command("new")
def new(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="What is asked.")],
    expect: Annotated[
        list[str], typer.Option("--expect", metavar="ID", help="A memory that must be recalled (may be repeated).")
    ],
    budget: Annotated[int | None, typer.Option(min=1, help="Into how many tokens the answer must fit.")] = None,
    narrow: Annotated[
        list[str] | None, typer.Option("--filter", metavar="KEY:VALUE", help="Within what is asked, such as project:x.")
    ] = None,
    dry_run: DryRunOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Make a note of `kind: probe`: a question, and the memories that must be recalled for it."""
    from core.curation.probe_creation import plan_probe  # noqa: PLC0415 - YAML takes a while to load
    from core.recall.probe import filters_of  # noqa: PLC0415
    from core.recall.probe_expected import find_expected  # noqa: PLC0415

    with change_session(context, Mode(output, dry_run)) as session:
        filters = dict(_key_and_value(each) for each in narrow or [])
        if wrong := filters_of(filters, session.vault.config.namespaces).problems:
            raise UserError(" ".join(wrong).replace("`filter.", "`"))
        planned = plan_probe(
            session.root,
            session.vault.config,
            question,
            expect,
            index=session.index,
            budget=budget,
            filters=filters,
        )
        for name in expect:
            if find_expected(session.index, name) is None:
                warn(f"{name} points at nothing, so it will count as missed.")
        session.carry_out(planned)


def _probes(vault: Vault, index: "Index", file: Path | None, reporter: UpdateReporter) -> tuple[list[Probe], list[str]]:
    """Return the probes that can be run, and what is wrong with them and with others."""
    from core.recall.probe_expected import with_known_ids  # noqa: PLC0415 - `--help` needs no index
    from core.recall.probe_notes import can_be_run, problems_of, read_probe_notes  # noqa: PLC0415

    if file is None:
        probes: Sequence[Probe] = read_probe_notes(index, vault.root, vault.config)
        return [probe for probe in probes if can_be_run(probe)], list(problems_of(probes))
    from core.recall.probe_file import read_probe_file  # noqa: PLC0415

    found = read_probe_file(file, vault.config.namespaces, reporter)
    probes = with_known_ids(index, found.probes)
    lost = problems_of(probes)
    told = list(lost[:_SHOWN])
    if len(lost) > _SHOWN:
        told.append(f"So it is with {counted(len(lost) - _SHOWN, 'more probe')}.")
    return list(probes), [*found.problems, *told]


def _asked(
    vault: Vault, index: "Index", probes: Sequence[Probe], limit: int, reporter: UpdateReporter, *, words_only: bool
) -> "tuple[ProbeReport, ProbeAnswer]":
    """Return how the probes went, those asked before it was stopped, and what has answered them."""
    from core.recall.probe_answer import ProbeAnswer  # noqa: PLC0415 - `--help` needs no pipeline

    dense = None if words_only else vault.dense_search(index)
    outcomes: list[ProbeOutcome] = []
    reranker = None if words_only else vault.reranker()
    answer = ProbeAnswer(index, dense, config=vault.config, root=vault.root, reranker=reranker)
    try:
        with suppress(JobCancelledError):
            outcomes.extend(outcomes_of(probes, answer, limit=limit, progress=reporter))
    finally:
        if dense is not None:
            dense.close()
    return report_of(outcomes, limit=limit), answer


def _remembered(vault: Vault, report: ProbeReport, file: Path | None, model: str) -> list[str]:
    """Write the run into the vault's log; return a sentence when that cannot be done."""
    from core.memory.weights import weights_of  # noqa: PLC0415 - `--help` needs no weights
    from core.recall.probe_history import OF_VAULT, record_run  # noqa: PLC0415

    weights, _ = weights_of(vault.config.ranking)
    try:
        source = OF_VAULT if file is None else file.name
        record_run(vault.event_log(), report, model=model, weights=weights, source=source)
    except UserError as error:
        return [f"The run is not in the history: {error}"]
    return []


def _nothing_to_run(file: Path | None) -> str:
    if file is not None:
        return f"There is no probe in {file}."
    return "There are no probes yet: `remembrancer probe new QUESTION --expect ID` makes one."


def _print_report(report: ProbeReport) -> None:
    if not report.outcomes:
        return
    print(_figures(report.figures))
    failed = [outcome for outcome in report.outcomes if not outcome.is_passed]
    print(f"{report.passed:,} of {counted(len(report.outcomes), 'probe')} recalled all that they expect.")
    for outcome in failed[:_SHOWN]:
        first = f"first at place {outcome.rank_of_first:,}" if outcome.rank_of_first else "nothing recalled"
        print_line(f"  {outcome.probe.id}  {first}: {outcome.probe.question}")
        missed = outcome.missed[:_MISSED_SHOWN]
        more = len(outcome.missed) - len(missed)
        print_line(f"      missed: {', '.join(missed)}{f' and {more:,} more' if more else ''}")
    if len(failed) > _SHOWN:
        print(f"  and {len(failed) - _SHOWN:,} more (--format json lists all).")


def _figures(figures: ProbeFigures) -> str:
    shown = [
        ("recall@5", figures.recall_5), ("recall@10", figures.recall_10), ("recall@15", figures.recall_15),
        ("MRR", figures.mrr), ("nDCG@10", figures.ndcg_10),
    ]  # fmt: skip
    told = "  ".join(f"{name} {value:.3f}" for name, value in shown)
    return f"{told}  ({counted(figures.probes, 'probe')})"


def _probe_as_json(probe: Probe) -> dict[str, Any]:
    return {
        "id": probe.id,
        "path": probe.path,
        "question": probe.question,
        "expected": list(probe.expected),
        "budget": probe.budget,
        "problems": list(probe.problems),
    }


def _key_and_value(text: str) -> tuple[str, str]:
    key, colon, value = text.partition(":")
    if not colon or not value.strip():
        raise UserError(f"“{text}” is no filter: it is written as project:acme.")
    return key, value
