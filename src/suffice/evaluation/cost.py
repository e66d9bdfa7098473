r"""What a validation costs before it is run (DTU §10.1.4, Algorithms 5 and 6, quiz 10.1; FCML §1.5.2).

With fits of S candidates, K₁ outer splits and K₂ inner ones,

    one layer (Algorithm 5)     K₁ S fits           Σ_i S (train(N_i) + test(n_i))
    two layers (Algorithm 6)    K₁ (K₂ S + 1) fits  Σ_i [ Σ_j S (train(N_ij) + test(n_ij)) + train(N_i) + test(n_i) ]

for training sets of N rows and test sets of n. Leave-one-out is K = N: N S fits. This is the price of
refitting; models fitted from statistics pay for one reading of the rows instead (see `Validation.how`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_integer, check_number
from suffice._core.records import record
from suffice._core.showing import Shown

Sizes = tuple[tuple[int, int], ...]
Cost = Callable[[int], float]


@record
class ValidationCost(Shown):
    """What fitting and testing cost in all, and how many fits there are.

    `outer` holds the number of training and test rows of every outer split, `inner` those of the splits within
    each; `train` and `test` are the two parts of `total`.
    """

    train: float
    test: float
    fits: int
    outer: Sizes
    inner: tuple[Sizes, ...]
    candidates: int

    @property
    def total(self) -> float:
        """Training and testing together."""
        return self.train + self.test

    @property
    def sentence(self) -> str:
        """How the fits come about, and what they cost."""
        train, test, total = (f"{v:,.10g}" for v in (self.train, self.test, self.total))
        return f"{self._fits()}; training costs {train}, testing {test}, together {total}."

    def _fits(self) -> str:
        k, s = len(self.outer), self.candidates
        within = {len(splits) for splits in self.inner}
        if not within:
            return f"{k} × {s} = {self.fits:,} fits"
        if len(within) > 1:
            return f"{self.fits:,} fits"
        return f"{k} × ({within.pop()} × {s} + 1) = {self.fits:,} fits"

    def __str__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        return f"<p>{self}</p>"


def cv_cost(
    n: int,
    outer: Any = 10,
    inner: Any = None,
    *,
    candidates: int = 1,
    train_cost: Cost | float = 1.0,
    test_cost: Cost | float = 0.0,
) -> ValidationCost:
    """How many fits a validation takes, and what they cost in all.

    Parameters
    ----------
    n
        Rows of the table.
    outer
        The splits that estimate the error: a number of folds (`n` is leave-one-out), the fraction of the rows
        to hold out, or a splitter that needs no targets.
    inner
        The splits of each training set that choose among the candidates; None for one layer, where every
        candidate is validated by `outer` itself.
    candidates
        How many models, or values of a parameter, are compared.
    train_cost, test_cost
        What it costs to train on, or test with, that many rows: a function of the number, or one price for all.

    Examples
    --------
    Quiz 10.1: a fifth of 1000 rows held out, ten folds to choose among six penalties.

    >>> from suffice.evaluation import cv_cost
    >>> cost = cv_cost(1000, 0.2, 10, candidates=6, train_cost=lambda n: n**2, test_cost=lambda n: n**2 / 2)
    >>> print(cost)
    1 × (10 × 6 + 1) = 61 fits; training costs 31,744,000, testing 212,000, together 31,956,000.
    """
    rows, s = check_integer("n", n, 2), check_integer("candidates", candidates, 1)
    outside = _sizes("outer", outer, rows)
    inside = () if inner is None else tuple(_sizes("inner", inner, a) for a, _ in outside)
    many = [pair for splits in (inside if inside else (outside,)) for pair in splits]  # each fitted S times
    once = outside if inside else ()
    train, test = (_price(f"{name}_cost", c) for name, c in (("train", train_cost), ("test", test_cost)))
    return ValidationCost(
        s * sum(train(a) for a, _ in many) + sum(train(a) for a, _ in once),
        s * sum(test(b) for _, b in many) + sum(test(b) for _, b in once),
        s * len(many) + len(once),
        outside,
        inside,
        s,
    )


def _sizes(name: str, splits: Any, n: int) -> Sizes:
    """Training and test rows of every split of n rows."""
    if isinstance(splits, int | np.integer) and not isinstance(splits, bool):
        return _blocks(name, int(splits), n)
    if isinstance(splits, float | np.floating):
        return (_held_out(name, float(splits), n),)
    if isinstance(splits, str) or not hasattr(splits, "split"):
        raise InvalidParameter(
            f"{name} must be a number of folds, a fraction to hold out or a splitter; got {splits!r}."
        )
    try:
        pairs = tuple((len(train), len(test)) for train, test in splits.split(np.empty((n, 1))))
    except (TypeError, ValueError) as error:
        raise InvalidInput(
            f"{name}: {type(splits).__name__} cannot split {n} rows by number: {error}"
        ) from error
    if not pairs or min(min(pair) for pair in pairs) < 1:
        raise InvalidInput(
            f"{name}: {type(splits).__name__} leaves nothing to train on or to test in {n} rows."
        )
    return pairs


def _blocks(name: str, k: int, n: int) -> Sizes:
    """K folds whose sizes differ by at most one."""
    if not 2 <= k <= n:
        raise InvalidParameter(f"{name} must be between 2 and the number of rows to split, {n}; got {k}.")
    size, longer = divmod(n, k)
    return tuple((n - size - (i < longer), size + (i < longer)) for i in range(k))


def _held_out(name: str, fraction: float, n: int) -> tuple[int, int]:
    """Training and test rows of one hold-out, the test set rounded up."""
    test = math.ceil(round(fraction * n, 9)) if 0 < fraction < 1 else 0
    if not 1 <= test < n:
        raise InvalidParameter(
            f"{name} must hold out at least one of {n} rows and keep one; got {fraction!r}."
        )
    return n - test, test


def _price(name: str, cost: Any) -> Cost:
    if callable(cost):
        return lambda n: check_number(f"{name}({n})", cost(n), low=0.0)
    price = check_number(name, cost, low=0.0)
    return lambda n: price
