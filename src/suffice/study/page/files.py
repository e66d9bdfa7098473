"""The files of a report: the page, the same in Markdown, the numbers, the figures, the model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import suffice
from suffice.study.page import html, markdown
from suffice.study.page.figures import figures

if TYPE_CHECKING:
    from suffice.study.result import StudyResult

PAGE, WORDS, NUMBERS, FIGURES, MODEL = "report.html", "report.md", "result.json", "figures", "model.suffice"
# Lists of nothing but numbers stand in one line. A line break is never inside a text of JSON, nor is a quote in these.
NUMBERS_ALONE = re.compile(r"\[\n *((?:[^\[\]{}\n\"]+,\n *)*[^\[\]{}\n\"]+)\n *\]")
LINE = re.compile(r"\n *")


def write(result: StudyResult, path: Path) -> Path:
    """Everything is made before anything is written; figures and a model of an earlier study are replaced."""
    page = path if path.suffix.lower() in (".html", ".htm") else path / PAGE
    drawn = figures(result)
    text = {
        page: html.render(result, drawn),
        page.with_name(WORDS): markdown.render(result, drawn),
        page.with_name(NUMBERS): numbers(result),
    }
    pictures = {page.with_name(FIGURES) / f"{name}.svg": figure.file() for name, figure in drawn.items()}
    page.with_name(FIGURES).mkdir(parents=True, exist_ok=True)
    for old in page.with_name(FIGURES).glob("*.svg"):
        old.unlink()
    for file, content in {**text, **pictures}.items():
        file.write_text(content, encoding="utf-8", errors="backslashreplace")
    page.with_name(MODEL).unlink(missing_ok=True)
    if result.model is not None:
        suffice.save(result.model, page.with_name(MODEL))
    return page


def lost(path: Path) -> list[str]:
    """Files that a report at `path` would replace or remove though no study wrote them."""
    page = path if path.suffix.lower() in (".html", ".htm") else path / PAGE
    if _is_ours(page.with_name(NUMBERS)):
        return []
    mine = (page, *(page.with_name(name) for name in (WORDS, NUMBERS, MODEL)))
    return [str(file) for file in (*mine, *sorted(page.with_name(FIGURES).glob("*.svg"))) if file.exists()]


def _is_ours(file: Path) -> bool:
    """Whether a file is the result.json of a study."""
    try:
        tree = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(tree, dict) and {"format", "suffice", "answer", "data_sheet"} <= set(tree)


def numbers(result: StudyResult) -> str:
    """`result.json`, whose schema is `result.schema.json` beside this file."""
    text = json.dumps(result.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)
    return NUMBERS_ALONE.sub(lambda found: "[" + LINE.sub(" ", found[1]) + "]", text) + "\n"
