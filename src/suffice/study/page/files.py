"""The files of a report: the page, the same in Markdown, the numbers, the figures, the model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import suffice
from suffice._core.writing import naming, replacing_together
from suffice.study.page import html, markdown
from suffice.study.page.figures import figures

if TYPE_CHECKING:
    from suffice.study.result import StudyResult

PAGE, WORDS, NUMBERS, FIGURES, MODEL = "report.html", "report.md", "result.json", "figures", "model.suffice"
UNFINISHED = "unfinished"  # parts of a study that was stopped, kept in the folder of its report
# Lists of nothing but numbers stand in one line. A line break is never inside a text of JSON, nor is a quote in these.
NUMBERS_ALONE = re.compile(r"\[\n *((?:[^\[\]{}\n\"]+,\n *)*[^\[\]{}\n\"]+)\n *\]")
LINE = re.compile(r"\n *")


def write(result: StudyResult, path: Path) -> Path:
    """Everything is made before anything is written, and takes the place of an earlier study as a whole."""
    page = path if path.suffix.lower() in (".html", ".htm") else path / PAGE
    drawn = figures(result)
    text = {
        page.name: html.render(result, drawn),
        WORDS: markdown.render(result, drawn),
        NUMBERS: numbers(result),
    }
    pictures = {f"{FIGURES}/{name}.svg": figure.file() for name, figure in drawn.items()}
    with replacing_together(page.parent, lambda folder: _earlier(folder, page.name), UNFINISHED) as new:
        (new / FIGURES).mkdir()
        for name, content in {**text, **pictures}.items():
            with naming(page.parent / name, new / name):
                (new / name).write_text(content, encoding="utf-8", errors="backslashreplace")
        if result.model is not None:
            suffice.save(result.model, new / MODEL)
    return page


def _earlier(folder: Path, page: str) -> list[Path]:
    """What a report takes the place of, as far as it is there."""
    figures = [file.relative_to(folder) for file in sorted((folder / FIGURES).glob("*.svg"))]
    return [*(Path(name) for name in (page, WORDS, NUMBERS, MODEL) if (folder / name).is_file()), *figures]


def lost(path: Path) -> list[str]:
    """Files that a report at `path` would replace or remove though no study wrote them."""
    page = path if path.suffix.lower() in (".html", ".htm") else path / PAGE
    if _is_ours(page.with_name(NUMBERS)):
        return []
    return [str(page.parent / file) for file in _earlier(page.parent, page.name)]


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
