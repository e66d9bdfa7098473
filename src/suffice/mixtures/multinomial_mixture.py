r"""Mixtures of counts that share out a total, such as words of documents, fitted by expectation–maximization.

Model        p(x | T) = Σ_k π_k T!/(x_1! … x_D!) Π_d p_kd^x_d,   T = Σ_d x_d,  Σ_d p_kd = 1      (FCML §6.3.7)
Shares       r_nk ∝ π_k Π_d p_kd^x_nd
Step         p_kd = (α_d − 1 + Σ_n r_nk x_nd) / Σ_j (α_j − 1 + Σ_n r_nk x_nj);  p_k ~ Dirichlet(α)

Maximum likelihood is α = 1. Given the total, a missing count could be told from the others, so none may be missing.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any, final

import numpy as np
from scipy import sparse

from suffice._components.cells import times, with_data
from suffice._components.count_cells import no_count, refuse_cells, unknown_as_empty
from suffice._components.given import given_shares
from suffice._components.kinds.counts import CountFamily, CountKind
from suffice._components.multinomial import Multinomials, Totals
from suffice._core.records import storable
from suffice.engine import Rows
from suffice.mixtures._shell.mixing import Mixing
from suffice.mixtures._shell.model import MixtureShell


@final
@storable
@dataclass(eq=False, repr=False)
class MultinomialMixture(MixtureShell):
    """Rows of counts from one of several groups, nobody knows which; each group has its own shares of the total.

    Totals of rows are taken as given: log densities are those of the counts given their total, and a row without any
    count says nothing. Tables may be sparse, and stay so. Rows may be weighted.

    Parameters
    ----------
    n_components
        How many components; `select_components` compares.
    tol
        The iteration ends when the log likelihood per row (with the log prior, if any) grows by at most this.
    max_iter
        The most steps; with 0 the start is the fit.
    n_init
        Starts, of which the best is kept; `restarts_` has what each reached.
    init_params
        "kmeans", "k-means++", "random_from_data" or "random".
    weights_init
        Weights of the start.
    probabilities_init
        Shares of the start, a row per component that sums to one. Weights that are not given are then equal.
    random_state
        Seed of starts and draws.
    warm_start
        Go on from the last fit.
    hard
        Give every row to its most probable component alone.
    prior
        `Dirichlet(alpha)` of the shares, or a number for all columns, >= 1: the most probable parameters instead of
        the likeliest.
    weights_prior
        Concentration of a Dirichlet prior on the weights, at least 1: a number, or one per component.

    Attributes
    ----------
    weights_
        The share of each component, π_k.
    probabilities_
        Shares of the total, a row per component that sums to one.
    frame_
        The library of the table that was fitted, which `sample` draws for; None for an array.
    mixing_
        Weights and components as the record that densities are computed from.
    converged_, n_iter_
        Whether the kept start ended by `tol`, and after how many steps.
    lower_bound_, lower_bounds_
        The log likelihood per row (with the log prior, if any) that the last step, and every step, began with.
    restarts_
        What each start reached; one entry after `engine.fit`.
    trace_
        Likelihood and bound after every step, to the parameters returned.
    n_parameters_
        Free numbers: the weights but one, and those of the components.
    distribution_
        p(x) as a distribution of rows, where all of them had one total.

    Notes
    -----
    A share of 0 never changes again, so starts made from clusters are mixed with a tenth of the whole table. Rows are
    clustered by √(x / total), whose distance is Hellinger's; large sparse tables by the first singular directions of
    that. `sample` draws totals from those of the rows that the fit began with: all rows of `fit`, the first batch of
    `engine.fit`. A row of which nothing is known counts as one without any count. `engine.fit` begins from a sample,
    and leaves a trace of what this does not show. `sample` draws a table of the kind that was fitted.

    Rows that do not fit in memory come from files: `engine.fit(model, "rows/*.parquet")`.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.mixtures.multinomial_mixture import MultinomialMixture
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.multinomial(20, [0.7, 0.2, 0.1], 60), rng.multinomial(50, [0.2, 0.3, 0.5], 40)])
    >>> model = MultinomialMixture(2, prior=2, random_state=0).fit(X)
    >>> model.weights_.round(2), model.probabilities_.round(2)
    (array([0.41, 0.59]), array([[0.21, 0.31, 0.48],
           [0.69, 0.2 , 0.11]]))
    >>> model.predict_proba([[3, 1, 2], [0, 0, 0]]).round(2)
    array([[0.37, 0.63],
           [0.41, 0.59]])
    """

    n_components: int = 1
    _: KW_ONLY
    probabilities_init: Any = None

    probabilities_: np.ndarray = field(init=False)
    frame_: str | None = field(init=False)

    @property
    def _kind(self) -> CountKind:
        return CountKind(MULTINOMIAL, self.probabilities_init, self.prior)

    def _write(self, mixing: Mixing) -> None:
        self.frame_, self.probabilities_ = None, np.array(mixing.components.table)


def _check_values(X: Any, names: tuple[str, ...]) -> Any:
    X = unknown_as_empty(X)
    refuse_cells(
        X,
        np.isnan,
        names,
        "X must not contain NaN: given the total of a row, its other counts tell a missing one, which cannot be "
        "left out",
        "Fill it in, leave the row out, or take PoissonMixture, which has missing cells.",
    )
    refuse_cells(
        X,
        no_count,
        names,
        "X must hold counts, whole numbers from 0 to 2^53",
        "Fractional counts have no probability: count in whole units.",
    )
    return X


def _one(rows: Rows, prior: Any) -> Multinomials:
    D = rows.X.shape[1]
    return Multinomials.of(np.full((1, D), 1 / D), prior, Totals.of(rows.X, rows.weight))


def _stretch(X: Any) -> Any:
    """√(x / total): the distance of two rows is Hellinger's, between their shares."""
    total = np.maximum(times(X, np.ones(X.shape[1])), 1.0)
    if not sparse.issparse(X):
        return np.sqrt(X / total[:, None])
    return with_data(X, np.sqrt(X.data / np.repeat(total, np.diff(X.indptr))))


def _draw_rows(components: Multinomials, table: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    totals = components.totals.draw(len(table), rng)
    return rng.multinomial(totals, table / table.sum(axis=1, keepdims=True))


MULTINOMIAL = CountFamily(
    "probabilities", _check_values, _one, given_shares, _stretch, _draw_rows, gaps=False
)
