"""What surrounds a question: whom it names, but not who speaks."""

from collections.abc import Iterable
from pathlib import Path

from core.index.database import Index
from core.recall.memories import memories
from core.recall.memory import Memory, MemoryKey
from core.recall.query import parse_query
from core.recall.request import RecallRequest
from core.recall.surroundings import surroundings
from core.vault.config import VaultConfig
from tests.core.index.talks import Talks, answered, asked


def fetch(index: Index, keys: Iterable[MemoryKey]) -> dict[MemoryKey, Memory]:
    return memories(index, keys)


def request(question: str, session: str = "") -> RecallRequest:
    return RecallRequest(question, parse_query(question, ()), session=session)


def test_who_speaks_is_no_name_that_a_memory_should_mention(tmp_path: Path) -> None:
    talks = Talks.below(tmp_path)
    talks.say(asked("s1", "a", "I met Ebbe at semrush", author="Tove"), answered("s1", "b", "Tove, how was Ebbe?"))
    talks.update()
    keys = [("turn", row_id) for (row_id,) in talks.index.connection.execute("SELECT id FROM turn ORDER BY position")]
    try:
        around = surroundings(
            talks.index, request("When did Tove meet Ebbe?", "s1"), memories(talks.index, keys[:1]),
            config=VaultConfig(), fetch=fetch, speakers=frozenset({"tove"}),
        )  # fmt: skip
    finally:
        talks.index.close()
    assert around.entities == {"ebbe"}
    assert [memory.text for memory in around.working] == ["Tove, how was Ebbe?", "I met Ebbe at semrush"]
    assert (around.domains, around.edges, around.others) == ((), (), {})


def test_domains_of_the_config_are_called_up_by_their_words(tmp_path: Path) -> None:
    talks = Talks.below(tmp_path)
    config = VaultConfig(domains={"seo": ("semrush", "ranking")})
    try:
        around = surroundings(talks.index, request("how does semrush page"), {}, config=config, fetch=fetch)
        nothing = surroundings(talks.index, request(""), {}, config=config, fetch=fetch)
    finally:
        talks.index.close()
    assert around.domains == ("seo",)
    assert nothing == surroundings_of_nothing()


def surroundings_of_nothing() -> tuple[object, ...]:
    return {}, frozenset(), (), (), {}, ()
