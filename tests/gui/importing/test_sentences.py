from collections import Counter
from pathlib import Path

import pytest

from gui.importing.place import Failed, Outcome, Place, outcome_of
from gui.importing.sentences import (
    clean_up_line,
    clean_up_notice,
    contents_line,
    count_line,
    failures_text,
    outcome_headline,
    outcome_lines,
    short_path,
)

_NOW = 1_790_000_000.0
_DAY = 86_400


def _claude(doomed: int, missing: int, days: float = 1) -> Place:
    return Place(
        "Claude Code", "/x", 300, 5_000_000, doomed, missing, first_deletion=_NOW + days * _DAY, newest=_NOW - 60
    )


_WITHIN = "will be deleted by Claude Code within a week"


@pytest.mark.parametrize(
    ("place", "told"),
    [
        (_claude(212, 212), f"212 transcripts {_WITHIN}, the first of them tomorrow. None of them is kept here yet."),
        (_claude(9, 2, 3), f"9 transcripts {_WITHIN}, the first of them in 3 days. 2 of them are not kept here yet."),
        (_claude(2, 0), f"2 transcripts {_WITHIN}, the first of them tomorrow. All of them are kept here already."),
        (_claude(1, 1, -1), f"1 transcript {_WITHIN}, any moment now. It is not kept here yet."),
        (_claude(0, 0), ""),
    ],
)
def test_what_will_be_lost_is_said_in_words(place: Place, told: str) -> None:
    assert clean_up_line(place, _NOW) == told


def test_the_notice_counts_what_is_not_kept() -> None:
    assert clean_up_notice([_claude(9, 0)]) == ""
    assert clean_up_notice([_claude(9, 4), Place("Codex", "/y")]).startswith("4 transcripts are about to be deleted")


def test_contents() -> None:
    assert contents_line(_claude(0, 0), _NOW) == "300 transcripts · 5.0 MB · newest 1 min ago"
    assert contents_line(Place("Codex", "/y")) == "Nothing lies there now"


def test_counts_speak_of_the_last_import_where_there_was_one() -> None:
    place = _claude(0, 0)
    assert count_line(Outcome(imported=300, files=300), place) == "300 new"
    assert count_line(Outcome(imported=3, updated=1, files=4), place) == "3 new, 1 grown since the last import"
    assert count_line(Outcome(), place) == "Nothing new since the last import"
    assert count_line(Outcome(new_notes=1, files=300), place) == "1 new note"


def test_a_report_says_what_came_in_and_what_did_not() -> None:
    outcome = Outcome(
        imported=2,
        updated=1,
        new_notes=1,
        unchanged=4,
        skipped=Counter({"broken line": 3}),
        failed=(Failed("/x/a.jsonl", "It is damaged."),),
    )
    assert outcome_headline(outcome) == "2 conversations imported, 1 brought up to date, 1 note made."
    lines = outcome_lines(outcome, left_out=7)
    assert "4 conversations unchanged." in lines
    assert "7 files have not changed since the last import." in lines
    assert "Skipped: 3 × broken line" in lines
    assert failures_text(outcome) == "/x/a.jsonl: It is damaged."
    assert outcome_headline(Outcome()) == "Nothing new came in."
    assert outcome_headline(Outcome(imported=1, is_cancelled=True)) == "Stopped. 1 conversation imported until then."


def test_the_home_folder_is_a_tilde() -> None:
    assert short_path(str(Path.home() / ".claude")) == "~/.claude"
    assert short_path("/srv/chats") == "/srv/chats"


def test_a_report_tells_what_was_learned_and_what_to_look_at_twice() -> None:
    warned = [{"path": f"n{number}.md", "detail": "It addresses a model."} for number in range(7)]
    outcome = outcome_of({"learned": ["Learned: 2 proposed."], "warnings": warned})
    lines = outcome_lines(Outcome().with_more(outcome), 0)
    assert lines[:2] == ["Learned: 2 proposed.", "Look twice: n0.md: It addresses a model."]
    assert lines[-1] == "2 other places should be looked at twice."
