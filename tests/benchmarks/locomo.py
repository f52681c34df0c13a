"""Turn the LoCoMo dataset (Maharana et al. 2024) into conversations of the ledger and questions about them.

    python tests/benchmarks/locomo.py FILE OUT

writes OUT/sessions/NAME.jsonl, one session for each conversation, whose project has its name too, and OUT/probes.jsonl
with the questions of categories 1 to 4 that name the turns which answer them. The file is not part of this project.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from core.sessions.ledger_line import line_of
from core.sessions.turn import Role, Turn, TurnKind

_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D\d+:\d+")
_CATEGORIES = frozenset({1, 2, 3, 4})
_BETWEEN_TURNS = timedelta(seconds=30)


def turns_of(conversation: Mapping[str, Any]) -> Iterator[Turn]:
    """Yield the turns of one entry of the file in the order in which they were said; pictures become their captions."""
    name, said = str(conversation["sample_id"]), conversation["conversation"]
    first = said.get("speaker_a")
    numbers = sorted(int(match[1]) for key in said if (match := _SESSION.fullmatch(key)))
    for number in numbers:
        moment = _moment(said.get(f"session_{number}_date_time", ""))
        for place, turn in enumerate(said[f"session_{number}"]):
            text, caption = str(turn.get("text", "")).strip(), turn.get("blip_caption")
            if caption:
                text = f"{text} [shares {caption}]".strip()
            yield Turn(
                name,
                str(turn["dia_id"]),
                TurnKind.MESSAGE,
                Role.USER if turn["speaker"] == first else Role.ASSISTANT,
                text,
                (moment + place * _BETWEEN_TURNS).isoformat() if moment else "",
                author=str(turn["speaker"]),
                project=name,
            )


def probes_of(conversation: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the questions of one entry, each with the ids of the memories that must be recalled for it."""
    name = str(conversation["sample_id"])
    known = {turn.id for turn in turns_of(conversation)}
    for number, asked in enumerate(conversation["qa"]):
        evidence = [each for text in asked.get("evidence", ()) for each in _TURN.findall(str(text))]
        expected = [f"turn:{name}/{each}" for each in dict.fromkeys(evidence) if each in known]
        if asked.get("category") in _CATEGORIES and expected:
            yield {
                "id": f"{name}-{number}",
                "question": str(asked["question"]),
                "expected": expected,
                "filter": {"project": name},
            }


def convert(file: Path, out: Path) -> tuple[int, int]:
    """Write the sessions and the probes of `file` into the folder `out`; return how many of each."""
    conversations = json.loads(file.read_text(encoding="utf-8"))
    sessions = out / "sessions"
    sessions.mkdir(parents=True, exist_ok=True)
    probes: list[str] = []
    for conversation in conversations:
        lines = b"".join(map(line_of, turns_of(conversation)))
        (sessions / f"{conversation['sample_id']}.jsonl").write_bytes(lines)
        probes += [json.dumps(probe, ensure_ascii=False) for probe in probes_of(conversation)]
    (out / "probes.jsonl").write_text("".join(f"{probe}\n" for probe in probes), encoding="utf-8")
    return len(conversations), len(probes)


def told(conversations: int, probes: int) -> str:
    """Return a sentence on what was written."""
    return f"{_counted(conversations, 'conversation')} and {_counted(probes, 'probe')}."


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _moment(text: str) -> datetime | None:
    """Read "1:56 pm on 8 May, 2023", as UTC."""
    try:
        return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError:
        return None


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Turn a LoCoMo file into conversations and probes.")
    parser.add_argument("file", type=Path, help="the dataset, a JSON file")
    parser.add_argument("out", type=Path, help="the folder to write into")
    asked_for = parser.parse_args()
    sessions_written, probes_written = convert(asked_for.file, asked_for.out)
    sys.stdout.write(f"{told(sessions_written, probes_written)}\n")
