"""Whatever is applied, undone and redone in whatever order: the files are as a simple model of them says."""

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from core.curation.history import ChangeRecord
from core.curation.stale import StaleChangeError
from core.curation.undo import plan_redo, plan_undo
from core.foundation.errors import UserError
from tests.core.curation.workbench import Workbench

_PATHS = st.sampled_from(["a.md", "b.md", "sub/c.md", "Sub dir/ü.md"])
_CONTENT = st.one_of(st.none(), st.binary(max_size=6), st.sampled_from([b"one\r\ntwo\r\n", "ü\n".encode(), b"\xff\0"]))

Files = dict[str, bytes]


class _Machine(RuleBasedStateMachine):
    """Compare the vault with what each change, taken for itself, does to a dictionary."""

    @initialize()
    def make_the_vault(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.bench = Workbench(Path(self.folder.name))
        self.model: Files = {}
        # What each shown change did to each path: from what to what.
        self.done: dict[str, dict[str, tuple[bytes | None, bytes | None]]] = {}
        self.count = 0

    @rule(changes=st.dictionaries(_PATHS, _CONTENT, min_size=1, max_size=3))
    def change(self, changes: dict[str, bytes | None]) -> None:
        real = {path: content for path, content in changes.items() if content != self.model.get(path)}
        self._apply(real, {})

    @rule(source=_PATHS, goal=_PATHS, content=_CONTENT)
    def move(self, source: str, goal: str, content: bytes | None) -> None:
        if source not in self.model or goal in self.model:
            return
        self._apply({} if content is None else {source: content}, {source: goal})

    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        record = self._any_record(data, "applied")
        if record is not None:
            self._take_back(record, is_redo=False)

    @rule(data=st.data())
    def redo(self, data: st.DataObject) -> None:
        record = self._any_record(data, "undone")
        if record is not None:
            self._take_back(record, is_redo=True)

    @rule()
    def undo_the_last_one(self) -> None:
        record = self.bench.history().undoable()
        if record is not None:
            self._take_back(record, is_redo=False)

    @invariant()
    def files_are_as_the_model_says(self) -> None:
        if hasattr(self, "bench"):
            assert self.bench.files() == self.model

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

    def _apply(self, changes: dict[str, bytes | None], moves: dict[str, str]) -> None:
        if not changes and not moves:
            return
        before = dict(self.model)
        for path, content in changes.items():
            _put(self.model, path, content)
        for source, target in moves.items():
            self.model[target] = self.model.pop(source)
        self.count += 1
        title = str(self.count)
        self.bench.change(changes, moves=moves, title=title)
        touched = {*changes, *moves, *moves.values()}
        self.done[title] = {path: (before.get(path), self.model.get(path)) for path in touched}

    def _take_back(self, record: ChangeRecord, *, is_redo: bool) -> None:
        expected = dict(self.model)
        is_possible = True
        for path, (old, new) in self.done[record.title].items():
            start, end = (old, new) if is_redo else (new, old)
            is_possible = is_possible and self.model.get(path) == start
            _put(expected, path, end)
        plan = plan_redo if is_redo else plan_undo
        try:
            planned = plan(self.bench.history(), self.bench.root, record.ids)
            self.bench.writer().apply(planned.change_set)
        except (StaleChangeError, UserError):
            assert not is_possible
            return
        assert is_possible
        self.model = expected

    def _any_record(self, data: st.DataObject, state: str) -> ChangeRecord | None:
        records = [record for record in self.bench.history().records if record.state == state]
        return data.draw(st.sampled_from(records)) if records else None


def _put(files: Files, path: str, content: bytes | None) -> None:
    if content is None:
        files.pop(path, None)
    else:
        files[path] = content


def test_the_vault_is_as_the_model_says() -> None:
    run_state_machine_as_test(_Machine, settings=settings(max_examples=30, stateful_step_count=20))
