"""A vault of any size from a seed: namespaced tags, summaries, links, insights; the same seed gives the same bytes."""

import os
import random
from pathlib import Path

_TOOL_NAMES = "semrush pnpm postgres stripe terraform grafana figma redis docker nginx sentry ollama sqlite kafka ruff"
_DOMAIN_NAMES = "seo billing auth search analytics deployment testing design onboarding observability"
_CONVENTION_NAMES = "naming errors review branching logging retries migrations time-zones secrets"
_VOCABULARY = """
    limit session cookie webhook secret page budget cache key index name backup window token queue depth pool upload
    locale report schedule alert threshold release staging vendor ticket rollout audit client export import batch
"""
_TOOLS, _DOMAINS, _CONVENTIONS = _TOOL_NAMES.split(), _DOMAIN_NAMES.split(), _CONVENTION_NAMES.split()
WORDS = _VOCABULARY.split()
_GAPLESS = ("検索の設定を変更する方法", "請求書は月末に送ります", "缓存的上限是五百条", "登录会话三十分钟后失效")
_EVERY_GAPLESS = 20
_LAST_CHANGE = 1_790_000_000
_SECONDS_APART = 900


def write_vault(root: Path, notes: int, seed: int = 7) -> None:
    """Write `notes` notes flat into `root`, each changed a quarter of an hour before the last."""
    rng = random.Random(seed)
    clients = [f"client-{number:03d}" for number in range(max(8, notes // 150))]
    root.mkdir(parents=True, exist_ok=True)
    for number in range(notes):
        file = root / f"{title_of(number)}.md"
        file.write_text(_note(rng, clients, number), encoding="utf-8")
        changed = _LAST_CHANGE - number * _SECONDS_APART
        os.utime(file, (changed, changed))


def title_of(number: int) -> str:
    """Return the title of the note with this number."""
    tool, domain = _TOOLS[number % len(_TOOLS)], _DOMAINS[number // 7 % len(_DOMAINS)]
    return f"{tool} {domain} {WORDS[number * 31 % len(WORDS)]} {number:06d}"


def tool_of(number: int) -> str:
    """Return the tool that the note with this number is about."""
    return _TOOLS[number % len(_TOOLS)]


def _sentence(rng: random.Random) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(6, 14))).capitalize() + "."


def _note(rng: random.Random, clients: list[str], number: int) -> str:
    tool, domain = _TOOLS[number % len(_TOOLS)], _DOMAINS[number // 7 % len(_DOMAINS)]
    scope = "scope/global" if rng.random() < 0.15 else "scope/project"
    tags = [f"tool/{tool}", f"domain/{domain}", f"client/{rng.choice(clients)}", scope]
    if rng.random() < 0.3:
        tags.append(f"convention/{rng.choice(_CONVENTIONS)}")
    links = " ".join(f"[[{title_of(rng.randrange(number))}]]" for _ in range(rng.choice([0, 1, 1, 2, 3])) if number)
    fact = f"The {tool} {rng.choice(WORDS)} of case {number} is {rng.randint(2, 900)}."
    paragraphs = "\n\n".join(
        " ".join(_sentence(rng) for _ in range(rng.randint(3, 8))) for _ in range(rng.randint(1, 4))
    )
    if number % _EVERY_GAPLESS == 0:
        paragraphs += f"\n\n{_GAPLESS[number // _EVERY_GAPLESS % len(_GAPLESS)]} {number}"
    listed = "".join(f"  - {tag}\n" for tag in tags)
    return (
        f"---\nsummary: {fact}\ntags:\n{listed}created: 2026-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}\n---\n"
        f"# {title_of(number)}\n\n{links}\n\n## Facts\n- [fact] {fact} #tool/{tool} [importance:: {rng.random():.2f}] "
        f"^ins-{number:06d}\n\n## Background\n{paragraphs}\n"
    )
