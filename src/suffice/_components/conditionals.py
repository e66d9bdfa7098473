r"""Missing cells of rows given the known ones, under a mixture.

    p(x_m | x_o) = Σ_k r_k p_k(x_m | x_o),    r_k ∝ π_k p_k(x_o)

Within a component, columns fall into blocks that know nothing of each other. In a block of independent columns known
cells say nothing about a missing one. In a normal block, rows with the same known cells share one factorization
(see `normal/gaps.py`):

    x_m | x_o, k ~ N(μ_m + L_mo z, L_mm L_mmᵀ)

A mixture of categories is categories again, Σ_k r_k π_k: one such column is answered in the user's words. The cells of
a row are drawn together: a component by the responsibilities, then its blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from suffice._components.multinomial import Multinomials
from suffice._components.normal.columns import ColumnNormals
from suffice._components.normal.gaps import Runs, evaluate_runs, pattern_codes
from suffice._components.product import Product, joined
from suffice._core.errors import Unsupported
from suffice._core.linalg import cholesky
from suffice._core.random import streams
from suffice._core.records import record
from suffice._core.threads import one_blas_thread
from suffice.distributions import (
    Categorical,
    MixtureDistribution,
    MultivariateNormal,
    Normal,
    ProductDistribution,
)

PIECE = 1024  # rows whose factors are held at a time

Categories = Mapping[int, np.ndarray]  # what the codes of a column stand for, where it has codes
Answer = MixtureDistribution | Categorical


@record
class Block:
    """Columns that know nothing of the others within a component, and the components of these columns."""

    places: np.ndarray
    components: Any

    @cached_property
    def densities(self) -> tuple[Any, ...]:
        """A distribution of the columns per component."""
        apart = isinstance(self.components, ColumnNormals)
        out = self.components.independent() if apart else self.components.densities()
        if not all(isinstance(d, MultivariateNormal | ProductDistribution) for d in out):
            kind = type(out[0]).__name__
            raise Unsupported(
                f"{kind} components do not say what a cell is given others; normal and independent do."
            )
        return out

    @property
    def normal(self) -> bool:
        """Whether its columns vary together."""
        return isinstance(self.densities[0], MultivariateNormal)

    def rest(self, cells: np.ndarray) -> tuple[Any, ...]:
        """The missing cells of one row given the known ones, under each component."""
        gaps = np.isnan(cells)
        if not self.normal or gaps.all():
            return tuple(d.marginal(np.flatnonzero(gaps)) for d in self.densities)
        return tuple(d.condition(np.arange(len(cells)), cells) for d in self.densities)


def blocks_of(components: Any) -> tuple[Block, ...]:
    """The columns, as far as they know of each other within a component."""
    if isinstance(components, Product):
        pairs = zip(components.places, components.parts, strict=True)
        return tuple(Block(np.array(place), part) for place, part in pairs)
    return (Block(np.arange(components.n_columns), components),)


def with_gaps(blocks: tuple[Block, ...], X: np.ndarray) -> tuple[Block, ...]:
    """Blocks in which some row has a missing cell: only these are asked."""
    missing = np.isnan(X).any(axis=0)
    return tuple(block for block in blocks if missing[block.places].any())


def refuse_part_of_total(blocks: tuple[Block, ...], free: Sequence[int], names: tuple[str, ...]) -> None:
    """Raise if some of the free columns are counts that share out a total."""
    for block in blocks:
        if isinstance(block.components, Multinomials) and np.isin(block.places, free).any():
            shown = [repr(names[j]) for j in block.places[:6]] + ["…"] * (len(block.places) > 6)
            way_out = "fit them" if len(block.places) == len(names) else "give all of them, or fit them"
            raise Unsupported(
                f"{', '.join(shown)} are counts given their total, so there is no distribution of some of them, "
                f"nor of all without a total: {way_out} by 'poisson' (PoissonMixture), which has one."
            )


def one_column(responsibilities: np.ndarray, parts: Sequence[Any], categories: np.ndarray | None) -> Answer:
    """A mixture of numbers; of codes that stand for words, the probabilities of the words."""
    if categories is None:
        return MixtureDistribution(responsibilities, parts)
    return Categorical(responsibilities @ np.array([part.probabilities for part in parts]), categories)


def rest_of_row(
    row: np.ndarray, responsibilities: np.ndarray, blocks: tuple[Block, ...], categories: Categories
) -> Answer:
    """All missing cells of one row together, categories as codes; where there is one, a distribution of it alone."""
    free, asked = np.flatnonzero(np.isnan(row)), with_gaps(blocks, row[None])
    places = [block.places[np.isnan(row[block.places])] for block in asked]
    where = tuple(tuple(np.searchsorted(free, place).tolist()) for place in places)
    parts = zip(*(block.rest(row[block.places]) for block in asked), strict=True)
    made = [joined(group, where) for group in parts]
    if len(free) > 1:
        return MixtureDistribution(responsibilities, made)
    return one_column(responsibilities, [d.marginal(0) for d in made], categories.get(int(free[0])))


@record
class Run:
    """Rows with the same missing columns: means (n, K, m) of these cells, and roots (K, m, m) of their covariances."""

    rows: np.ndarray
    columns: np.ndarray
    means: np.ndarray
    roots: np.ndarray


@record
class RowsWithGaps:
    """Rows X (N, D) with gaps, responsibilities (N, K), blocks of columns, and what codes stand for."""

    X: np.ndarray
    responsibilities: np.ndarray
    blocks: tuple[Block, ...]
    categories: Any

    # -- one cell at a time ----------------------------------------------------------------------------------
    @cached_property
    def columns(self) -> dict[int, Answer]:
        """The missing cells of each column that has some: a batch in the order of rows."""
        out: dict[int, Answer] = {}
        with one_blas_thread():
            for block in with_gaps(self.blocks, self.X):
                out |= self._normal_columns(block) if block.normal else self._independent_columns(block)
        return {j: out[j] for j in sorted(out)}

    def _independent_columns(self, block: Block) -> dict[int, Answer]:
        return {
            j: one_column(
                self.responsibilities[rows], [d.marginal(i) for d in block.densities], self.categories.get(j)
            )
            for i, j, rows in self._gaps(block)
        }

    def _normal_columns(self, block: Block) -> dict[int, Answer]:
        rows, columns = np.nonzero(np.isnan(self.X[:, block.places]))  # row by row
        means, std = np.empty((2, len(rows), self.responsibilities.shape[1]))
        for run in normal_runs(block.densities, self.X[:, block.places]):
            at = np.searchsorted(rows, run.rows)[:, None] + np.arange(len(run.columns))
            means[at] = np.swapaxes(run.means, 1, 2)
            std[at] = np.sqrt(np.square(run.roots).sum(axis=2)).T
        return {
            j: MixtureDistribution(
                self.responsibilities[missing], Normal(means[columns == i], std[columns == i])
            )
            for i, j, missing in self._gaps(block)
        }

    def _gaps(self, block: Block) -> Iterator[tuple[int, int, np.ndarray]]:
        """Columns of a block with missing cells: place in the block, number, and rows."""
        for i, j in enumerate(block.places.tolist()):
            rows = np.flatnonzero(np.isnan(self.X[:, j]))
            if len(rows):
                yield i, j, rows

    # -- all cells together ----------------------------------------------------------------------------------
    @one_blas_thread()
    def drawn(self, n: int, rng: Any) -> np.ndarray:
        """n draws of all missing cells (n, M), row by row."""
        blocks = with_gaps(self.blocks, self.X)
        first, *rest = streams(rng, len(blocks) + 1)
        labels = np.asarray(Categorical(self.responsibilities).sample(n, first))
        out = np.empty((n, *self.X.shape))
        for block, stream in zip(blocks, rest, strict=True):
            (self._draw_normal if block.normal else self._draw_independent)(block, labels, stream, out)
        return out[:, np.isnan(self.X)]

    def _draw_independent(
        self, block: Block, labels: np.ndarray, rng: np.random.Generator, out: np.ndarray
    ) -> None:
        for i, j, rows in self._gaps(block):
            values, mine = np.empty((len(labels), len(rows))), labels[:, rows]
            for k, density in enumerate(block.densities):
                values[mine == k] = density.marginal(i).sample(int(np.sum(mine == k)), rng)
            out[:, rows, j] = values

    def _draw_normal(
        self, block: Block, labels: np.ndarray, rng: np.random.Generator, out: np.ndarray
    ) -> None:
        for run in normal_runs(block.densities, self.X[:, block.places]):
            mine = labels[:, run.rows]  # (n, rows)
            means = run.means[np.arange(len(run.rows)), mine]
            noise = rng.standard_normal(means.shape)
            for k in np.unique(mine):
                noise[mine == k] = noise[mine == k] @ run.roots[k].T
            out[:, run.rows[:, None], block.places[run.columns]] = means + noise


def normal_runs(densities: tuple[MultivariateNormal, ...], X: np.ndarray) -> Iterator[Run]:
    """Rows with missing cells, by which these are, piece by piece."""
    means = np.array([d.mean for d in densities])
    bases = cholesky(np.array([d.cov for d in densities]), "A covariance of the mixture")
    missing = np.isnan(X)
    some = np.flatnonzero(missing.any(axis=1))
    some = some[np.argsort(pattern_codes(missing[some]), kind="stable")]
    for piece in (some[a : a + PIECE] for a in range(0, len(some), PIECE)):
        runs = Runs.of(X[piece])
        assert runs is not None  # all of them have gaps
        _, roots, Z, _ = evaluate_runs(X[piece], runs, means, bases)
        for r, known in enumerate(runs.known):
            rows, gaps = slice(runs.starts[r], runs.starts[r + 1]), runs.orders[r][known:]
            lines = np.swapaxes(roots[r][:, known:, :known], 1, 2)
            shift = np.swapaxes(np.swapaxes(Z[rows, :, :known], 0, 1) @ lines, 0, 1)
            yield Run(piece[runs.places[rows]], gaps, means[:, gaps] + shift, roots[r][:, known:, known:])
