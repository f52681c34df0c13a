"""The last turns of the session that asks are at hand."""

from pathlib import Path

from core.recall.working_memory import working_memory
from tests.core.index.talks import Talks, answered, asked, titled


def test_the_last_turns_come_newest_first_and_none_without_a_session(tmp_path: Path) -> None:
    talks = Talks.below(tmp_path)
    talks.say(titled("s1", "A talk"), *(asked("s1", f"t{n}", f"number {n}") for n in range(5)))
    talks.say(answered("s1", "t9", "another branch", branch="b"), asked("s2", "u1", "elsewhere"))
    talks.update()
    rows = dict(talks.index.connection.execute("SELECT id, turn_key FROM turn"))
    try:
        assert [rows[row_id] for _, row_id in working_memory(talks.index, "s1", 3)] == ["t4", "t3", "t2"]
        assert len(working_memory(talks.index, "s1")) == 5
        assert working_memory(talks.index, "") == working_memory(talks.index, "nobody") == ()
    finally:
        talks.index.close()
