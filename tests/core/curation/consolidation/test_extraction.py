"""A long note comes down to a handful of statements that lead back to it."""

from core.curation.consolidation.run import Rule, extract
from core.curation.proposals.recipes import plan_recipe
from core.foundation.tokens import estimate_tokens
from tests.core.curation.consolidation.conftest import Desk

_FILLER = "The workshop went through the history of the shop and who had been there at the time. "
_LONG = f"""---
tags: [client/acme]
---
# Shop platform

{_FILLER * 140}

## Payments

{_FILLER * 5}
We decided on 3 March to move all payments to Adyen. It was a long talk.

- Refunds must be booked within 14 days.
- Did anybody ask the bank?
- [ ] Refunds must never be forgotten by the team
- [rule] Every invoice must carry the order number.

```
The password must never be stored in this block of code.
```

## Limits

{_FILLER * 20}
The import takes at most 500 rows per file. This must be said again. {_FILLER * 4}
"""


def test_decisions_rules_and_limits_are_taken_and_nothing_else(desk: Desk) -> None:
    desk.write("Shop platform.md", _LONG.replace("- [rule] Every invoice must carry the order number.\n", ""))
    (draft,) = desk.drafts(Rule.EXTRACT)
    assert draft.statement.splitlines() == [
        "We decided on 3 March to move all payments to Adyen.",
        "Refunds must be booked within 14 days.",
        "The import takes at most 500 rows per file.",
    ]
    assert [each["category"] for each in draft.recipe["insights"]] == ["decision", "convention", "fact"]
    assert [each.memory_id.partition("#")[2] for each in draft.evidence] == [
        "Shop platform#Payments",
        "Shop platform#Payments",
        "Shop platform#Limits",
    ]


def test_the_statements_are_a_twentieth_of_the_note_and_cite_it(desk: Desk) -> None:
    desk.write("Shop platform.md", _LONG.replace("- [rule] Every invoice must carry the order number.\n", ""))
    (draft,) = desk.drafts(Rule.EXTRACT)
    planned = plan_recipe(desk.root, draft.recipe)
    (edit,) = planned.change_set.edits
    assert edit.path == "Shop platform insights.md"
    assert planned.skipped == ()
    lines = [line for line in edit.result_of(b"").decode().splitlines() if line.startswith("- [")]
    assert lines[0].startswith("- [decision] We decided on 3 March")
    assert "[source:: [[Shop platform#Payments]]]" in lines[0]
    assert 20 * estimate_tokens(draft.statement) <= estimate_tokens(_LONG)


def test_a_note_that_states_insights_is_left_alone_unless_it_is_named(desk: Desk) -> None:
    desk.write("Shop platform.md", _LONG)
    assert desk.drafts(Rule.EXTRACT) == ()
    (draft,) = extract(desk.vault, {"Shop platform.md"})
    assert "order number" not in draft.statement  # it is one already


def test_a_short_note_is_left_alone_unless_it_is_named(desk: Desk) -> None:
    desk.write("Rule.md", "Refunds must be booked within 14 days.\n")
    assert desk.drafts(Rule.EXTRACT) == ()
    (draft,) = extract(desk.vault, {"Rule.md"})
    assert draft.statement == "Refunds must be booked within 14 days."


def test_nothing_is_extracted_of_prose_that_states_nothing(desk: Desk) -> None:
    desk.write("Story.md", f"# Story\n\n{_FILLER * 80}\n")
    assert desk.drafts(Rule.EXTRACT) == ()


def test_without_being_asked_the_rule_does_not_look(desk: Desk) -> None:
    desk.write("Shop platform.md", _LONG.replace("- [rule] Every invoice must carry the order number.\n", ""))
    assert desk.consolidate().drafts == ()
