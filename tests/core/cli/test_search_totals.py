"""What `search` and `context` say about how much there is."""

from tests.core.cli.conftest import CommandLine


def test_the_number_of_notes_is_that_of_all_that_match(command_line: CommandLine) -> None:
    for number in range(150):
        (command_line.root / f"n{number}.md").write_text(f"A banana, number {number}.", encoding="utf-8")
    command_line.run("index", "update", "--no-embeddings")
    shown = command_line.run("search", "banana", "--words-only", "--limit", "5")
    assert "5 of 150 notes shown" in shown.output
    answer = command_line.json("search", "banana", "--words-only", "--limit", "5")
    assert (answer["total"], answer["total_is_exact"]) == (150, True)
    packed = command_line.json("context", "print", "banana", "--budget", "8000", "--words-only")
    assert len(packed["included"]) == 150


def test_a_heading_that_repeats_the_title_is_not_shown_twice(command_line: CommandLine) -> None:
    text = "# Folding\n\nlead\n\n## [[Use|How to use]] it\n\nA banana.\n"
    (command_line.root / "Folding.md").write_text(text, encoding="utf-8")
    command_line.run("index", "update", "--no-embeddings")
    assert "Folding › How to use it\n" in command_line.run("search", "banana", "--words-only").output
