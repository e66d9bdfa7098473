"""What a mixture found, a row per component and column: the numbers of a frame, and a table to read.

numbers       mean ± standard deviation
whole ones    these, and the most probable value with its probability
categories    the most probable value in the user's words, and its probability
multinomial   the share of the total
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._components.conditionals import Block
from suffice._components.mixed.coding import Coding
from suffice._components.multinomial import Multinomials
from suffice._core.frames import to_frame
from suffice._core.html_tables import html_table
from suffice._core.records import frozen_array, record
from suffice.distributions import Bernoulli, Categorical, MultivariateNormal, Normal, Poisson
from suffice.distributions._numerics.one_dimensional import lumpy

FAMILIES: dict[type, str] = {
    Bernoulli: "bernoulli",
    Categorical: "categorical",
    Normal: "gaussian",
    Poisson: "poisson",
}
BESIDE = 5  # components side by side in a table to read
BELOW = 40  # columns below each other
WIDEST = 24  # letters of a name or a value


@record
class MixtureSummary:
    """Columns of every component: mean, standard deviation, the most probable value and its probability.

    Parameters
    ----------
    weight
        Of each component, (K,).
    column, family
        The names of the columns, and the family that produces each.
    mean, std
        (K, D); NaN for categories. Of counts that share out a total, the mean is the share and std is NaN.
    most_probable
        A tuple per component, in the user's words; None where a column has a density.
    probability
        Of the most probable value, (K, D); NaN where a column has a density.
    """

    weight: np.ndarray
    column: tuple[str, ...]
    family: tuple[str, ...]
    mean: np.ndarray
    std: np.ndarray
    most_probable: tuple[tuple[Any, ...], ...]
    probability: np.ndarray

    def frame(self, kind: str = "pandas") -> Any:
        """A row per component and column; polars has values of different types as text."""
        K, D = self.mean.shape
        columns = {
            "component": np.repeat(np.arange(K), D),
            "weight": np.repeat(self.weight, D),
            "column": list(self.column) * K,
            "family": list(self.family) * K,
            "mean": self.mean.ravel(),
            "std": self.std.ravel(),
            "most_probable": _one_type([v for row in self.most_probable for v in row], kind),
            "probability": self.probability.ravel(),
        }
        return to_frame(columns, kind)

    def __repr__(self) -> str:
        K, D = self.mean.shape
        names = ["component", "weight", *map(_short, self.column[:BELOW])]
        tables = [_aligned([names, *map(self._column, ks)]) for ks in _groups(K)]
        left = [f"… and {D - BELOW} more columns; frame() has all of them"] if D > BELOW else []
        return "\n\n".join([*tables, *left])

    def _repr_html_(self) -> str:
        columns = {f"component {k}": self._column(k, None)[1:] for k in range(len(self.weight))}
        return html_table({"": ["weight", *self.column]} | columns)

    def _column(self, k: int, most: int | None = BELOW) -> list[str]:
        """Component k: its number, its weight and its first columns."""
        D = len(self.column)
        return [f"{k}", f"{self.weight[k]:.3g}", *(self._cell(k, j) for j in range(D)[:most])]

    def _cell(self, k: int, j: int) -> str:
        if self.family[j] in ("bernoulli", "categorical"):
            return f"{_short(self.most_probable[k][j])} ({self.probability[k, j]:.2f})"
        spread = "" if np.isnan(self.std[k, j]) else f" ± {self.std[k, j]:.3g}"
        return f"{self.mean[k, j]:.4g}{spread}"


def mixture_summary(
    weights: np.ndarray,
    blocks: tuple[Block, ...],
    names: tuple[str, ...],
    coding: Coding,
) -> MixtureSummary:
    """Of the columns of every component, which are called by names, and whose codes stand for values."""
    K, D = len(weights), len(names)
    table, family = np.full((4, K, D), np.nan), [""] * D
    for block in blocks:
        kinds, table[:, :, block.places] = _describe_block(block)
        for j, kind in zip(block.places.tolist(), kinds, strict=True):
            family[j] = kind
    mean, std, best, probability = map(frozen_array, table)
    values = (_decoded(best[:, j], coding.categories.get(j), j in coding.booleans) for j in range(D))
    most_probable = tuple(zip(*values, strict=True))
    return MixtureSummary(frozen_array(weights), names, tuple(family), mean, std, most_probable, probability)


def _describe_block(block: Block) -> tuple[list[str], np.ndarray]:
    """Families of the columns of a block, and mean, std, best value and its probability, (4, K, d)."""
    if isinstance(block.components, Multinomials):
        p = block.components.probabilities
        none = np.full(p.shape, np.nan)
        return ["multinomial"] * p.shape[1], np.array([p, none, none, none])
    first = block.densities[0]
    if isinstance(first, MultivariateNormal):
        mean, var = (
            np.array(m) for m in zip(*((d.mean, np.diag(d.cov)) for d in block.densities), strict=True)
        )
        none = np.full(mean.shape, np.nan)
        return ["gaussian"] * first.dim, np.array([mean, np.sqrt(var), none, none])
    found = [[_describe_column(d) for d in density.columns] for density in block.densities]
    return [FAMILIES.get(type(d), type(d).__name__) for d in first.columns], np.moveaxis(
        np.array(found), 2, 0
    )


def _describe_column(d: Any) -> tuple[float, float, float, float]:
    """Mean, standard deviation, best value and its probability; codes of categories have no mean."""
    if isinstance(d, Categorical):
        best = int(np.argmax(d.probabilities))
        return np.nan, np.nan, best, float(d.probabilities[best])
    if not lumpy(d):
        return float(d.mean), float(d.std), np.nan, np.nan
    return float(d.mean), float(d.std), float(d.mode), float(d.prob(d.mode))


def _decoded(best: np.ndarray, categories: np.ndarray | None, boolean: bool) -> list[Any]:
    """The best values of a column in every component as the user writes them; None where there are none."""
    if np.isnan(best).any():
        return [None] * len(best)
    if categories is not None:
        return categories[best.astype(int)].tolist()
    return [bool(v) if boolean else int(v) for v in best]


# -- as text ---------------------------------------------------------------------------------------------------
def _one_type(values: list[Any], kind: str) -> list[Any]:
    mixed = kind == "polars" and len({type(value) for value in values if value is not None}) > 1
    return [None if value is None else str(value) for value in values] if mixed else values


def _groups(K: int) -> list[range]:
    return [range(a, min(a + BESIDE, K)) for a in range(0, K, BESIDE)]


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


def _aligned(columns: list[list[str]]) -> str:
    """Columns of text side by side."""
    widths = [max(map(len, column)) for column in columns]
    rows = zip(*columns, strict=True)
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
