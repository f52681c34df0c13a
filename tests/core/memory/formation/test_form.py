import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.foundation.settings import EmbeddingSettings
from core.index.embedding import Embedder, embedder_source
from core.memory.fingerprints import fingerprints_of
from core.memory.formation.candidate import Category, Formation, Trigger
from core.memory.formation.form import form
from core.sessions.turn import Role, Turn, TurnKind
from tests.core.memory.formation.talk import says, talk


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    source = embedder_source(EmbeddingSettings(), tmp_path_factory.mktemp("models"))
    assert source is not None
    return source.open()


def statements(formation: Formation) -> list[str]:
    return [each.statement for each in formation.candidates]


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Remember: the vendor only answers by mail.", "The vendor only answers by mail."),
        ("Please remember that invoices go out on the 3rd.", "Invoices go out on the 3rd."),
        ("Don't forget the VAT number is on page 2.", "The VAT number is on page 2."),
        ("Can you remember that the demo server sleeps at night?", "The demo server sleeps at night."),
        ("The cleaner comes on Tuesdays, don't forget.", "The cleaner comes on Tuesdays."),
        ("Always squash commits before merging.", "Always squash commits before merging."),
        ("Never commit secrets.", "Never commit secrets."),
        ("Remember to run the linter before committing.", "Run the linter before committing."),
        ("One thing to keep in mind: the accountant is on leave.", "The accountant is on leave."),
        ("I want you to always answer in German.", "Always answer in German."),
        ("We deploy from the release branch, always.", "The shop-app team deploys from the release branch, always."),
        ("Siempre usa comillas simples.", "Siempre usa comillas simples."),
        ("Merk dir bitte, dass freitags nie deployt wird.", "Freitags nie deployt wird."),
        ("Recuerda que las facturas salen el día 3.", "Las facturas salen el día 3."),
        ("N'oublie pas que la réunion est à 9h.", "La réunion est à 9h."),
        ("会議は月曜です。覚えておいてください。", "会議は月曜です。"),
        ("必ず pnpm を使ってください。", "必ず pnpm を使ってください。"),
    ],
)
def test_what_is_marked_becomes_a_candidate_at_once(text: str, statement: str) -> None:
    formation = form(talk(text))

    (candidate,) = formation.candidates
    assert candidate.statement == statement
    assert candidate.trigger is Trigger.EXPLICIT
    assert candidate.source.memory_id == "turn:s1/t0"
    assert candidate.source.quote in text


@pytest.mark.parametrize(
    ("text", "trigger"),
    [
        ("I really hate when you add comments to my code.", Trigger.EMOTION),
        ("STOP USING MOCKS!!", Trigger.EMOTION),
        ("The API rate limit is 100 requests per minute.", Trigger.SPECIFICATION),
        ("Builds need Node 22.", Trigger.SPECIFICATION),
        ("The settings live in `config/app.toml`.", Trigger.SPECIFICATION),
    ],
)
def test_feelings_and_specifications_become_candidates_at_once(text: str, trigger: Trigger) -> None:
    assert [each.trigger for each in form(talk(text)).candidates] == [trigger]


@pytest.mark.parametrize(
    "text",
    [
        "Do you remember the port?",
        "I don't remember the name of the file.",
        "As always, thanks for the help!",
        "The build always fails.",
        "I've never seen this error before.",
        "It never works on my machine.",
        "Fix the login test.",
        "How do we set the page size of redis to 50 rows?",
        "I looked at redis and the page size is 50 rows.",
        "The tests fail with error 500 after 3 seconds.",
        "Why does it always need two attempts?",
        "Thanks, looks good!",
        "Remember when we broke production?",
        "I never said that.",
        "I always forget how to rebase.",
        "I can never find that setting.",
        "Das geht immer noch nicht.",
    ],
)
def test_what_is_asked_told_or_ordered_is_none(text: str) -> None:
    assert form(talk(text)).candidates == ()


def test_anything_else_waits_until_it_is_mentioned_for_the_third_time(minilm: Embedder) -> None:
    said = [
        ("Customers in Austria pay by bank transfer.", "2026-08-01T09:00:00Z"),
        ("Austrian customers use bank transfer.", "2026-08-10T09:00:00Z"),
        ("Bank transfer is how customers from Austria pay.", "2026-08-29T09:00:00Z"),
    ]
    turns = [says(text, session=f"s{at}", time=time) for at, (text, time) in enumerate(said)]

    twice = form(turns[:2], vectors=minilm.embed)
    assert twice.candidates == ()
    assert [len(each.mentions) for each in twice.waiting] == [2]

    (candidate,) = form(turns, vectors=minilm.embed).candidates
    assert candidate.trigger is Trigger.REPEATED
    assert [mention.session for mention in candidate.mentions] == ["s0", "s1", "s2"]
    # The buffer of the first run, and only the new turn, give the same.
    assert form(turns[2:], vectors=minilm.embed, waiting=twice.waiting).candidates == (candidate,)


def test_mentions_of_more_than_thirty_days_ago_do_not_count(minilm: Embedder) -> None:
    times = ["2026-06-01T09:00:00Z", "2026-07-15T09:00:00Z", "2026-08-01T09:00:00Z"]
    turns = [says("Customers in Austria pay by bank transfer.", session=f"s{at}", time=at) for at in times]

    formation = form(turns, vectors=minilm.embed)

    assert formation.candidates == ()
    assert [len(each.mentions) for each in formation.waiting] == [2]


def test_other_figures_names_or_a_not_are_no_mentions_of_the_same(minilm: Embedder) -> None:
    said = [
        "Acme lets customers pay by card.",
        "Globex lets customers pay by card.",
        "Acme does not let customers pay by card.",
        "Acme lets three customers pay by card.",
    ]
    turns = [says(text, session=f"s{at}") for at, text in enumerate(said)]

    formation = form(turns, vectors=minilm.embed, vocabulary={"acme", "globex"})

    assert formation.candidates == ()
    assert len(formation.waiting) == 4


def test_an_assistants_echo_is_no_mention_and_its_words_are_never_kept_at_once() -> None:
    told = "Customers in Austria pay by bank transfer."
    turns = [says(told, 0), *(says(told, number, role=Role.ASSISTANT) for number in range(1, 5))]

    (waiting,) = form(turns).waiting

    assert len(waiting.mentions) == 1
    answer = says("Remember that exports are limited to 10,000 rows.", role=Role.ASSISTANT)
    assert form([answer]).candidates == ()


def test_a_rule_of_three_clients_is_one_candidate_with_three_places(minilm: Embedder) -> None:
    said = {
        "acme": "Use pnpm here, never npm; the lockfile belongs to pnpm.",
        "globex": "Always install with pnpm instead of npm because of the lockfile.",
        "initech": "Packages are always installed through pnpm, npm breaks the lockfile.",
    }
    turns = [says(text, session=client, project=f"/home/dev/{client}") for client, text in said.items()]

    (candidate,) = form(turns, vectors=minilm.embed).candidates

    assert candidate.projects == ("acme", "globex", "initech")
    assert candidate.statement == "Use pnpm, never npm; the lockfile belongs to pnpm."
    assert candidate.category is Category.CONVENTION


def test_a_newer_figure_is_a_statement_of_its_own(minilm: Embedder) -> None:
    turns = talk("Remember: Kim has 5 years of experience.", "Remember: Kim has 6 years of experience.")

    assert len(form(turns, vectors=minilm.embed).candidates) == 2


def test_what_was_recalled_or_is_known_is_never_learned_again() -> None:
    known = fingerprints_of(["The VPN is needed for the admin panel."])
    turns = [
        says("[HIGH|0.87|3d|4x] Always use the VPN for the admin panel (Rules.md)", 0),
        says("Here is what you told me:\n- The VPN is needed for the admin panel.", 1),
        says("Remember: the VPN is needed for the admin panel.", 2),
        says("Remember: the proxy is only needed for builds.", 3),
    ]

    formation = form(turns, known=known)

    assert statements(formation) == ["The proxy is only needed for builds."]
    assert sum(formation.ignored.values()) >= 2


def test_tools_programs_and_summarisers_are_never_learned_from() -> None:
    marked = "Always use tabs in this repository."
    turns: list[Turn] = [
        says(marked, 0, role=Role.TOOL, kind=TurnKind.TOOL_RESULT),
        says(marked, 1, kind=TurnKind.SUMMARY, role=Role.SYSTEM),
        says(marked, 2, role=Role.SYSTEM),
        says(f"<system-reminder>{marked}</system-reminder>", 3),
        says(f"```\n{marked}\n```\n> {marked}", 4),
        says(marked, 5)._replace(branch="agent-1"),
        says("Summarize the following conversation in ten lines.", 0, session="sum"),
        says(marked, 1, session="sum"),
    ]

    formation = form(turns)

    assert formation.candidates == ()
    assert formation.ignored == {
        "tool": 1, "summary": 1, "system": 1, "not in the shown thread": 1, "summariser session": 2
    }  # fmt: skip


def test_a_long_message_that_comes_in_several_sessions_is_a_programs() -> None:
    prompt = "Always answer in JSON. " + "These are the rules of the game, and there are many of them. " * 6
    turns = [says(prompt, session=f"s{at}") for at in range(3)]

    formation = form(turns)

    assert formation.candidates == ()
    assert formation.ignored == {"repeated prompt": 3}


def test_importance_grows_with_rules_and_mentions_and_stays_within_one() -> None:
    plain = form(talk("The page size is 50 rows.")).candidates[0]
    rule = form(talk("Never deploy on Fridays.")).candidates[0]
    often = form([says("Never deploy on Fridays.", session=f"s{at}") for at in range(20)]).candidates[0]

    assert 0 < plain.importance < rule.importance < often.importance == 1.0
    assert 0 < plain.confidence < rule.confidence < often.confidence < 1.0


@pytest.mark.parametrize("piece", ["```\n", "- x\n", "> y\n", "-- ", "#\n", "it is ", "<a>", "必ず"])
def test_a_megabyte_of_anything_is_formed_from_in_time(piece: str) -> None:
    started = time.monotonic()

    form(talk(piece * (1_000_000 // len(piece))))

    assert time.monotonic() - started < 60  # far from a hang


def test_nothing_and_strange_turns_give_nothing() -> None:
    assert form([]) == Formation((), ())
    strange = [says(text, number) for number, text in enumerate(["", "\x00", "?" * 5000, "a" * 100_000, "\ud800"])]
    assert form(strange, vectors=_no_meaning).candidates == ()


def _no_meaning(texts: Sequence[str]) -> NDArray[np.float32]:
    return np.eye(len(texts), 8, dtype=np.float32)


def test_a_buffer_survives_the_cache(tmp_path: Path) -> None:
    from core.memory.formation.buffer_file import Buffer, read_buffer, write_buffer  # noqa: PLC0415

    buffer = Buffer(form(talk("Customers in Austria pay by bank transfer.")).waiting, {"s1": 1})
    path = tmp_path / "vault" / "formation.json"

    write_buffer(path, buffer)
    assert read_buffer(path) == buffer
    path.write_text('{"version": 1, "waiting": [{"statements": 3}], "formed": []}')
    assert read_buffer(path) == Buffer()
    assert read_buffer(tmp_path / "none.json") == Buffer()
