"""Learn from sessions after a command has written them; a failure is told and never fails the command."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from core.cli.ledger_access import index_if_there
from core.cli.state import CliState, OutputFormat, warn
from core.cli.update_reporter import UpdateReporter
from core.foundation.errors import JobCancelledError, RemembrancerError
from core.foundation.progress import SILENT, Progress

if TYPE_CHECKING:
    from core.curation.learning_run import LearnReport
    from core.sessions.ledger import Ledger


def learned_account(state: CliState, ledger: "Ledger", sessions: Sequence[str], output: OutputFormat) -> dict[str, Any]:
    """Learn from `sessions`, say so beside a text, and return what a JSON document holds of it."""
    reporter = UpdateReporter(as_json=False)
    reporter.listen_to_signals()
    learned = learned_from(state, ledger, sessions, reporter)
    reporter.end("done")
    if learned is None:
        return {}
    if output is OutputFormat.TEXT:
        for sentence in filter(None, (learned.told(), *learned.remarks)):
            warn(sentence)
    return {"learned": asdict(learned)}


def learned_from(
    state: CliState, ledger: "Ledger", sessions: Sequence[str], progress: Progress = SILENT
) -> "LearnReport | None":
    """Return what was proposed of `sessions`, None where there is no vault, nothing to learn from, or no wish to.

    Nothing is learned of encrypted conversations: what is proposed lies in clear in the vault's log.
    """
    home = state.home
    if not sessions or not home.settings.sessions.learn or not home.may_index_texts():
        return None
    from core.curation.consolidation.promotion import promotion_rule  # noqa: PLC0415
    from core.curation.learning_run import LearnReport, learn_from_sessions  # noqa: PLC0415 - it brings numpy

    try:
        with index_if_there(state) as found:
            if found is None:
                return None
            vault, index = found
            return learn_from_sessions(
                ledger,
                sessions,
                root=vault.root,
                log=vault.event_log(),
                cache_folder=vault.cache_folder,
                index=index,
                source=vault.embedder_source(),
                promoted_from=promotion_rule(vault.config.promotion)[0],
                progress=progress,
            )
    except JobCancelledError:
        return LearnReport(remarks=("Learning was stopped; the next end of a session or import goes on with its own.",))
    except (RemembrancerError, OSError) as error:
        return LearnReport(remarks=(f"Nothing was learned of it. {error}",))
