r"""Mixtures of binary vectors, fitted by expectation–maximization, with missing cells inside the model.

Model        p(x) = Σ_k π_k Π_d p_kd^x_d (1 − p_kd)^(1 − x_d)                             (FCML §6.3.7, eq. 6.20)
Shares       r_nk ∝ π_k Π_d …, over known cells                                           (FCML 6.21)
Step         p_kd = (a − 1 + Σ_n r_nk x_nd) / (a + b − 2 + Σ_n r_nk), over known cells    (FCML 6.22, 6.23)

Maximum likelihood is a = b = 1. Above, no probability is 0 or 1: it lies between (a − 1) / (a + b − 2 + n_k) and
(a − 1 + n_k) / (a + b − 2 + n_k), where n_k = Σ_n r_nk, and no new row is impossible.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Any, final

import numpy as np

from suffice._components.bernoulli import Bernoullis, as_beta
from suffice._components.count_cells import refuse_cells
from suffice._components.given import given_table
from suffice._components.kinds.counts import CountFamily, CountKind
from suffice._core.records import storable
from suffice.engine import Rows
from suffice.mixtures._shell.mixing import Mixing
from suffice.mixtures._shell.model import MixtureShell


@final
@storable
@dataclass(eq=False, repr=False)
class BernoulliMixture(MixtureShell):
    """Rows of 0 and 1 from one of several groups, nobody knows which; in each group every column is a coin.

    Cells may be missing (NaN): they are left out of densities and sums, which is exact. Tables may be sparse, and
    stay so. Rows may be weighted.

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
        Probabilities of the start, a row per component. Weights that are not given are then equal.
    random_state
        Seed of starts and draws.
    warm_start
        Go on from the last fit.
    hard
        Give every row to its most probable component alone.
    prior
        `Beta(a, b)` of every probability, numbers >= 1 or one per column: the most probable parameters instead of the
        likeliest.
    weights_prior
        Concentration of a Dirichlet prior on the weights, at least 1: a number, or one per component.

    Attributes
    ----------
    weights_
        The share of each component, π_k.
    probabilities_
        P(x_d = 1 | component), a row per component.
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
        p(x) as a distribution of rows.

    Notes
    -----
    A probability of 0 or 1 never changes again, so starts made from clusters are mixed with a tenth of the whole table.
    Large sparse tables are clustered by their first singular directions. `engine.fit` begins from a sample, and leaves
    a trace of what this does not show. `sample` draws a table of the kind that was fitted.

    Rows that do not fit in memory come from files: `engine.fit(model, "rows/*.parquet")`.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.distributions import Beta
    >>> from suffice.mixtures.bernoulli_mixture import BernoulliMixture
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.random((200, 4)) < [0.9, 0.9, 0.1, 0.1], rng.random((100, 4)) < [0.2, 0.1, 0.8, 0.9]])
    >>> X = np.where(rng.random(X.shape) < 0.1, np.nan, X)
    >>> model = BernoulliMixture(2, prior=Beta(2, 2), random_state=0).fit(X)
    >>> model.weights_.round(2), model.n_parameters_
    (array([0.65, 0.35]), 9)
    >>> model.predict_proba([[1, 1, 0, np.nan], [1, 0, 1, 0]]).round(2)
    array([[1.  , 0.  ],
           [0.41, 0.59]])
    """

    n_components: int = 1
    _: KW_ONLY
    probabilities_init: Any = None

    probabilities_: np.ndarray = field(init=False)
    frame_: str | None = field(init=False)

    @property
    def _kind(self) -> CountKind:
        return CountKind(BERNOULLI, self.probabilities_init, self.prior)

    def _write(self, mixing: Mixing) -> None:
        self.frame_, self.probabilities_ = None, np.array(mixing.components.table)


def _check_values(X: Any, names: tuple[str, ...]) -> Any:
    refuse_cells(
        X,
        lambda x: ~((x == 0) | (x == 1) | np.isnan(x)),
        names,
        "X must hold 0 and 1, or NaN for a missing cell",
        "Set a threshold first, or take PoissonMixture for counts.",
    )
    return X


def _one(rows: Rows, prior: Any) -> Bernoullis:
    D = rows.X.shape[1]
    return Bernoullis.of(np.full((1, D), 0.5), as_beta(prior, D))


def _stretch(X: Any) -> Any:
    """As they are: the squared distance of two rows is the number of cells in which they differ."""
    return X


def _draw_rows(components: Bernoullis, table: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return rng.random(table.shape) < table


BERNOULLI = CountFamily(
    "probabilities", _check_values, _one, partial(given_table, high=1.0), _stretch, _draw_rows
)
