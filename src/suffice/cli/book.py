"""`suffice book "PRML 3.7"`: script, picture and numbers of a figure, table, equation or section of the texts."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

from suffice._core.errors import InvalidInput, InvalidParameter, did_you_mean
from suffice.cli.terminal import check_writable, console, plain_table, refusals

MOST_NUMBERS, MOST_SCRIPTS, MOST_NEAR = 20, 40, 8
LONGEST = 60


def register(app: Any, typer: Any) -> None:
    """Add the command to the application."""

    @app.command()
    def book(
        place: Annotated[
            list[str],
            typer.Argument(
                help='A place: "PRML 3.7", "Figure 3.7", "FCML fig 4.5", "DTU table 2.1", "Herbst §4.2"; or the name '
                "of a script. Texts: PRML, FCML, DTU, Herbst, Lecture 3."
            ),
        ],
        draw: Annotated[Path | None, typer.Option(help="Draw the figure into this file, FILE.png.")] = None,
        code: Annotated[bool, typer.Option("--code", help="Print the script.")] = False,
        force: Annotated[bool, typer.Option("--force", help="Replace a picture that exists.")] = False,
        as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    ) -> None:
        """Show what the library has of a figure, table, equation or section: script, picture, numbers."""
        with refusals(typer):
            check_picture(draw, force)
            words = " ".join(place)
            scripts, numbers = look_up(words)
            if draw is not None or code:
                script = single_script(scripts, words)
                if draw is not None:
                    draw_script(script, draw)
                    print(f"{script.title}\nThe picture is {draw}")
                if code:
                    print(script.path.read_text(encoding="utf-8"))
            elif as_json:
                from suffice.cli.findings import print_json

                print_json(tree(scripts, numbers))
            else:
                print_place(words, scripts, numbers)


# -- finding ------------------------------------------------------------------------------------------------------
def look_up(words: str) -> tuple[list[Any], list[Any]]:
    """Scripts and numbers for a place, a script's name, or words of a title; raises with what is near."""
    from suffice.cli.book_index import read_book_index
    from suffice.cli.references import TEXTS, Reference, question, unknown_text

    index = read_book_index()
    script = index.script(words.strip())
    if script is not None:
        return [script], []
    named = re.fullmatch(r"[a-z0-9]+_\w+(\.py)?", words.strip()) is not None
    query = Reference(None, None, None) if named else question(words)
    if query.number is not None and query.text is None and (stranger := unknown_text(words)):
        known = ", ".join(list(TEXTS.values()))
        raise InvalidInput(f"{stranger!r} is not one of the texts; there are {known}.")
    scripts, numbers = (
        index.find(query) if query.number is not None else scripts_with_title(index, words, query)
    )
    if not scripts and not numbers:
        raise InvalidInput(f"There is nothing for {words!r}.{hint_of_nearest(index, query, words)}")
    return scripts, numbers


def scripts_with_title(index: Any, words: str, query: Any) -> tuple[list[Any], list[Any]]:
    """Scripts of a text whose titles have all the other words."""
    from suffice.cli.references import TEXTS

    rest = words.lower()
    for name in (query.text, TEXTS.get(query.text or "")):
        rest = rest.replace((name or "").lower(), " ") if name else rest
    wanted = rest.split()
    fits = [
        s
        for s in index.scripts
        if (query.text is None or s.name.startswith(query.text))
        and all(w in f"{s.title} {s.about}".lower() for w in wanted)
    ]
    return (fits, []) if wanted or query.text else ([], [])


def hint_of_nearest(index: Any, query: Any, words: str) -> str:
    """What to try instead: the nearest numbers of the same text and kind, else the nearest script."""
    if query.number is None:
        return did_you_mean(words.strip(), [s.name for s in index.scripts])
    fits = [p for p in index.places() if query.text in (None, p.text) and p.text]
    kinds = {p.kind for p in fits}
    kind = query.kind or ("figure" if "figure" in kinds else None)  # a bare number is most often a figure's
    fits = [p for p in fits if kind in (None, p.kind)]
    fits.sort(key=lambda p: distance(query.number, p.number))
    if not fits:
        return (
            f" It knows {', '.join(sorted({str(p).rpartition(' ')[0] for p in index.places() if p.text}))}."
        )
    return f" Nearest: {', '.join(dict.fromkeys(map(str, fits[:MOST_NEAR])))}."


def distance(a: str, b: str) -> tuple[int, ...]:
    """How far two numbers are apart, chapter first; letters count as their place in the alphabet."""

    def parts(number: str) -> list[int]:
        return [int(p) if p.isdigit() else ord(p[0]) - 64 for p in number.split(".")]

    x, y = parts(a), parts(b)
    width = max(len(x), len(y))
    x, y = x + [0] * (width - len(x)), y + [0] * (width - len(y))
    return tuple(abs(i - j) for i, j in zip(x, y, strict=True))


def single_script(scripts: list[Any], words: str) -> Any:
    """The one script; raises where there is none, or a choice."""
    if not scripts:
        raise InvalidInput(f"There is no script for {words!r}, only numbers.")
    if len(scripts) > 1:
        raise InvalidInput(
            f"{len(scripts)} scripts answer to {words!r}; name one: {', '.join(s.name for s in scripts[:MOST_NEAR])}."
        )
    return scripts[0]


# -- drawing ------------------------------------------------------------------------------------------------------
def check_picture(path: Path | None, force: bool) -> None:
    """Raise before any work if the picture cannot be written."""
    if path is not None and path.suffix.lower() != ".png":
        raise InvalidParameter(f"--draw writes a picture whose name ends in .png; got {str(path)!r}.")
    check_writable(path, force)


def draw_script(script: Any, path: Path) -> None:
    """Run a script as a program of its own, and move its picture to `path`."""
    from suffice._core.frames import require

    require("matplotlib")
    with tempfile.TemporaryDirectory() as folder:
        program = [sys.executable, str(script.path), "--out", folder]
        done = subprocess.run(
            program,
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env=os.environ | {"MPLBACKEND": "Agg"},
        )
        pictures = sorted(Path(folder).glob("*.png"))
        if done.returncode or not pictures:
            why = (done.stderr.strip().splitlines() or ["it saved no picture"])[-1]
            raise InvalidInput(f"{script.name} could not be drawn: {why}")
        shutil.copyfile(pictures[0], path)


# -- what is printed ----------------------------------------------------------------------------------------------
def print_place(words: str, scripts: list[Any], numbers: list[Any]) -> None:
    """Scripts with what they draw, then the numbers."""
    from rich.text import Text

    out = console()
    for s in scripts[:MOST_SCRIPTS]:
        out.print(Text(s.title, style="bold"))
        if len(scripts) == 1 and s.about:
            out.print(Text(s.about))
        out.print(Text(str(s.path) if len(scripts) == 1 else s.name, style="dim"), soft_wrap=True)
    if len(scripts) > MOST_SCRIPTS:
        more = len(scripts) - MOST_SCRIPTS
        out.print(
            Text(f"and {more} more {'script' if more == 1 else 'scripts'}; --json lists all", style="dim")
        )
    if len(scripts) == 1:
        out.print(Text(f"Draw it: suffice book {scripts[0].name} --draw FILE.png"), soft_wrap=True)
    if numbers:
        if scripts:
            out.print()
        out.print(number_table(numbers[:MOST_NUMBERS]))
    if len(numbers) > MOST_NUMBERS:
        out.print(Text(f"and {len(numbers) - MOST_NUMBERS} more; --json prints all", style="dim"))


def number_table(numbers: list[Any]) -> Any:
    """A line per answer; `*` marks what the text does not print but follows from it."""
    from rich.text import Text

    from suffice.cli.references import TEXTS

    table = plain_table(("where", "what", "number"), left=3)
    table.columns[0].no_wrap = False
    table.columns[0].ratio, table.columns[2].ratio = 5, 4
    table.expand = True
    for n in numbers:
        for i, (name, value) in enumerate(n.expected.items()):
            where = f"{TEXTS.get(n.text, n.text)} {n.source}" if i == 0 else ""
            mark = "" if n.printed else " *"
            table.add_row(Text(where), Text(name.replace("_", " ")), Text(brief(value) + mark))
        for remark in (n.erratum and f"Erratum: {n.erratum}", n.note):
            if remark:
                table.add_row(Text(remark, style="dim"), "", "")
    if not all(n.printed for n in numbers):
        table.caption = "* not printed in the text: computed from it in 50-digit arithmetic"
        table.caption_justify = "left"
    return table


def brief(value: Any) -> str:
    """A number, or the beginning of a list of them; 6 digits."""
    if isinstance(value, dict):
        value = value["value"]
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        text = "[" + ", ".join(map(brief, value)) + "]"
        return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return str(value)


def tree(scripts: list[Any], numbers: list[Any]) -> dict[str, Any]:
    """Everything as plain values."""
    from suffice._core.records import fields

    def plain(item: Any) -> dict[str, Any]:
        return fields(item) | {"places": [*map(str, item.places)]}

    return {
        "scripts": [{"name": s.name} | plain(s) | {"path": str(s.path)} for s in scripts],
        "numbers": list(map(plain, numbers)),
    }
