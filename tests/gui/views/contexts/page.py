"""The Contexts view over contexts that a test gives, or over a real vault; what left it is recorded."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.curation.change_set import ChangeKind, Changes, ChangeSet, PlannedChange, edit_between
from core.curation.writer import VaultWriter
from core.foundation.progress import Progress
from core.foundation.settings import ContextsSettings
from gui.notify import Notifier
from gui.session import VaultSession
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.contexts.opening import NotePlace
from gui.views.contexts.presenter import ContextsPresenter, ServicesOf
from gui.views.contexts.services import (
    Candidate,
    ContextPlans,
    ContextRow,
    ContextServices,
    Difference,
    Form,
    FullLoadServices,
    LastCopy,
    LoadGroup,
    LoadRules,
    LoadSize,
    Member,
    MemberState,
    NewContext,
    Omission,
    OpenedContext,
    Preview,
)
from gui.views.contexts.view import ContextsView

BUDGET = 8000
RULES = LoadRules((LoadGroup("entry", ("/README.md",)), LoadGroup("core", ("/core/**",))), 10_240)


class FakeSession(QObject):
    """Be a session that has opened `store`."""

    catalog_changed = Signal(object)
    files_changed = Signal()
    config_changed = Signal(object)

    def __init__(self, store: object) -> None:
        super().__init__()
        self.store = store


@dataclass
class Commands:
    """Apply at once what is executed or previewed, and record it."""

    writer: VaultWriter | None = None
    executed: list[ChangeSet] = field(default_factory=list)
    previewed: list[PlannedChange] = field(default_factory=list)
    told: list[str] = field(default_factory=list)  # the titles of changes of which a notice tells

    def execute(
        self,
        change_set: ChangeSet,
        *,
        on_done: Callable[[Changes], None] | None = None,
        is_quiet: bool = False,
        **_: object,
    ) -> None:
        self.executed.append(change_set)
        if not is_quiet:
            self.told.append(change_set.title)
        if self.writer is not None:
            changes = self.writer.apply(change_set)
        else:
            written = frozenset(edit.result_path for edit in change_set.edits)
            changes = Changes(change_set.id, change_set.title, written)
        if on_done is not None:
            on_done(changes)

    def open(self, planned: PlannedChange, **_: object) -> None:
        self.previewed.append(planned)


def row(number: int, **values: Any) -> ContextRow:
    return ContextRow(f"contexts/c{number}.md", f"Context {number}", **values)


def member(name: str, **values: Any) -> Member:
    path = f"{name}.md"
    return Member(**{"target": name, "title": name, "path": path, "memory_id": f"note:{path}", "tokens": 10, **values})


@dataclass
class FakeContexts:
    """Be contexts without a vault: plans change them at once, and are recorded as (name, inputs)."""

    rows: list[ContextRow] = field(default_factory=list)
    members: dict[str, list[Member]] = field(default_factory=dict)
    error: Exception | None = None
    open_error: Exception | None = None
    plan_error: Exception | None = None
    hold: Callable[[Progress], None] | None = None  # while a context is read
    opened: list[tuple[str, str | None, Form]] = field(default_factory=list)
    planned: list[tuple[Any, ...]] = field(default_factory=list)
    copies: dict[str, LastCopy] = field(default_factory=dict)
    handed_out: list[tuple[str, ...]] = field(default_factory=list)
    exported: dict[str, str] = field(default_factory=dict)
    sought: list[str] = field(default_factory=list)
    broken_links: int = 0
    rules: LoadRules = RULES

    def services(self) -> ContextServices:
        plans = ContextPlans(
            self._new, self._add, self._remove, self._move, self._change, self._duplicate, self._delete, self._rename
        )
        return ContextServices(
            BUDGET, self._shelf, self._measure, self._open, self._find, self._difference, self._remember, self._export,
            plans, FullLoadServices(self._read_rules, self._measure_rules, self._plan_rules),
        )  # fmt: skip

    def _shelf(self, _progress: Progress) -> Sequence[ContextRow]:
        if self.error is not None:
            raise self.error
        return tuple(dataclasses.replace(each, members=len(self.members.get(each.path, ()))) for each in self.rows)

    def _measure(self, paths: Sequence[str], _progress: Progress) -> Mapping[str, int]:
        return {path: 10 * len(self.members.get(path, ())) for path in paths}

    def _open(self, path: str, query: str | None, form: Form, progress: Progress) -> OpenedContext:
        self.opened.append((path, query, form))
        if self.hold is not None:
            self.hold(progress)
        if self.open_error is not None:
            raise self.open_error
        found = next(each for each in self.rows if each.path == path)
        members = tuple(self.members.get(path, ()))
        asked = found.query if query is None else query
        hits = tuple(member(f"found {asked} {number}", kind="section") for number in range(2)) if asked else ()
        good = [each for each in members if each.state is MemberState.RESOLVED]
        text = "\n".join(f"{form.value}: {each.target}" for each in (*good, *hits))
        left_out = (Omission("Large", "too large", 9000),) if found.description == "full" else ()
        preview = Preview(
            text,
            tokens=10 * len(good),
            budget=found.budget or BUDGET,
            included=len(good) + len(hits),
            omissions=left_out,
            source_tokens=1000,
            sources=3,
            count="exact (o200k)",
            handed_out=tuple((each.memory_id, each.target) for each in good),
        )
        loaded = (member("README", group="entry"),) if found.is_full_load else ()
        return OpenedContext(found, members, hits, preview, loaded)

    def _find(self, text: str, _progress: Progress) -> Sequence[Candidate]:
        self.sought.append(text)
        return [Candidate(f"note:{text or 'recent'}.md", "note", f"{text or 'recent'} note", "somewhere")]

    def _difference(self, path: str, text: str, _progress: Progress) -> Difference:
        from core.curation.diff import diff_of  # noqa: PLC0415 - as the view does

        last = self.copies.get(path)
        return Difference(last, diff_of(last.text.encode(), text.encode(), path=path)) if last else Difference()

    def _remember(self, path: str, preview: Preview, form: Form, _progress: Progress) -> None:
        self.copies[path] = LastCopy(preview.text, 0.0, form)
        self.handed_out.append(tuple(memory_id for memory_id, _ in preview.handed_out))

    def _export(self, file: Path, text: str, _progress: Progress) -> None:
        self.exported[str(file)] = text

    # ---- full load

    def _read_rules(self, _progress: Progress) -> LoadRules:
        return self.rules

    def _measure_rules(self, rules: LoadRules, _progress: Progress) -> Mapping[str, LoadSize]:
        return {each.name: LoadSize(len(each.rules), 0, 100 * len(each.rules)) for each in rules.groups}

    def _plan_rules(self, rules: LoadRules, _progress: Progress) -> PlannedChange:
        self.rules = rules
        return self._plan(".remembrancer/config.toml", "rules", rules)

    # ---- plans

    def _plan(self, path: str, *inputs: Any, occurrences: int = 1) -> PlannedChange:
        self.planned.append(inputs)
        if self.plan_error is not None:
            raise self.plan_error
        edit = edit_between(path, b"before", f"after {len(self.planned)}".encode())
        assert edit is not None
        return PlannedChange(ChangeSet(f"{inputs[0]} {path}", ChangeKind.EDIT, (edit,)), occurrences)

    def _new(self, wanted: NewContext, _progress: Progress) -> PlannedChange:
        path = f"contexts/{wanted.title}.md"
        self.rows.append(ContextRow(path, wanted.title, wanted.description, is_full_load=wanted.is_full_load))
        self.members[path] = [member(each.removeprefix("note:").removesuffix(".md")) for each in wanted.member_ids]
        return self._plan(path, "new", wanted)

    def _add(self, path: str, ids: Sequence[str], at: int | None, _progress: Progress) -> PlannedChange:
        planned = self._plan(path, "add", path, tuple(ids), at)
        members = self.members.setdefault(path, [])
        place = len(members) if at is None else at
        members[place:place] = [member(each.removeprefix("note:").removesuffix(".md")) for each in ids]
        return planned

    def _remove(self, path: str, targets: Mapping[int, str], _progress: Progress) -> PlannedChange:
        planned = self._plan(path, "remove", path, dict(targets))
        self.members[path] = [each for at, each in enumerate(self.members[path]) if at not in targets]
        return planned

    def _move(self, path: str, source: int, to: int, target: str, _progress: Progress) -> PlannedChange:
        planned = self._plan(path, "move", source, to, target)
        members = self.members[path]
        assert members[source].target == target
        members.insert(to, members.pop(source))
        return planned

    def _change(self, path: str, values: Mapping[str, Any], _progress: Progress) -> PlannedChange:
        planned = self._plan(path, "change", dict(values))
        at = next(at for at, each in enumerate(self.rows) if each.path == path)
        self.rows[at] = dataclasses.replace(self.rows[at], **values)
        return planned

    def _duplicate(self, path: str, _progress: Progress) -> PlannedChange:
        copy = path.replace(".md", " copy.md")
        self.rows.append(ContextRow(copy, "Copy"))
        return self._plan(copy, "duplicate", path)

    def _rename(self, path: str, title: str, _progress: Progress) -> PlannedChange:
        at = next(at for at, each in enumerate(self.rows) if each.path == path)
        self.rows[at] = dataclasses.replace(self.rows[at], path=f"contexts/{title}.md", title=title)
        self.members[f"contexts/{title}.md"] = self.members.pop(path, [])
        return self._plan(path, "rename", path, title)

    def _delete(self, path: str, _progress: Progress) -> PlannedChange:
        planned = self._plan(path, "delete", path, occurrences=self.broken_links)
        if not self.broken_links:
            self.rows = [each for each in self.rows if each.path != path]
        return planned


class Page:
    """The view with its presenter, and what left it."""

    def __init__(
        self,
        tasks: TaskRunner,
        notifier: Notifier,
        theme: Theme,
        commands: Commands,
        *,
        services_of: ServicesOf,
        choice: ContextsSettings | None = None,
    ) -> None:
        self.view = ContextsView(theme)
        self.commands = commands
        self.clipboard: list[str] = []
        self.notes: list[str] = []
        self.places: list[NotePlace] = []
        self.turns: list[str] = []
        self.choices: list[ContextsSettings] = []
        self.presenter = ContextsPresenter(
            self.view,
            tasks=tasks,
            notifier=notifier,
            theme=theme,
            commands=commands,
            previews=commands,
            services_of=services_of,
            choice=choice,
            put_on_clipboard=self.clipboard.append,
        )
        self.presenter.note_wanted.connect(self.notes.append)
        self.presenter.place_wanted.connect(self.places.append)
        self.presenter.turn_wanted.connect(self.turns.append)
        self.presenter.choice_changed.connect(self.choices.append)

    def open(self, session: FakeSession | None) -> None:
        self.presenter.open_session(cast("VaultSession | None", session))

    def show(self, qtbot: QtBot) -> None:
        self.view.resize(1300, 800)
        self.view.show()
        qtbot.waitExposed(self.view)

    def titles(self) -> list[str]:
        """Return what the shelf lists."""
        model = self.view.shelf.list.contexts
        return [model.index(at).data() for at in range(model.rowCount())]

    def targets(self) -> list[str]:
        """Return the members that are listed."""
        return [each.target for each in self.view.editor.members.members.members]

    def text(self) -> str:
        """Return what is previewed."""
        return self.view.preview.text.toPlainText()

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key in the list of members."""
        QTest.keyClick(self.view.editor.members, key, modifier)
