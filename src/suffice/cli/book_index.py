"""What the library holds of its texts: scripts that draw figures, and numbers with the place where they stand.

An installed package carries them in `_book`; in a checkout they are `examples` and `tests/conformance`.
"""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from typing import Any

import suffice
from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.cli.references import TEXTS, Reference, fit_of, references


@record
class GalleryScript:
    """A script of the gallery: `title` is what it draws, `places` what that is in the texts."""

    path: Path
    title: str
    about: str
    places: tuple[Reference, ...]

    @property
    def name(self) -> str:
        return self.path.stem


@record
class Number:
    """Numbers of a text: `source` is where they stand, `call(inputs)` gives `expected`.

    `printed` says whether the text prints them; else they follow from it.
    """

    text: str
    book: str
    id: str
    source: str
    call: str
    inputs: dict[str, Any]
    expected: dict[str, Any]
    printed: bool
    note: str | None
    erratum: str | None
    places: tuple[Reference, ...]


@record
class BookIndex:
    """All scripts and all numbers."""

    scripts: tuple[GalleryScript, ...]
    numbers: tuple[Number, ...]

    @property
    def items(self) -> tuple[GalleryScript | Number, ...]:
        """Both."""
        return (*self.scripts, *self.numbers)

    def script(self, name: str) -> GalleryScript | None:
        """The script of this name; its ending may be left out."""
        return next((s for s in self.scripts if name in (s.name, s.path.name)), None)

    def find(self, query: Reference) -> tuple[list[GalleryScript], list[Number]]:
        """What answers, in the order of the index: exactly; all that is inside, for a section or a chapter."""
        best = max((fit_of_item(query, item) for item in self.items), default=0)
        wanted = 1 if query.kind in ("section", "chapter") else max(best, 1)
        return (
            [s for s in self.scripts if fit_of_item(query, s) >= wanted],
            [n for n in self.numbers if fit_of_item(query, n) >= wanted],
        )

    def places(self) -> tuple[Reference, ...]:
        """Every place that something is known about, each once."""
        return tuple(dict.fromkeys(p for item in self.items for p in item.places))


def fit_of_item(query: Reference, item: GalleryScript | Number) -> int:
    """How well an item answers: the best of its places."""
    return max((fit_of(query, place) for place in item.places), default=0)


# -- reading ------------------------------------------------------------------------------------------------------
def folders() -> tuple[Path, Path]:
    """Where scripts and numbers are."""
    package = Path(suffice.__file__).parent
    root = package.parents[1]
    for scripts, numbers in (
        (package / "_book" / "examples", package / "_book" / "numbers"),
        (root / "examples", root / "tests" / "conformance"),
    ):
        if scripts.is_dir() and numbers.is_dir():
            return scripts, numbers
    raise InvalidInput(
        "The figures and numbers of the texts are not in this installation; `pip install suffice` from a wheel, or a "
        "checkout of the repository, has them."
    )


def read_book_index() -> BookIndex:
    """Read every script's first lines and every number."""
    scripts, numbers = folders()
    return BookIndex(
        tuple(gallery_script(p) for p in sorted(scripts.glob("*.py")) if not p.name.startswith("_")),
        tuple(n for p in sorted(numbers.glob("*.toml")) for n in numbers_of(p)),
    )


def gallery_script(path: Path) -> GalleryScript:
    """What the docstring of a script says; its first paragraph names what is drawn."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or path.stem
    title, _, about = docstring.partition("\n\n")
    title = " ".join(title.split())
    return GalleryScript(path, title, " ".join(about.split()), references(title, text_of(path)))


def numbers_of(path: Path) -> list[Number]:
    """The cases of a file."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    text = text_of(path)
    return [
        Number(
            text=text,
            book=document["text"],
            note=case.get("note"),
            erratum=case.get("erratum"),
            places=references(case["source"], text),
            **{name: case[name] for name in ("id", "source", "call", "inputs", "expected", "printed")},
        )
        for case in document["case"]
    ]


def text_of(path: Path) -> str:
    """The text that a file is about, by its name; nothing for what belongs to the library itself."""
    start = path.stem.partition("_")[0]
    return start if start in TEXTS else ""
