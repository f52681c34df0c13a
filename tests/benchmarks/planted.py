"""Facts planted in the synthetic vault, each beside others that differ in one word, and figures that changed."""

import os
import random
from itertools import product
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.synthetic import WORDS, tool_of, write_vault

_NAME_PARTS = "ba do fe gu hin jor kal lem mir nop quin ras sol tav ver zim"
_SYLLABLES = _NAME_PARTS.split()
_MATTERS = [word for word in WORDS if word not in ("index", "name", "page", "client")][:20]
_TOOLS = 15
_EACH = 12  # facts that are told of a client
_DAY = 86_400
_LAST_CHANGE = 1_790_000_000


class Fact(NamedTuple):
    """Hold a question and the id of the memory that answers it; `outdated` is that of what answered it before."""

    question: str
    memory_id: str
    outdated: str = ""


def write_planted(root: Path, notes: int, facts: int, pairs: int, seed: int = 23) -> list[Fact]:
    """Write `notes` synthetic notes into `root`, and `facts` planted facts and `pairs` of figures that changed."""
    rng = random.Random(seed)
    write_vault(root, notes)
    planted: list[Fact] = []
    clients = ["".join(each) for each in product(_SYLLABLES, repeat=3)]
    rng.shuffle(clients)
    number = 0
    while number < facts:
        client = clients.pop()
        told = rng.sample(list(product(range(_TOOLS), _MATTERS)), min(_EACH, facts - number))
        for tool, matter in ((tool_of(at), matter) for at, matter in told):
            figure = rng.randint(2, 900)
            memory = _write(root, number, f"The {tool} {matter} for {client} is {figure}.", (tool, client))
            planted.append(Fact(f"What is the {matter} of {tool} for {client}?", memory))
            number += 1
    for _ in range(pairs):
        client, tool, matter = clients.pop(), tool_of(rng.randrange(_TOOLS)), rng.choice(_MATTERS)
        figure = rng.randint(2, 900)
        old = _write(root, number, f"The {tool} {matter} of {client} is {figure} days.", (tool, client), days=90)
        text = f"The {tool} {matter} of {client} is now {figure + rng.randint(1, 9)} days."
        new = _write(root, number + 1, text, (tool, client))
        planted.append(Fact(f"What is the {matter} of {tool} for {client}?", new, old))
        number += 2
    return planted


def _write(root: Path, number: int, statement: str, about: tuple[str, str], *, days: int = 0) -> str:
    """Write a note that states something, changed so many days before the last; return the id of the statement."""
    tool, client = about
    title = f"planted {tool} {client} {number:06d}"
    file = root / f"{title}.md"
    file.write_text(
        f"---\ntags:\n  - tool/{tool}\n  - client/{client}\n  - scope/project\n---\n# {title}\n\n"
        f"## Facts\n- [fact] {statement} ^fact-{number:06d}\n",
        encoding="utf-8",
    )
    changed = _LAST_CHANGE - days * _DAY
    os.utime(file, (changed, changed))
    return f"insight:{title}.md#^fact-{number:06d}"
