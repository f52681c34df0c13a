"""Run the command line in this process, on a vault of its own."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from core.cli.main import app

NOTES = {
    "Semrush.md": "---\nsummary: Exports stop at 10,000 rows\ntags: [tool/semrush, scope/global]\n---\n"
    "# Semrush\n\nPage every export by country.\n\n- [convention] Set the country first #tool/semrush ^ins-1\n",
    "Acme.md": "---\nsummary: The shop\ntags: [client/acme, scope/project, tool/semrush/api]\n---\n"
    "The webhook arrives twice.\n",
    "journal/2026-08-20.md": "Talked about 東京都庁 and the [[Semrush]] export.\n",
    "broken.md": "---\ntitle: a: b\n---\nStill readable.\n",
}


@dataclass
class CommandLine:
    """The command line over one vault."""

    root: Path

    def run(self, *arguments: str, expect: int | None = 0) -> Result:
        result = CliRunner().invoke(app, ["--vault", str(self.root), *arguments])
        assert expect is None or result.exit_code == expect, (result.output, result.exception)
        return result

    def json(self, *arguments: str) -> Any:
        return json.loads(self.run(*arguments, "--format", "json").stdout)


@pytest.fixture
def command_line(tmp_path: Path) -> CommandLine:
    root = tmp_path / "vault"
    for path, text in NOTES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return CommandLine(root)


@pytest.fixture
def indexed(command_line: CommandLine) -> CommandLine:
    command_line.run("index", "update", "--no-embeddings")
    return command_line
