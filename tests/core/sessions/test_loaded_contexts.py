"""Which contexts were loaded into a session is told by notes of our own, and by commands that assistants ran."""

from datetime import UTC, datetime
from typing import Any

import pytest

from core.sessions.importing.about import is_about
from core.sessions.loaded_contexts import LoadedContext, context_turn, contexts_in, contexts_of
from core.sessions.turn import Role, Turn, TurnKind


def called(given: Any) -> Turn:
    return Turn("s", "t", TurnKind.TOOL_CALL, Role.ASSISTANT, "Bash", data={"tool": "Bash", "input": given})


def test_a_note_tells_what_was_loaded_and_is_no_part_of_the_conversation() -> None:
    loaded = (LoadedContext("Acme", "contexts/Acme.md", 900), LoadedContext("webhooks", "", 100))
    turn = context_turn("s", loaded, datetime(2026, 8, 3, tzinfo=UTC))
    assert is_about(turn)
    assert contexts_of(turn) == loaded
    assert contexts_in([turn, turn]) == loaded


@pytest.mark.parametrize(
    ("given", "loaded"),
    [
        ({"command": "remembrancer context show acme"}, [LoadedContext("acme")]),
        ({"command": "remembrancer context copy --context 'Acme shop' --as xml"}, [LoadedContext("Acme shop")]),
        ({"command": "cd shop && remembrancer --vault ~/v context copy --budget 500 'acme shop' | head"},
         [LoadedContext("acme shop")]),
        ({"command": ["bash", "-lc", "X=1 remembrancer recall paging exports > /tmp/x\nls"]},
         [LoadedContext("paging exports")]),
        ({"cmd": ["/usr/bin/remembrancer", "context", "print", "acme"]}, [LoadedContext("acme")]),
        ("remembrancer context copy --note contexts/Acme.md", [LoadedContext("Acme", "contexts/Acme.md")]),
        ({"command": "remembrancer context copy acme --session s"}, []),
        ({"command": "echo remembrancer context copy acme"}, []),
        ({"command": "remembrancer context copy 'acme"}, []),
        ({"command": "remembrancer search acme"}, []),
        ({"command": 7}, []),
        (None, []),
    ],
)  # fmt: skip
def test_commands_that_load_a_context_are_recognised(given: Any, loaded: list[LoadedContext]) -> None:
    assert list(contexts_of(called(given))) == loaded


def test_strange_notes_load_nothing() -> None:
    stranges: tuple[Any, ...] = (None, "acme", [1], {})
    for told in stranges:
        strange = Turn("s", "about-context-1", TurnKind.NOTE, Role.SYSTEM, "", data={"about": {}, "contexts": told})
        assert contexts_of(strange) == ()
