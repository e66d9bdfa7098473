"""Parameters of scikit-learn's classes that choose a road to the same answer: checked here, and without effect.

`solver="saga"`, `n_jobs=4` or `copy_X=False` change how scikit-learn computes, not what. A model that takes such a
parameter says in its docstring that it has no effect, and refuses the values that scikit-learn refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np

from suffice._core.errors import InvalidParameter, check_choice
from suffice._core.random import generator


class Domain(NamedTuple):
    """Which values may be given, and how a sentence calls them."""

    holds: Callable[[Any], bool]
    words: str


def is_flag(value: Any) -> bool:
    """True or False, of Python or of numpy."""
    return isinstance(value, bool | np.bool_)


def is_whole(value: Any, low: float = -float("inf")) -> bool:
    """An integer, not a flag, of at least `low`."""
    return isinstance(value, Integral) and not is_flag(value) and int(value) >= low


def _is_size(value: Any) -> bool:
    return isinstance(value, Real) and not is_flag(value) and 0 <= float(value) < float("inf")


FLAG = Domain(is_flag, "True or False")
DOMAINS = {
    "copy_X": FLAG,
    "copy": FLAG,
    "warm_start": FLAG,
    "shuffle": FLAG,
    "max_iter": Domain(lambda v: v is None or is_whole(v, 1), "an integer >= 1 or None"),
    "n_jobs": Domain(lambda v: v is None or is_whole(v), "an integer or None"),
    "precompute": Domain(
        lambda v: is_flag(v) or v == "auto" if np.ndim(v) == 0 else True, "True, False, 'auto' or a matrix"
    ),
    "tol": Domain(_is_size, "a number >= 0"),
    "verbose": Domain(lambda v: is_flag(v) or is_whole(v, 0), "True, False or an integer >= 0"),
}


def check_no_effect(model: Any, *names: str, **choices: Iterable[str]) -> None:
    """Refuse values outside scikit-learn's domains; `solver=(…)` lists the words that a parameter may be."""
    for name in names:
        value = getattr(model, name)
        if name == "random_state":
            generator(value)
        elif not DOMAINS[name].holds(value):
            raise InvalidParameter(f"{name} must be {DOMAINS[name].words}; got {value!r}.")
    for name, words in choices.items():
        check_choice(name, getattr(model, name), tuple(words))
