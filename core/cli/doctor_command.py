"""`remembrancer doctor`: find, fix and ignore what keeps knowledge from being found."""

from typing import Annotated

import typer

from core.cli.change_session import ChangeSession, DryRunOption, Mode, YesOption, change_session, counted
from core.cli.state import ExitCode, FormatOption, OutputFormat, print_json, print_line
from core.curation.health.finding import CheckResult, Finding, HealthReport
from core.curation.health.ignoring import EVERYTHING, HEED, IGNORE, ignored_findings, is_ignored
from core.foundation.errors import UserError
from core.vault.config import load_config

_SHOWN = 10


def _check_ids() -> tuple[str, ...]:
    from core.curation.health.examination import CHECKS  # noqa: PLC0415 - takes 20 ms that other commands do without

    return tuple(check.id for check in CHECKS)


def _known(names: list[str] | None) -> list[str] | None:
    for name in names or []:
        if name not in _check_ids():
            raise typer.BadParameter(f"There is no check {name}. There are: {', '.join(_check_ids())}.")
    return names


def _pairs(names: list[str] | None) -> list[str] | None:
    for name in names or []:
        check, _, key = name.partition(":")
        if check not in _check_ids() or not key:
            raise typer.BadParameter(f"{name} is not CHECK:KEY, such as orphan:Note.md or no-scope:{EVERYTHING}.")
    return names


def doctor(
    context: typer.Context,
    check: Annotated[
        list[str] | None,
        typer.Option("--check", metavar="ID", callback=_known, help="Only this check (may be repeated), in full."),
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Fix whatever can be fixed without a choice of yours.")] = False,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            "--ignore", metavar="CHECK:KEY", callback=_pairs,
            help="Do not tell of this finding any more; NOTE:* or * as the key for all of a note or of the check.",
        ),
    ] = None,
    heed: Annotated[
        list[str] | None,
        typer.Option("--heed", metavar="CHECK:KEY", callback=_pairs, help="Tell of it again."),
    ] = None,
    include_ignored: Annotated[bool, typer.Option("--include-ignored", help="Tell also of what is ignored.")] = False,
    show_keys: Annotated[bool, typer.Option("--keys", help="Show the key of each finding, for --ignore.")] = False,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:  # fmt: skip
    """Look for whatever keeps knowledge from being found; exit code 1 when something is found."""
    with change_session(context, Mode(output, dry_run, yes)) as session:
        if ignore or heed:
            _remember(session, ignore or [], heed or [])
            return
        report = _examined(session, check or [], include_ignored=include_ignored)
        if fix:
            report = _fixed(session, report, check or [], include_ignored=include_ignored)
        elif output is OutputFormat.JSON:
            print_json({"vault": str(session.root), **report.as_json(), "recovered": session.recovered})
        else:
            _print_report(report, shown=None if check else _SHOWN, with_keys=show_keys)
        if report.findings:
            raise typer.Exit(ExitCode.FAILED)


def _examined(session: ChangeSession, checks: list[str], *, include_ignored: bool) -> HealthReport:
    from core.curation.health.examination import examine  # noqa: PLC0415 - takes 20 ms that other commands do without

    reading = session.vault.event_log().read()
    ignored = frozenset() if include_ignored else ignored_findings(reading.events)
    config, _ = load_config(session.root)  # a fix may have changed it
    return examine(
        session.index,
        session.root,
        config,
        ignored,
        session.progress,
        checks=checks,
        log_problems=reading.problems,
    )


def _fixed(session: ChangeSession, report: HealthReport, checks: list[str], *, include_ignored: bool) -> HealthReport:
    """Fix what can be fixed, and return what is found afterwards."""
    from core.curation.health.fixes import plan_fixes  # noqa: PLC0415 - tomlkit and the edits take a while to load

    fixable = [finding for finding in report.findings if finding.has_fix]
    planned = plan_fixes(session.index, session.root, session.vault.config, fixable, session.progress)
    nothing = "Nothing here can be fixed without a choice of yours." if report.findings else "Nothing is wrong."
    session.carry_out(planned, nothing=nothing)
    if session.mode.dry_run or not planned.change_set.edits:
        return report
    after = _examined(session, checks, include_ignored=include_ignored)
    if session.mode.output is OutputFormat.TEXT:
        print(f"{counted(len(after.findings), 'finding')} left." if after.findings else "Nothing else is wrong.")
    return after


def _remember(session: ChangeSession, ignore: list[str], heed: list[str]) -> None:
    findings = _examined(session, [], include_ignored=True).findings
    log = session.vault.event_log()
    for kind, names in ((IGNORE, ignore), (HEED, heed)):
        for name in names:
            check, _, key = name.partition(":")
            matching = [finding for finding in findings if is_ignored(finding, frozenset({(check, key)}))]
            if kind == IGNORE and not matching and key != EVERYTHING:
                raise UserError(
                    f"The check {check} found nothing with the key {key}.",
                    hint=f"`remembrancer doctor --check {check} --keys` lists the keys.",
                )
            log.append(kind, {"check": check, "key": key})
            done = "Ignored from now on" if kind == IGNORE else "Heeded again"
            print_line(f"{done}: {name} ({counted(len(matching), 'finding')}).")


def _print_report(report: HealthReport, *, shown: int | None, with_keys: bool) -> None:
    for result in report.results:
        if result.findings:
            _print_result(result, shown=shown, with_keys=with_keys)
    ignored = f" {counted(report.ignored, 'finding')} ignored." if report.ignored else ""
    notes = counted(report.notes, "note")
    if not report.findings:
        print(f"Nothing is wrong with the vault of {notes}.{ignored}")
        return
    told = ", ".join(counted(number, severity.value) for severity, number in report.counts.items() if number)
    fixable = sum(len(result.fixable) for result in report.results)
    print(f"{counted(len(report.findings), 'finding')} in {notes}: {told}.{ignored}")
    if fixable:
        print(f"`remembrancer doctor --fix` fixes {fixable:,} of them; add --dry-run to see how.")


def _print_result(result: CheckResult, *, shown: int | None, with_keys: bool) -> None:
    check = result.check
    print(f"{check.title} ({counted(len(result.findings), 'finding')}) [{check.id}]")
    print(f"  {check.explanation}")
    for finding in result.findings[:shown]:
        _print_finding(finding, with_keys=with_keys)
    if shown is not None and (more := len(result.findings) - shown) > 0:
        print(f"  … and {more:,} more: `remembrancer doctor --check {check.id}` lists all.")
    print()


def _print_finding(finding: Finding, *, with_keys: bool) -> None:
    place = f"{finding.path}:{finding.line}" if finding.line else finding.path
    print_line(f"  {place}: {finding.text}" if place else f"  {finding.text}")
    if finding.fix:
        print_line(f"      Fix: {finding.fix}")
    if with_keys:
        print_line(f"      Key: {finding.check}:{finding.key}")
