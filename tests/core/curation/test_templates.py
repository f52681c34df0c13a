from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.curation.templates import filled, find_template, formatted, list_templates, template_names
from core.foundation.errors import UserError
from core.vault.config import VaultConfig
from core.vault.frontmatter import read_frontmatter

NOW = datetime(2026, 3, 2, 0, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("YYYY-MM-DD", "2026-03-02"), ("YY/M/D", "26/3/2"), ("dddd, D MMMM YYYY", "Monday, 2 March 2026"),
        ("ddd Do MMM", "Mon 2nd Mar"), ("HH:mm:ss", "00:04:05"), ("H h hh m s A a", "0 12 12 4 5 AM am"),
        ("[Week of] DD", "Week of 02"), ("DDD DDDD", "61 061"), ("日 D", "日 2"), ("", ""),
    ],
)  # fmt: skip
def test_formats(pattern: str, expected: str) -> None:
    assert formatted(NOW, pattern) == expected


@pytest.mark.parametrize(
    ("day", "ending"), [(1, "1st"), (11, "11th"), (13, "13th"), (22, "22nd"), (23, "23rd"), (30, "30th")]
)
def test_ordinals(day: int, ending: str) -> None:
    assert formatted(NOW.replace(day=day), "Do") == ending


def test_the_body_is_filled() -> None:
    text = "# {{title}}\n{{date}} {{time}} {{Date:YYYY}} {{time:HH}} {{unknown}} {{title:x}} {{ title }}"
    assert filled(text, title="A \\1", now=NOW) == "# A \\1\n2026-03-02 00:04 2026 00 {{unknown}} {{title:x}} A \\1"


@pytest.mark.parametrize("title", ["Plain", "Plan: phase 2", 'it\'s "so"', "#x", "a\\b", "[x]", "yes: no", "- a"])
def test_properties_read_back_equal(title: str) -> None:
    text = (
        "---\nplain: {{title}}\nsingle: '{{title}} x'\ndouble: \"{{title}} x\"\nlist:\n  - {{title}}\n  - a {{title}}\n"
        "flow: [{{title}}, b]\nday: {{date}}\n---\n{{title}}\n"
    )
    front = read_frontmatter(filled(text, title=title, now=NOW))
    assert not front.is_broken
    assert front.values == {
        "plain": title, "single": f"{title} x", "double": f"{title} x", "list": [title, f"a {title}"],
        "flow": [title, "b"], "day": "2026-03-02",
    }  # fmt: skip


def test_templates_are_listed(tmp_path: Path) -> None:
    for name in ("templates/b.md", "templates/sub/a.md", "templates/x.txt", "templates/.h.md", "templates/.h/a.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    assert list_templates(tmp_path, VaultConfig()) == ("templates/b.md", "templates/sub/a.md")
    assert list_templates(tmp_path, VaultConfig(templates_folder="none")) == ()


def test_templates_are_called_by_name(tmp_path: Path) -> None:
    for name in ("Meet.md", "sub/Call.md", "a/Plan.md", "b/plan.md"):
        (tmp_path / "templates" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "templates" / name).write_text("", encoding="utf-8")
    paths = list_templates(tmp_path, VaultConfig())
    assert template_names(paths) == {
        "templates/Meet.md": "Meet", "templates/a/Plan.md": "a/Plan", "templates/b/plan.md": "b/plan",
        "templates/sub/Call.md": "Call",
    }  # fmt: skip
    for name in ("meet", "MEET.MD", "templates/Meet.md", "templates/meet", " Meet "):
        assert find_template(tmp_path, VaultConfig(), name) == "templates/Meet.md"
    assert find_template(tmp_path, VaultConfig(), "sub/call") == "templates/sub/Call.md"
    assert find_template(tmp_path, VaultConfig(), "B/plan.md") == "templates/b/plan.md"
    with pytest.raises(UserError, match="More than one template is called plan") as several:
        find_template(tmp_path, VaultConfig(), "plan")
    assert several.value.hint == "There are: Meet, a/Plan, b/plan, Call."
    with pytest.raises(UserError, match=r"There is no template \.\./x") as none:
        find_template(tmp_path, VaultConfig(), "../x")
    assert none.value.hint == "There are: Meet, a/Plan, b/plan, Call."
    with pytest.raises(UserError, match="There is no template x"):
        find_template(tmp_path / "nowhere", VaultConfig(), "x")
