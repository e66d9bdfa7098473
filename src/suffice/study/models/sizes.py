"""Which problems are too wide, too short or too large for a model, in words, and about how long one takes.

The seconds are those of five folds with five inside on one core of 2024; they only steer a bar of progress.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from suffice.study.reading.problem import Problem

WhyNot = Callable[["Problem"], "str | None"]

MOST_PRODUCTS = 500  # columns that a quadratic model may have
MOST_CELLS = 30_000_000  # numbers of a table that a reference is fitted to
MOST_CLASSES = 20  # for models whose work grows with the square of the number of classes


def trained_on(problem: Problem) -> int:
    """The rows of the smallest outer training set."""
    return min(len(train) for train, _ in problem.splits)


def determined(problem: Problem) -> str | None:
    """For models without a penalty or a prior: more training rows than columns."""
    n, d = trained_on(problem), problem.Z.shape[1]
    return f"{n} training rows do not determine {d} columns" if d + 1 >= n else None


def narrow(most: int) -> WhyNot:
    """For models whose work grows with the cube of the number of columns."""

    def why_not(problem: Problem) -> str | None:
        d = problem.Z.shape[1]
        return f"{d} columns take too long; at most {most} are tried" if d > most else None

    return why_not


def tall(most: int, share: float) -> WhyNot:
    """The same, and no more columns than a share of the training rows."""

    def why_not(problem: Problem) -> str | None:
        n, d = trained_on(problem), problem.Z.shape[1]
        if d > share * n:
            return f"{d} columns are too many for {n} training rows"
        return narrow(most)(problem)

    return why_not


def few_products(problem: Problem) -> str | None:
    """For models of squares and products: few enough for the rows, and for the time."""
    d, n = problem.Z.shape[1], trained_on(problem)
    products = d * (d + 3) // 2
    if products > MOST_PRODUCTS:
        return f"{d} columns have {products} squares and products; at most {MOST_PRODUCTS} are tried"
    if products > n // 4:
        return f"{d} columns have {products} squares and products, too many for {n} training rows"
    return None


def few_classes(then: WhyNot) -> WhyNot:
    """Not too many classes for a model whose work grows with their square; and what else must hold."""

    def why_not(problem: Problem) -> str | None:
        k = len(problem.labels)
        if k > MOST_CLASSES:
            return f"{k} classes take too long; at most {MOST_CLASSES} are tried"
        return then(problem)

    return why_not


def either(*reasons: WhyNot) -> WhyNot:
    """The first reason that holds."""

    def why_not(problem: Problem) -> str | None:
        return next((why for reason in reasons if (why := reason(problem)) is not None), None)

    return why_not


def small_enough(problem: Problem) -> str | None:
    """For references, which are for orientation and must not take longer than the study."""
    n, d = problem.Z.shape
    if n * d > MOST_CELLS or d > 1_000:
        return f"{n} rows of {d} columns take too long for an orientation"
    if len(problem.labels) > MOST_CLASSES:
        return f"{len(problem.labels)} classes take too long for an orientation"
    return None


# -- about how long ---------------------------------------------------------------------------------------------
def from_statistics(problem: Problem) -> float:
    """One pass over the rows, then decompositions as large as the columns."""
    n, d = problem.Z.shape
    return 0.05 + 1e-8 * n * d**2 + 4e-8 * d**3


def of_products(problem: Problem) -> float:
    """The same, on squares and products."""
    n, d = problem.Z.shape
    m = d * (d + 3) // 2
    return 0.05 + 1e-9 * n * m**2 + 4e-8 * m**3


def by_newton_passes(problem: Problem) -> float:
    """Passes over the rows for every value of a parameter."""
    n, d = problem.Z.shape
    k = max(1, len(problem.labels) - 1)
    rate = 8e-8 if k == 1 else 1.3e-8  # several functions share a gram among folds
    return 0.1 + rate * n * d**2 * k**2 + 2e-8 * d**3 * k


def by_trees(rate: float, each_class: bool) -> Callable[[Problem], float]:
    """Trees, at so many seconds per cell; those that are boosted are one for each class."""

    def seconds(problem: Problem) -> float:
        return 0.3 + rate * problem.Z.size * (max(1, len(problem.labels) - 1) if each_class else 1)

    return seconds
