"""Files to code: scripts, notebooks, folders of both. What is no Python keeps its place, so that lines can be told."""

from __future__ import annotations

import ast
import copy
import io
import json
import re
import sys
import tokenize
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from suffice._core.errors import InvalidInput
from suffice._core.filters import in_turn

INPUT = "standard input"
ENDINGS = (".py", ".pyw", ".ipynb")
LEFT_OUT = {"__pycache__", "site-packages", "node_modules", "build", "dist"}
MAGIC = re.compile(r"^(\s*)(?:[%!?]|.*\?\s*$)")
ASSIGNED_MAGIC = re.compile(r"^(\s*[\w., ]+=\s*)[!%].*$")
PYTHON_CELLS = ("%%time", "%%timeit", "%%capture", "%%prun")  # magics of a cell whose other lines are Python


class Unreadable(InvalidInput):
    """A file that is no Python of today: why, and where that is known, the line and what is wrong there."""

    def __init__(self, says: str, line: int = 1, fault: str = "") -> None:
        super().__init__(says)
        self.line, self.fault = line, fault or says


@dataclass(frozen=True)
class Cell:
    """Lines of a notebook's cell within the code, from and up to; its number among the cells with code."""

    number: int
    begin: int
    end: int
    place: int


@dataclass(frozen=True)
class Script:
    """Lines as they stand, the syntax tree, and what could not be read of them."""

    name: str
    lines: tuple[str, ...]
    tree: ast.Module
    cells: tuple[Cell, ...] = ()
    notebook: Any = None
    remarks: tuple[tuple[int, str], ...] = ()

    def where(self, line: int) -> str:
        """How a line is called: by its number, in a notebook by its cell's."""
        for cell in self.cells:
            if cell.begin < line <= cell.end:
                return f"code cell {cell.number}, line {line - cell.begin}"
        return f"line {line}"

    def with_lines(self, lines: Sequence[str | None]) -> str:
        """The file with other lines, as many as before; a line may hold line breaks, and None is no line."""
        if self.notebook is None:
            return "\n".join(line for line in lines if line is not None)
        book = copy.deepcopy(self.notebook)
        for cell in self.cells:
            text = "\n".join(line for line in lines[cell.begin : cell.end] if line is not None)
            _code_cells(book)[cell.place][_source_key(book)] = text.splitlines(keepends=True)
        return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def find_files(paths: Sequence[str]) -> Iterator[Path]:
    """The files meant: each as it is given, of a folder all scripts and notebooks below it."""
    for text in paths:
        path = Path(text)
        if text != "-" and not path.exists():
            raise InvalidInput(f"There is no file or folder {text!r}.")
        if not path.is_dir():
            yield path
            continue
        found = sorted(p for p in path.rglob("*") if p.suffix in ENDINGS and p.is_file())
        kept = [p for p in found if not _is_left_out(p.relative_to(path), path)]
        if not kept:
            raise InvalidInput(f"The folder {text!r} holds no file that ends in {', '.join(ENDINGS)}.")
        yield from kept


def _is_left_out(path: Path, root: Path) -> bool:
    """Hidden folders, caches, and environments with packages of others."""
    folders = path.parts[:-1]
    if any(part.startswith(".") or part in LEFT_OUT for part in folders):
        return True
    return any((root.joinpath(*folders[: i + 1]) / "pyvenv.cfg").exists() for i in range(len(folders)))


def open_script(path: Path) -> Script:
    """The script in a file; `-` is standard input."""
    from_input = str(path) == "-"
    name = INPUT if from_input else str(path)
    try:
        data = sys.stdin.buffer.read() if from_input else path.read_bytes()
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from None
    text = _decoded(data)
    return script_of_notebook(text, name) if path.suffix == ".ipynb" else script_of(text, name)


def _decoded(data: bytes) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        raise Unreadable(f"is not text that Python reads: {error}") from None


def script_of(text: str, name: str = "script.py") -> Script:
    """A script of Python code."""
    lines = _lines(text)
    return Script(name, lines, _parsed("\n".join(lines)))


def script_of_notebook(text: str, name: str = "notebook.ipynb") -> Script:
    """The cells of a notebook that hold Python, one after the other."""
    book = _opened(text)
    lines: list[str] = []
    code: list[str] = []
    cells, remarks = [], []
    for place, content in enumerate(_code_cells(book)):
        source = content.get(_source_key(book), "")
        own = _lines("".join(source) if isinstance(source, list) else str(source))
        cells.append(Cell(place + 1, len(lines), len(lines) + len(own), place))
        clean, problem = _without_magic(own)
        if problem:
            remarks.append((len(lines) + problem[0], problem[1]))
        lines += own
        code += clean
    return Script(name, tuple(lines), _parsed("\n".join(code)), tuple(cells), book, tuple(remarks))


def _opened(text: str) -> Any:
    try:
        book = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"is no notebook: it is not JSON ({error})") from None
    if not isinstance(book, dict) or not isinstance(book.get("worksheets", book.get("cells")), list):
        raise Unreadable("is no notebook: it has no cells")
    meta = book.get("metadata", {})
    language = str(
        meta.get("language_info", {}).get("name") or meta.get("kernelspec", {}).get("language") or "python"
    )
    if "python" not in language.lower():
        raise Unreadable(f"is a notebook of {language}, not of Python")
    return book


def _code_cells(book: Any) -> list[Any]:
    """Cells with code; notebooks of before 2015 keep them in worksheets."""
    sheets = book.get("worksheets", [book])
    return [c for sheet in sheets for c in sheet.get("cells", []) if c.get("cell_type") == "code"]


def _source_key(book: Any) -> str:
    return "input" if "worksheets" in book else "source"


def _without_magic(lines: Sequence[str]) -> tuple[list[str], tuple[int, str] | None]:
    """As many lines of Python, and the first that is none."""
    if _parses(lines):
        return list(lines), None
    first = next((line for line in lines if line.strip()), "")
    if first.startswith("%%") and not first.startswith(PYTHON_CELLS):
        return [""] * len(lines), None
    clean, goes_on = [], False
    for line in lines:
        begins = not goes_on and MAGIC.match(line)
        kept = ASSIGNED_MAGIC.sub(r"\1None", line)
        clean.append(f"{begins[1]}pass" if begins else "" if goes_on else kept)
        goes_on = (goes_on or bool(begins) or kept != line) and line.rstrip().endswith("\\")
    try:
        _parsed("\n".join(clean))
    except Unreadable as error:
        return [""] * len(lines), (error.line, f"this cell is not read: {error.fault}.")
    return clean, None


def _parses(lines: Sequence[str]) -> bool:
    try:
        _parsed("\n".join(lines))
    except Unreadable:
        return False
    return True


@in_turn
def _parsed(code: str) -> ast.Module:
    """The syntax tree. What Python warns of in somebody's code is not ours to show."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except SyntaxError as error:
        message, line = error.msg, error.lineno or 1
        if "Missing parentheses in call to 'print'" in message:
            message = "print without parentheses, as in Python 2"
        raise Unreadable(f"is not Python 3; line {line}: {message}", line, message) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(f"cannot be read as Python: {error or 'it is nested too deeply'}") from None


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n"))
