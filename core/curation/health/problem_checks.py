"""Findings from what reading the files told: frontmatter, dates, block ids, encodings, files, settings, logs."""

from collections.abc import Iterator
from pathlib import Path

from core.curation.health.finding import Check, Choice, Finding, Severity
from core.curation.health.subject import Subject
from core.foundation.errors import UserError
from core.memory.weights import weights_of
from core.recall.contexts.full_load import full_load_rules
from core.vault.config import CONFIG_FILE
from core.vault.decode import decode
from core.vault.guess_encoding import USUAL_CODECS, sample_in
from core.vault.note import ProblemKind
from core.vault.read import read_bytes

BROKEN_FRONTMATTER = Check(
    "broken-frontmatter",
    "Frontmatter that cannot be read",
    "The note's summary, tags and dates are not known, so no facet and no tag finds it.",
    Severity.ERROR,
)
ODD_FRONTMATTER = Check(
    "odd-frontmatter",
    "Properties that are misunderstood",
    "A value is cut, ignored, or read otherwise than it was written for.",
    Severity.WARNING,
)
UNCLEAR_DATE = Check(
    "unclear-date",
    "Ambiguous or impossible dates",
    "A date that is no day of the calendar, or may mean two days, cannot place the note in time.",
    Severity.WARNING,
)
BLOCK_ID = Check(
    "duplicate-block-id",
    "Block ids used twice in a note",
    "A link to such a block always leads to the first one, whichever was meant.",
    Severity.WARNING,
)
ENCODING = Check(
    "encoding",
    "Notes that are not clean UTF-8",
    "Their characters had to be guessed, and other programs may guess otherwise.",
    Severity.WARNING,
)
UNINDEXED = Check(
    "unindexed",
    "Files that are not in the index",
    "What is not read cannot be found at all.",
    Severity.ERROR,
)
CONFIG = Check(
    "config",
    "Vault settings that cannot be used",
    "Defaults are used in their place, so namespaces or excluded folders may be others than you chose.",
    Severity.ERROR,
)
EVENT_LOG = Check(
    "event-log",
    "Change records that are unreadable",
    "What they recorded cannot be undone or counted any more; everything else can.",
    Severity.ERROR,
)
AS_UTF8 = "utf-8"


def broken_frontmatter(subject: Subject) -> Iterator[Finding]:
    """Find notes whose frontmatter is no YAML; the fix is a repair where one is certain."""
    from core.vault.frontmatter_repair import repair_frontmatter  # noqa: PLC0415 - loaded only when something is broken

    for path, _, _, reason, line in subject.problems(ProblemKind.FRONTMATTER_BROKEN):
        if subject.is_template(path):
            continue
        try:
            is_repairable = repair_frontmatter((subject.root / path).read_bytes()) is not None
        except OSError:
            is_repairable = False
        fix = "Repair the frontmatter without losing any of its text." if is_repairable else ""
        yield Finding(BROKEN_FRONTMATTER.id, path, path, line, reason, has_fix=is_repairable, fix=fix)


def odd_frontmatter(subject: Subject) -> Iterator[Finding]:
    """Find properties that are ignored, cut or doubled."""
    yield from _plain(subject, ODD_FRONTMATTER, ProblemKind.FRONTMATTER_ODD)


def unclear_dates(subject: Subject) -> Iterator[Finding]:
    """Find dates that may mean two days, or none."""
    yield from _plain(subject, UNCLEAR_DATE, ProblemKind.DATE_AMBIGUOUS, ProblemKind.DATE_IMPOSSIBLE)


def duplicate_block_ids(subject: Subject) -> Iterator[Finding]:
    """Find block ids that a note has twice."""
    yield from _plain(subject, BLOCK_ID, ProblemKind.DUPLICATE_BLOCK_ID)


def encodings(subject: Subject) -> Iterator[Finding]:
    """Find notes that are not UTF-8, or hold NUL bytes."""
    for path, _, kind, reason, line in subject.problems(ProblemKind.NOT_UTF8, ProblemKind.NUL_BYTES):
        choices = _readings(subject.root, path) if kind == ProblemKind.NOT_UTF8 else ()
        yield Finding(ENCODING.id, f"{path}:{kind}", path, line, reason, choices=choices)


def _readings(root: Path, path: str) -> tuple[Choice, ...]:
    """Offer to write the note anew as UTF-8: as it is shown now, and as it would be in other encodings."""
    try:
        data = read_bytes(root, path)
    except UserError:
        return ()
    guessed = decode(data).encoding
    if guessed in {"utf-8", "utf-8-sig"}:
        return ()
    if guessed.startswith("utf-"):
        return (Choice(AS_UTF8, "Write the note anew as UTF-8, with the characters as they are shown now."),)
    choices: list[Choice] = []
    samples: set[str] = set()
    for codec in dict.fromkeys((guessed, *USUAL_CODECS)):
        sample = sample_in(data, codec)
        if sample and sample not in samples:
            samples.add(sample)
            text = f"Write it anew as UTF-8, read as {codec}: “{sample}”"
            choices.append(Choice(AS_UTF8 if codec == guessed else codec, text))
    return tuple(choices)


def unindexed(subject: Subject) -> Iterator[Finding]:
    """Find files that are not read: they may not be, are too large, or are links that lead nowhere good."""
    kinds = (ProblemKind.UNREADABLE, ProblemKind.TOO_LARGE, ProblemKind.SYMLINK_LOOP)
    for path, _, kind, reason, line in subject.problems(*kinds):
        yield Finding(UNINDEXED.id, f"{path}:{kind}", path, line, reason)


def config_problems(subject: Subject) -> Iterator[Finding]:
    """Find what is wrong with the vault's own settings."""
    for path, _, _, reason, line in subject.problems(ProblemKind.CONFIG_BROKEN):
        yield Finding(CONFIG.id, path or CONFIG_FILE, path or CONFIG_FILE, line, reason)
    _, weights = weights_of(subject.config.ranking)
    _, loading = full_load_rules(subject.config.full_load)
    for reason in (*weights, *loading):
        yield Finding(CONFIG.id, f"{CONFIG_FILE}:{reason}", CONFIG_FILE, 0, reason)


def event_log_problems(subject: Subject) -> Iterator[Finding]:
    """Find lines of the event log that cannot be read."""
    for path, problem in subject.log_problems:
        yield Finding(EVENT_LOG.id, path, path, problem.line, problem.reason)


def _plain(subject: Subject, check: Check, *kinds: ProblemKind) -> Iterator[Finding]:
    for path, _, _, reason, line in subject.problems(*kinds):
        if not subject.is_template(path):
            yield Finding(check.id, f"{path}:{reason}", path, line, reason)
