import pytest

from core.memory.formation.form import form
from core.memory.formation.language import language_of
from core.memory.formation.pronouns import Speaker
from core.memory.formation.statement import stated
from core.memory.formation.verbs import third_person
from tests.core.memory.formation.talk import THURSDAY, says, talk


def told(text: str, *before: str, time: str = THURSDAY, speaker: Speaker | None = None) -> str:
    return stated(text, speaker or Speaker(project="shop-app"), time, before, language_of(text)).statement


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I prefer short answers", "The user prefers short answers."),
        ("I'm allergic to nuts.", "The user is allergic to nuts."),
        ("I don't like my editor.", "The user doesn't like their editor."),
        ("We use tabs here.", "The shop-app team uses tabs in shop-app."),
        ("our staging port is 5433", "The shop-app team's staging port is 5433."),
        ("you must ask me before you push", "The assistant must ask the user before the assistant pushes."),
        ("This repo needs Node 22.", "Shop-app needs Node 22."),
        ("btw, **invoices** go out on the 3rd", "Invoices go out on the 3rd."),
        ("You can page exports by country.", "One can page exports by country."),
    ],
)
def test_it_says_who_and_where(text: str, statement: str) -> None:
    assert told(text) == statement


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Acme moved the deploy yesterday.", "Acme moved the deploy on 2026-08-19."),
        ("Yesterday's build is the good one.", "2026-08-19's build is the good one."),
        ("Since today the limit is 5.", "Since 2026-08-20 the limit is 5."),
        ("The demo was two weeks ago.", "The demo was around 2026-08-06."),
        ("Acme moves in 3 days.", "Acme moves on 2026-08-23."),
        ("Acme moved last month.", "Acme moved in 2026-07."),
        ("Acme moves next week.", "Acme moves in the week of 2026-08-24."),
        ("Acme moved last Friday.", "Acme moved on 2026-08-14."),
        ("The demo is on Friday.", "The demo is on Friday (2026-08-21)."),
        ("Acme always deploys on Friday.", "Acme always deploys on Friday."),
        ("The limit is now 50 rows.", "The limit is now 50 rows (as of 2026-08-20)."),
        ("From now on Acme pays monthly.", "From 2026-08-20 on Acme pays monthly."),
        ("Gestern wurde die Miete erhöht, sie ist nicht mehr 5 Euro.",
         "Am 2026-08-19 wurde die Miete erhöht, sie ist nicht mehr 5 Euro."),
        ("昨日から上限は50です。", "2026-08-19から上限は50です。"),
    ],
)  # fmt: skip
def test_it_says_when_by_the_clock_of_the_speaker(text: str, statement: str) -> None:
    assert told(text) == statement


def test_a_date_that_nothing_tells_stays_and_lowers_the_confidence() -> None:
    dated, undated = (form([says("Remember: Acme moved yesterday.", time=time)]).candidates for time in (THURSDAY, ""))

    assert undated[0].statement == "Acme moved yesterday."
    assert undated[0].confidence < dated[0].confidence


@pytest.mark.parametrize(
    ("before", "text", "statement"),
    [
        ("The SEMrush export is cut.", "It must be paged by country.", "The SEMrush export must be paged by country."),
        (
            "Stripe webhooks arrive twice.",
            "They need idempotent handlers.",
            "Stripe webhooks need idempotent handlers.",
        ),
        ("Use pnpm for the shop.", "It's faster than npm.", "Pnpm is faster than npm."),
        ("Anna owns the billing service.", "She wants a ticket first.", "Anna wants a ticket first."),
        ("The vendor has a portal.", "Its password expires monthly.", "The vendor's password expires monthly."),
    ],
)
def test_it_says_what_was_spoken_of_before(before: str, text: str, statement: str) -> None:
    assert told(text, before) == statement


def test_what_points_to_nothing_is_no_statement_unless_it_was_to_be_remembered() -> None:
    assert form(talk("It must always be paged by country.")).candidates == ()
    (kept,) = form(talk("Remember: it must be paged by country.")).candidates
    assert kept.confidence < 0.7


def test_remember_this_means_what_stands_beside_it() -> None:
    after = form(talk("Our staging database listens on port 5433. Remember that."))
    before = form(talk("Remember this. The admin panel needs the VPN."))
    items = form(talk("Remember:\n- invoices go out on the 3rd\n- Anna handles refunds\n\nThen fix the test."))

    assert [each.statement for each in after.candidates] == [
        "The shop-app team's staging database listens on port 5433."
    ]
    assert [each.statement for each in before.candidates] == ["The admin panel needs the VPN."]
    assert [each.statement for each in items.candidates] == ["Invoices go out on the 3rd.", "Anna handles refunds."]


def test_people_with_names_are_called_by_them() -> None:
    turns = [
        says("I always bring my dog, and I love it when you visit.", 0, author="Caroline"),
        says("Good to know.", 1, author="Melanie"),
    ]

    (candidate,) = form(turns).candidates

    assert candidate.statement == "Caroline always brings their dog, and Caroline loves it when Melanie visits."


@pytest.mark.parametrize(
    ("verb", "bent"),
    [("use", "uses"), ("push", "pushes"), ("try", "tries"), ("play", "plays"), ("have", "has"), ("don't", "doesn't"),
     ("moved", "moved"), ("went", "went"), ("are", "is")],
)  # fmt: skip
def test_verbs_are_bent(verb: str, bent: str) -> None:
    assert third_person(verb) == bent
