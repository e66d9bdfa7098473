"""Words of the shell to values: `alpha=2.0`, `age >= 18`, `a,b,c`."""

import json
import re
from collections.abc import Sequence
from typing import Any

from suffice._core.errors import InvalidParameter

PYTHON = {"True": True, "False": False, "None": None}
_COMPARED = re.compile(r"\s*([^\"']+?)\s*(==|!=|<=|>=|<|>)\s*(.*\S)\s*")
_LISTED = re.compile(r"\s*(.+?)\s+(not in|in)\s+(.*\S)\s*")


def value(word: str) -> Any:
    """A number, a boolean, null, a list or a quoted text as JSON writes them; anything else is text as it is."""
    word = word.strip()
    if word in PYTHON:
        return PYTHON[word]
    if len(word) > 1 and word[0] == word[-1] == "'":
        return word[1:-1]
    try:
        return json.loads(word)
    except json.JSONDecodeError:
        return word


def values(text: str) -> list[Any]:
    """Values separated by commas; in brackets or not."""
    inside = text.strip().removeprefix("[").removesuffix("]")
    whole = value(f"[{inside}]")
    if isinstance(whole, list):
        return whole
    return [value(word) for word in inside.split(",") if word.strip()]


def names(texts: Sequence[str] | None) -> list[str] | None:
    """Names separated by commas, from an option that may be repeated; None without any."""
    listed = [name.strip() for text in texts or () for name in text.split(",") if name.strip()]
    return listed or None


def assignment(option: str, text: str) -> tuple[str, str]:
    """The two sides of name=something."""
    name, mark, rest = text.partition("=")
    if not mark or not name.strip() or not rest.strip():
        raise InvalidParameter(f"{option} takes name=value, for example {option} alpha=1; got {text!r}.")
    return name.strip(), rest.strip()


def condition(text: str) -> tuple[str, str, Any]:
    """`age >= 18` or `city in Oslo,Rome` as (column, operator, value)."""
    found = _COMPARED.fullmatch(text) or _LISTED.fullmatch(text)
    if found is None:
        raise InvalidParameter(
            "--where takes a column, one of ==, !=, <, <=, >, >=, in, not in, and a value, for example 'age >= 18'; "
            f"got {text!r}."
        )
    name, symbol, rest = found.groups()
    return name, symbol, values(rest) if symbol in ("in", "not in") else value(rest)
