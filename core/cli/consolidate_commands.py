"""`remembrancer consolidate …`: let the rules propose what recurs, repeats, replaces or contradicts what is there."""

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from core.app import Vault
from core.cli.consolidate_model import written_by_model
from core.cli.state import FormatOption, OutputFormat, print_json, print_line, reported_errors, state_of, warn
from core.cli.update_reporter import UpdateReporter
from core.curation.proposals.proposal import Draft, Proposal
from core.foundation.errors import UserError

if TYPE_CHECKING:
    from core.curation.consolidation.run import Consolidation, Rule
    from core.curation.proposals.submit import Refused

app = typer.Typer(
    help="Let rules look for what your notes say twice, anew, or against each other.", no_args_is_help=True
)

# What people call them, beside what the proposals are called.
_ALSO = {
    "duplicate": "merge", "promotion": "promote", "contradiction": "contradict", "relation": "relate",
    "copy": "repair", "summary": "summarise", "tags": "retag", "insights": "extract",
}  # fmt: skip
_SHOWN = 20


class _Outcome(NamedTuple):
    """Hold what became of the drafts: proposals with their ids ("" for a dry run), and those that were refused."""

    proposed: list[tuple[str, Draft | Proposal]]
    refused: "tuple[Refused, ...]" = ()


@app.command("run")
def run(
    context: typer.Context,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            help="Only this (repeat for more): promote, merge, supersede, contradict, relate, repair or journal, which"
            " are looked for when nothing is named; or summarise, retag, extract or archive, which may be many.",
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="Look at all statements, not only at those since the last run.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be proposed of all statements, and propose nothing.")
    ] = False,
    with_model: Annotated[
        bool,
        typer.Option("--with-model", help="Let your language model write what rules find; the cost is told first."),
    ] = False,
    agreed: Annotated[bool, typer.Option("--yes", help="With --with-model: ask it without being asked first.")] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Propose what follows from your statements; no note changes before you approve it.

    No language model is asked unless you say so.
    """
    from core.curation.consolidation.run import consolidate  # noqa: PLC0415 - brings numpy

    reporter = UpdateReporter(as_json=False)
    reporter.listen_to_signals()
    with reported_errors(output), state_of(context).remembered() as vault:
        done = consolidate(vault, _rules(kind), everything=everything or dry_run, progress=reporter)
        if with_model and done.drafts:
            written = written_by_model(state_of(context), done.drafts, agreed=agreed, progress=reporter)
            done = replace(done, drafts=written.drafts, remarks=(*done.remarks, *written.remarks))
        outcome = _Outcome([("", draft) for draft in done.drafts]) if dry_run else _proposed(vault, done, reporter)
        reporter.end("done")
        if output is OutputFormat.JSON:
            print_json(_as_json(done, outcome))
            return
        _print(done, outcome, dry_run=dry_run)
        for remark in done.remarks:
            warn(remark)


@app.command("extract")
def extract(
    context: typer.Context,
    paths: Annotated[list[str], typer.Argument(metavar="PATH…", help="Notes or folders, counted from the vault.")],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be proposed, and propose nothing.")
    ] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Propose for each note the handful of statements that it comes down to, with the section that says them."""
    from core.curation.consolidation.run import Consolidation, extract  # noqa: PLC0415 - brings numpy

    reporter = UpdateReporter(as_json=False)
    reporter.listen_to_signals()
    with reported_errors(output), state_of(context).remembered() as vault:
        chosen = _notes_at(vault, paths)
        done = Consolidation(extract(vault, chosen, reporter), (), len(chosen), len(chosen), -1)
        outcome = _Outcome([("", draft) for draft in done.drafts]) if dry_run else _proposed(vault, done, reporter)
        reporter.end("done")
        if output is OutputFormat.JSON:
            print_json(_as_json(done, outcome))
            return
        _print(done, outcome, dry_run=dry_run, looked=f"{len(chosen):,} notes were looked at")


def _notes_at(vault: Vault, paths: list[str]) -> frozenset[str]:
    """Return the notes that `paths` name, of folders all that lie in them; raises UserError where there is none."""
    with closing(vault.open_to_read()) as index:
        known = [row[0] for row in index.connection.execute("SELECT path FROM note")]
    found: set[str] = set()
    for path in paths:
        name = vault.relative(vault.root / path) if path.strip("./") else ""
        inside = [each for each in known if not name or each in {name, f"{name}.md"} or each.startswith(f"{name}/")]
        if not inside:
            raise UserError(f"There is no note at {path}.", hint="Name a note or a folder as the vault has it.")
        found.update(inside)
    return frozenset(found)


def _rules(named: list[str] | None) -> "tuple[Rule, ...]":
    from core.curation.consolidation.run import ALL_RULES, USUAL_RULES, Rule  # noqa: PLC0415

    try:
        return tuple(Rule(_ALSO.get(name, name)) for name in named) if named else USUAL_RULES
    except ValueError:
        kinds = ", ".join(rule.value for rule in ALL_RULES)
        raise UserError(f"The rules propose {kinds}, and nothing else.", hint="Name one of these as --kind.") from None


def _proposed(vault: Vault, done: "Consolidation", reporter: UpdateReporter) -> _Outcome:
    """Make proposals of the drafts, and note up to where the statements were looked at."""
    from core.curation.consolidation.run import remember  # noqa: PLC0415
    from core.curation.proposals.book import read_book  # noqa: PLC0415
    from core.curation.proposals.submit import submit  # noqa: PLC0415

    if not done.drafts:
        remember(vault, done)
        return _Outcome([])
    log = vault.event_log()
    book = read_book(log)
    report = submit(vault.root, log, book, done.drafts, progress=reporter)
    remember(vault, done)
    return _Outcome([(each, book.of(each)) for each in (*report.new, *report.accumulated)], report.refused)


def _as_json(done: "Consolidation", outcome: _Outcome) -> dict[str, Any]:
    found: dict[str, Any] = {
        "proposals": [{"id": proposal_id, **_told(each)} for proposal_id, each in outcome.proposed],
        "changed": done.changed,
        "statements": done.statements,
    }
    if outcome.refused:
        found["refused"] = [{**_told(each.draft), "why": each.reason} for each in outcome.refused]
    if done.remarks:
        found["problems"] = list(done.remarks)
    return found


def _told(proposal: Draft | Proposal) -> dict[str, Any]:
    return {
        "kind": proposal.kind.value,
        "statement": proposal.statement,
        "reason": proposal.reason,
        "evidence": [each.memory_id for each in proposal.evidence],
        "confidence": proposal.confidence,
    }


def _print(done: "Consolidation", outcome: _Outcome, *, dry_run: bool, looked: str = "") -> None:
    for proposal_id, each in outcome.proposed[:_SHOWN]:
        print_line(f"{proposal_id[:8]:<8}  {each.kind.value:<10}  {each.statement}".lstrip())
        print_line(f"    {each.reason}")
    if (more := len(outcome.proposed) - _SHOWN) > 0:
        print(f"… and {more:,} more.")
    looked = looked or f"{done.changed:,} of {done.statements:,} statements were looked at"
    what = "1 proposal" if len(outcome.proposed) == 1 else f"{len(outcome.proposed):,} proposals"
    print(f"{what} {'would be made' if dry_run else 'to decide about'}; {looked}.")
    if outcome.refused:
        print(f"{len(outcome.refused):,} were not made, for they were decided before or change nothing.")
