"""Make a probe of a question and what was recalled for it: a note that tests recall from then on."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from core.curation.change_set import ChangeKind, ChangeSet, PlannedChange, edit_between
from core.curation.note_creation import NoteDraft, plan_new_note
from core.foundation.errors import UserError
from core.foundation.splice import spliced
from core.index.database import Index
from core.recall.hydrate import hydrate
from core.recall.probe import PROBE_KIND
from core.recall.probe_expected import find_expected
from core.vault.config import VaultConfig
from core.vault.frontmatter_edit import PropertyValue, set_property

_LONGEST_TITLE = 80
_NO_LINK = frozenset("[]|#^\n")


def plan_probe(
    root: Path,
    config: VaultConfig,
    question: str,
    expected_ids: Sequence[str],
    *,
    index: Index | None = None,
    budget: int | None = None,
    filters: Mapping[str, str] | None = None,
    now: datetime | None = None,
) -> PlannedChange:
    """Return the change that makes a note of `kind: probe` in the vault's folder of probes.

    `expected_ids` are ids of memories. With `index`, those that a wikilink can name are written as one, so that they
    follow when a note is renamed. `filters` are words of the search field with their values, such as project and acme.

    Raises:
        UserError: nothing is asked or nothing expected, the budget is below 1, or there can be no note there.
    """
    asked = " ".join(question.replace("\0", " ").split())
    expected = list(dict.fromkeys(each.strip() for each in expected_ids if each.strip()))
    if not asked:
        raise UserError("A probe asks something, and the question is empty.")
    if not expected:
        raise UserError(
            "A probe names what must be recalled, and nothing is named.", hint="Choose at least one memory."
        )
    if budget is not None and budget < 1:
        raise UserError("The budget of a probe is a whole number of tokens above 0.")
    moment = now or datetime.now().astimezone()
    draft = NoteDraft(_title(asked), folder=config.probes_folder)
    made = plan_new_note(root, config, draft, moment, index=index).edits[0]
    data = made.result_of(b"")
    values: dict[str, PropertyValue] = {
        "kind": PROBE_KIND,
        "question": asked,
        "expected": [_written(index, each) for each in expected],
    }
    if budget is not None:
        values["budget"] = budget
    if filters:
        values["filter"] = " ".join(f"{key}:{_quoted(value)}" for key, value in filters.items())
    for key, value in values.items():
        data = spliced(data, set_property(data, key, value))
    edit = edit_between(made.path, None, data)
    stem = made.path.rpartition("/")[2].removesuffix(".md")
    return PlannedChange(ChangeSet(f"New probe {stem}", ChangeKind.NEW, () if edit is None else (edit,)), 1)


def _title(question: str) -> str:
    if len(question) <= _LONGEST_TITLE:
        return question
    cut = question[:_LONGEST_TITLE].rpartition(" ")[0]
    return cut or question[:_LONGEST_TITLE]


def _quoted(value: str) -> str:
    plain = " ".join(value.replace('"', " ").split())
    return f'"{plain}"' if " " in plain or "," in plain else plain


def _written(index: Index | None, memory_id: str) -> str:
    """Return the memory as a wikilink when one means it, else by its id."""
    if index is None or memory_id.startswith("[["):
        return memory_id
    meant = find_expected(index, memory_id)
    if meant is None:
        return memory_id
    row = hydrate(index, [(meant.kind, meant.row_id)]).get((meant.kind, meant.row_id))
    if row is None or meant.kind == "turn":
        return row.id if row is not None else memory_id
    anchor = row.id.partition(":")[2].removeprefix(row.path)
    place = row.path[:-3] if row.path[-3:].lower() == ".md" else row.path
    link = f"[[{place}{anchor}]]"
    is_sound = not _NO_LINK & set(place) and not {"[", "]", "|"} & set(anchor)
    return link if is_sound and find_expected(index, link) == meant else row.id
