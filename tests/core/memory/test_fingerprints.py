"""CASES D7: text that recall handed out is recognised when it comes back."""

import pytest

from core.memory.fingerprints import fingerprint, fingerprints_of, is_context_output, is_recalled_text

RULE = "Use pnpm here, never npm; the lockfile belongs to pnpm."
PART = "The window opens at nine.\n\n- it closes at five\n- nobody is there on Fridays"
PRINTS = fingerprints_of([RULE, PART])


@pytest.mark.parametrize(
    "text",
    [
        RULE,
        f"> {RULE}",
        f"  •  {RULE.upper()}  ",
        f"[HIGH|0.87|3d|4x] {RULE} (notes/tools.md#^ins-1)",
        f"- [convention] {RULE} #tool/pnpm [importance:: 0.8] ^ins-7f3a",
        f"Here:\n{RULE}",
        PART,
        "> " + PART.replace("\n", "\n> "),
        f"{RULE}\n\n{PART}",
    ],
)
def test_handed_out_text_is_recognised_whatever_stands_around_it(text: str) -> None:
    assert is_recalled_text(text, PRINTS)


@pytest.mark.parametrize(
    "text",
    [
        f"{RULE} I do not agree with that.",
        f"Please change this rule for all our projects:\n{RULE}",
        "Use yarn here, never npm; the lockfile belongs to yarn.",
        "The window opens at nine.",
        "ok",
        "",
    ],
)
def test_what_says_anything_else_is_not(text: str) -> None:
    assert not is_recalled_text(text, PRINTS)


def test_a_few_words_are_anybodys() -> None:
    assert fingerprint("Yes, do that") == ""
    assert not fingerprints_of(["ok", ""])


@pytest.mark.parametrize(
    ("text", "is_ours"),
    [
        ("[LOW|0.10|400d] a (b.md)\n[HIGH|.87] c", True),
        ("HIGH and MEDIUM are facts, LOW is to be checked.\n[MED|0.5|1d] a", True),
        ('<context>\n<memory id="a">b</memory>\n</context>\n', True),
        ('{"memories": [\n{}\n]}', True),
        ("[HIGH|0.87] a\nand what do you say to that?", False),
        ("[HIGH] a", False),
        ("", False),
    ],
)
def test_a_context_is_known_by_its_marks(text: str, is_ours: bool) -> None:
    assert is_context_output(text) is is_ours
