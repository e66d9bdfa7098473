"""The pages of docs/ do what they say: their code runs from top to bottom in an empty folder."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from suffice import cli

PAGES = sorted((Path(__file__).parents[2] / "docs").glob("*.md"))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str, int]]:
    """(language, code, line of the page) of every fenced block."""
    text = page.read_text(encoding="utf-8")
    return [(m[1], m[2], text[: m.start(2)].count("\n")) for m in BLOCK.finditer(text)]


def run_python(code: str, page: Path, line: int, names: dict) -> None:
    exec(compile("\n" * line + code, str(page), "exec"), names)


def run_shell(code: str) -> None:
    for command in code.splitlines():
        program, *arguments = shlex.split(command)
        assert program == "suffice", command
        result = CliRunner().invoke(cli.application(), arguments)
        assert result.exit_code == 0, f"{command}\n{result.output}"


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "__main__"}
    for language, code, line in blocks(page):
        run_python(code, page, line, names) if language == "python" else run_shell(code)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_blocks_are_of_a_kind_that_is_run(page):
    found = blocks(page)
    assert len(found) * 2 == page.read_text(encoding="utf-8").count("```")
    assert found
    for language, code, line in found:
        assert language in ("python", "sh"), f"{page.name}, line {line}: {language!r} is not run by the tests"
        assert code.strip()


def test_there_are_pages():
    assert "from-laptop-to-cluster" in [p.stem for p in PAGES]
