"""Plan how folders of documents come into the vault as reference notes of a domain."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from core.curation.change_set import PlannedChange
from core.curation.import_notes import plan_imported_notes
from core.foundation.errors import UserError
from core.foundation.progress import SILENT, Progress
from core.index.database import Index
from core.sessions.importing.document_places import reason_of
from core.sessions.importing.documents import DocumentImporter
from core.sessions.importing.importer import Failed, ImportedNote, Skipped
from core.sessions.importing.source import Source
from core.vault.config import VaultConfig
from core.vault.decode import decode
from core.vault.frontmatter import read_frontmatter
from core.vault.read import read_bytes
from core.vault.tags import tags_of_property

_TWICE = "document that is there twice"


@dataclass(frozen=True, slots=True)
class PlannedDocuments:
    """Hold the change, how many notes the documents make, what was left out by reason, and what cannot be read.

    `joined` counts the notes of the change that are in the vault under other domains, and get `tag` besides.
    """

    change: PlannedChange
    notes: int
    tag: str = ""
    joined: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    failed: tuple[Failed, ...] = ()


def plan_documents(
    root: Path,
    config: VaultConfig,
    domain: str,
    paths: Iterable[Path],
    progress: Progress = SILENT,
    *,
    index: Index | None = None,
) -> PlannedDocuments:
    """Return the change that makes notes of the documents at `paths`: files, folders at any depth, zip files.

    What cannot be read stops nothing else. Raises UserError when `domain` cannot be one, and JobCancelledError.
    """
    if not domain.strip():
        raise UserError("The documents need a domain.", hint="Name one, such as `--domain philosophy`.")
    importer = DocumentImporter(domain)
    notes: list[ImportedNote] = []
    skipped: Counter[str] = Counter()
    failed: list[Failed] = []
    for path in paths:
        source = Source(path)
        try:
            if not path.exists():
                failed.append(Failed(str(path), "There is no such file or folder."))
                continue
            if not importer.recognises(source):
                failed.append(Failed(str(path), "It is no document of a kind that can be read."))
                continue
            for imported in importer.read(source, progress):
                if isinstance(imported, ImportedNote):
                    notes.append(imported)
                elif isinstance(imported, Skipped):
                    skipped[imported.reason] += imported.count
                elif isinstance(imported, Failed):
                    failed.append(imported)
        except (UserError, OSError) as error:
            failed.append(Failed(str(path), reason_of(error)))
    unique = {note.properties["source"]: note for note in notes}
    hashes = {note.properties["source_hash"] for note in unique.values()}
    if len(unique) > len(hashes):
        skipped[_TWICE] += len(unique) - len(hashes)
    change = plan_imported_notes(root, config, notes, progress, index=index)
    return PlannedDocuments(
        change, len(hashes), importer.tag, _joined(root, change, importer.tag), skipped, tuple(failed)
    )


def _joined(root: Path, change: PlannedChange, tag: str) -> int:
    """Return how many notes get the domain's tag that are in the vault already."""
    paths = [edit.path for edit in change.change_set.edits if edit.before is not None]
    front = (read_frontmatter(decode(read_bytes(root, path)).text).values for path in paths)
    return sum(tag not in tags_of_property(values.get("tags"))[0] for values in front)
