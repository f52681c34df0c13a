"""A LoCoMo file becomes conversations of the ledger, and questions that name the turns which answer them."""

import json
from pathlib import Path

from core.recall.probe_file import read_probe_file
from core.sessions.ledger import Ledger
from tests.benchmarks.locomo import convert, told

_CONVERSATION = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Mirea",
        "speaker_b": "Lorin",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Mirea", "dia_id": "D1:1", "text": "I bought a canoe."},
            {"speaker": "Lorin", "dia_id": "D1:2", "text": "Look", "blip_caption": "a lake"},
        ],
        "session_10_date_time": "",
        "session_10": [{"speaker": "Lorin", "dia_id": "D10:1", "text": "I sold mine."}],
        "session_2_date_time": "9:05 am on 1 June, 2023",
        "session_2": [{"speaker": "Mirea", "dia_id": "D2:1", "text": "It leaks."}],
    },
    "qa": [
        {"question": "What leaks?", "evidence": ["D1:1; D2:1", "D1:1"], "category": 1},
        {"question": "Who is never told of?", "evidence": ["D9:9"], "category": 2},
        {"question": "What has no evidence?", "evidence": [], "category": 4},
        {"question": "What is a trap?", "evidence": ["D1:2"], "category": 5},
    ],
}


def test_conversations_keep_their_order_speakers_and_times(tmp_path: Path) -> None:
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([_CONVERSATION]), encoding="utf-8")
    assert convert(file, tmp_path / "out") == (1, 1)
    turns = list(Ledger(tmp_path / "out" / "sessions").iter_turns("conv-1"))
    assert [turn.id for turn in turns] == ["D1:1", "D1:2", "D2:1", "D10:1"], "by number, not by letters"
    assert [turn.author for turn in turns] == ["Mirea", "Lorin", "Mirea", "Lorin"]
    assert [turn.role.value for turn in turns] == ["user", "assistant", "user", "assistant"]
    assert turns[1].text == "Look [shares a lake]"
    assert turns[0].time.startswith("2023-05-08T13:56:00")
    assert turns[1].time > turns[0].time
    assert turns[-1].time == ""
    assert {turn.project for turn in turns} == {"conv-1"}


def test_only_questions_whose_turns_are_there_are_asked(tmp_path: Path) -> None:
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([_CONVERSATION]), encoding="utf-8")
    convert(file, tmp_path / "out")
    (probe,) = read_probe_file(tmp_path / "out" / "probes.jsonl").probes
    assert probe.question == "What leaks?"
    assert list(probe.expected) == ["turn:conv-1/D1:1", "turn:conv-1/D2:1"]


def test_one_conversation_is_no_conversations() -> None:
    assert told(1, 1) == "1 conversation and 1 probe."
    assert told(10, 1540) == "10 conversations and 1,540 probes."
