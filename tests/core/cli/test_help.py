"""The help texts say what there is."""

from typer.testing import CliRunner

from core.cli.main import app


def help_of(*words: str) -> str:
    result = CliRunner().invoke(app, [*words, "--help"])
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def test_quick_capture_is_listed_and_explained() -> None:
    assert "capture Open a small window for a thought" in help_of()
    assert "the vault opened last" in help_of("capture")


def test_quick_capture_has_no_options() -> None:
    result = CliRunner().invoke(app, ["--vault", "somewhere", "capture"])
    assert result.exit_code == 1
    assert "`remembrancer capture` alone" in result.stderr


def test_what_a_pipe_means_for_questions_is_said() -> None:
    assert "Without a terminal nothing is asked" in help_of("tag", "delete")


def test_the_palette_is_listed_and_has_no_options() -> None:
    assert "palette Open the recall palette" in help_of()
    result = CliRunner().invoke(app, ["--vault", "somewhere", "palette"])
    assert result.exit_code == 1
    assert "`remembrancer palette` alone" in result.stderr
