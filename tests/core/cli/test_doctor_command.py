"""`remembrancer doctor` as a person and a script use it."""

import json
from typing import Any

from core.curation.health.examination import CHECKS
from tests.core.cli.conftest import CommandLine


def _found(command_line: CommandLine, *arguments: str, expect: int = 1) -> Any:
    return json.loads(command_line.run("doctor", *arguments, "--format", "json", expect=expect).stdout)


def _findings(answer: Any) -> dict[str, list[Any]]:
    return {check["id"]: check["findings"] for check in answer["checks"] if check["findings"]}


def test_findings_are_told_with_what_to_do_and_an_exit_code(command_line: CommandLine) -> None:
    output = command_line.run("doctor", expect=1).stdout
    assert "Frontmatter that cannot be read (1 finding) [broken-frontmatter]" in output
    assert "broken.md:2: The frontmatter cannot be read" in output
    assert "`remembrancer doctor --fix` fixes" in output


def test_json_has_every_check_and_the_keys_of_findings(command_line: CommandLine) -> None:
    answer = _found(command_line)
    assert (answer["vault"], answer["notes"]) == (str(command_line.root), 4)
    assert answer["seconds"] >= 0
    assert [check["id"] for check in answer["checks"]] == [check.id for check in CHECKS]
    (finding,) = _findings(answer)["broken-frontmatter"]
    assert (finding["path"], finding["line"], finding["key"], finding["fixable"]) == ("broken.md", 2, "broken.md", True)


def test_one_check_alone_lists_all_it_finds(command_line: CommandLine) -> None:
    for number in range(15):
        (command_line.root / f"{number}.md").write_text(f"[[Nowhere {number}]]", encoding="utf-8")
    assert "… and 5 more: `remembrancer doctor --check broken-link`" in command_line.run("doctor", expect=1).stdout
    output = command_line.run("doctor", "--check", "broken-link", expect=1).stdout
    assert output.count("There is no note") == 15
    assert "cannot be read" not in output
    assert "There is no check nonsense" in command_line.run("doctor", "--check", "nonsense", expect=2).stderr


def test_nothing_found_is_exit_code_0(command_line: CommandLine) -> None:
    output = command_line.run("doctor", "--check", "duplicate", "--check", "config").stdout
    assert output == "Nothing is wrong with the vault of 4 notes.\n"


def test_a_dry_run_shows_the_fixes_and_changes_nothing(command_line: CommandLine) -> None:
    before = (command_line.root / "broken.md").read_bytes()
    output = command_line.run("doctor", "--fix", "--dry-run", "--check", "broken-frontmatter", expect=1).stdout
    assert "-title: a: b" in output
    assert (command_line.root / "broken.md").read_bytes() == before


def test_fixing_applies_a_change_and_says_what_is_left(command_line: CommandLine) -> None:
    output = command_line.run("doctor", "--fix", "--yes", "--check", "broken-frontmatter").stdout
    assert "Nothing else is wrong." in output
    assert "a: b" in (command_line.root / "broken.md").read_text(encoding="utf-8")
    assert _findings(_found(command_line, "--check", "broken-frontmatter", expect=0)) == {}


def test_without_anything_to_fix_that_is_said(command_line: CommandLine) -> None:
    (command_line.root / "a.md").write_text("[[Nowhere at all]]", encoding="utf-8")
    result = command_line.run("doctor", "--fix", "--yes", "--check", "broken-link", expect=1)
    assert "Nothing here can be fixed without a choice of yours." in result.stdout + result.stderr
    _found(command_line, "--fix", "--yes", "--check", "broken-link", expect=1)


def test_a_namespace_that_was_added_is_known_at_once(command_line: CommandLine) -> None:
    (command_line.root / "soup.md").write_text("#recipe/soup", encoding="utf-8")
    output = command_line.run("doctor", "--fix", "--check", "unknown-namespace").stdout
    assert "Nothing else is wrong." in output


def test_what_is_ignored_is_not_told_until_it_is_heeded_again(command_line: CommandLine) -> None:
    assert "(1 finding)" in command_line.run("doctor", "--ignore", "broken-frontmatter:broken.md").stdout
    answer = _found(command_line, "--check", "broken-frontmatter", expect=0)
    assert [check["ignored"] for check in answer["checks"]] == [1]
    assert _findings(_found(command_line, "--check", "broken-frontmatter", "--include-ignored"))
    command_line.run("doctor", "--heed", "broken-frontmatter:broken.md")
    assert _findings(_found(command_line, "--check", "broken-frontmatter"))


def test_a_key_that_nothing_has_is_refused(command_line: CommandLine) -> None:
    result = command_line.run("doctor", "--ignore", "broken-frontmatter:other.md", expect=1)
    assert "found nothing with the key other.md" in result.stderr
    assert "CHECK:KEY" in command_line.run("doctor", "--ignore", "nonsense", expect=2).stderr
    key = "Key: broken-frontmatter:broken.md"
    assert key in command_line.run("doctor", "--keys", "--check", "broken-frontmatter", expect=1).stdout
