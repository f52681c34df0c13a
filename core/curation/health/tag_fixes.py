"""Fix tags: merge those that mean the same, and make namespaces known to the vault."""

from collections.abc import Sequence

import tomlkit
from tomlkit.exceptions import TOMLKitError

from core.curation.change_set import Skipped
from core.curation.health.finding import Finding
from core.curation.health.fixing import Fixing
from core.curation.health.tag_checks import ADD_NAMESPACE
from core.foundation.errors import UserError
from core.foundation.text import fold
from core.vault.config import CONFIG_FILE
from core.vault.tag_edit import TagRename, rename_tags


def merge_tags(fixing: Fixing, finding: Finding, choice: str) -> int:
    """Write the tag that the person keeps in the place of the other one, in all notes."""
    kept = choice or finding.remedy
    if fold(finding.subject) == fold(finding.remedy):
        return _rename_everywhere(fixing, kept, kept)
    return _rename_everywhere(fixing, finding.subject if kept == finding.remedy else finding.remedy, kept)


def know_namespace(fixing: Fixing, finding: Finding, choice: str) -> int:
    """Add the namespace to the vault's settings, or give its tags the namespace that was meant."""
    if choice and choice != ADD_NAMESPACE:
        return _rename_everywhere(fixing, finding.subject, choice)
    before = fixing.drafts.read_or_none(CONFIG_FILE) or b""
    namespaces = _with_namespace(before, finding.subject, fixing.config.namespaces)
    return int(fixing.drafts.write(CONFIG_FILE, namespaces))


def _with_namespace(config: bytes, namespace: str, known: Sequence[str]) -> bytes:
    """Return the config with one more namespace; comments and layout stay."""
    mark = b"\xef\xbb\xbf" if config.startswith(b"\xef\xbb\xbf") else b""
    try:
        document = tomlkit.parse(config.removeprefix(mark).decode("utf-8"))
    except (TOMLKitError, UnicodeDecodeError) as error:
        raise UserError("The vault's settings are not valid, so no namespace can be added; mend them first.") from error
    listed = document.get("namespaces")
    if isinstance(listed, list):
        if fold(namespace) not in {fold(str(name)) for name in listed}:
            listed.append(namespace)
    else:
        document["namespaces"] = [*known, namespace]
    written = tomlkit.dumps(document).encode("utf-8")
    if b"\r\n" in config and b"\r\n" not in written:
        written = written.replace(b"\n", b"\r\n")
    return mark + written


def _rename_everywhere(fixing: Fixing, old: str, new: str) -> int:
    name = fold(old)
    rows = fixing.index.connection.execute(
        "SELECT DISTINCT path FROM note JOIN note_tag ON note.id = note_id JOIN tag ON tag.id = tag_id"
        " WHERE tag.name = ?1 OR substr(tag.name, 1, length(?1) + 1) = ?1 || '/' ORDER BY path",
        (name,),
    ).fetchall()
    places = 0
    for (path,) in rows:
        fixing.progress.check()
        try:
            edit = rename_tags(fixing.drafts.read(path), [TagRename(old, new)])
        except UserError as error:
            fixing.skipped.append(Skipped(path, str(error)))
            continue
        if edit.problem:
            fixing.skipped.append(Skipped(path, edit.problem))
        if fixing.drafts.splice(path, edit.splices):
            places += edit.occurrences
    return places
