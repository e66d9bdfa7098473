r"""Mixtures of vectors of counts, fitted by expectation–maximization, with missing cells inside the model.

Model        p(x) = Σ_k π_k Π_d Poisson(x_d | λ_kd)                                       (FCML §6.3.7)
Shares       r_nk ∝ π_k Π_d λ_kd^x_d exp(−λ_kd), over known cells
Step         λ_kd = (a − 1 + Σ_n r_nk x_nd) / (b + Σ_n r_nk), over known cells; λ_kd ~ Gamma(a, b)

Maximum likelihood is a = 1, b = 0.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any, final

import numpy as np

from suffice._components.count_cells import no_count, refuse_cells
from suffice._components.given import given_table
from suffice._components.kinds.counts import CountFamily, CountKind
from suffice._components.poisson import Poissons, as_gamma
from suffice._core.records import storable
from suffice.engine import Rows
from suffice.mixtures._shell.mixing import Mixing
from suffice.mixtures._shell.model import MixtureShell


@final
@storable
@dataclass(eq=False, repr=False)
class PoissonMixture(MixtureShell):
    """Rows of counts from one of several groups, nobody knows which; in each group every column has a rate.

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
    rates_init
        Rates of the start, a row per component. Weights that are not given are then equal.
    random_state
        Seed of starts and draws.
    warm_start
        Go on from the last fit.
    hard
        Give every row to its most probable component alone.
    prior
        `Gamma(shape, rate)` of every rate, shape >= 1, numbers or one per column: the most probable parameters instead
        of the likeliest.
    weights_prior
        Concentration of a Dirichlet prior on the weights, at least 1: a number, or one per component.

    Attributes
    ----------
    weights_
        The share of each component, π_k.
    rates_
        The mean of every column, a row per component.
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
    A rate of 0 never changes again, so starts made from clusters are mixed with a tenth of the whole table. Rows are
    clustered by √x, which varies about equally for all rates; large sparse tables by the first singular directions of
    that. `engine.fit` begins from a sample, and leaves a trace of what this does not show. `sample` draws a table of
    the kind that was fitted.

    Rows that do not fit in memory come from files: `engine.fit(model, "rows/*.parquet")`.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.mixtures.poisson_mixture import PoissonMixture
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.poisson([1.0, 6.0], (300, 2)), rng.poisson([8.0, 2.0], (100, 2))]).astype(float)
    >>> X[::7, 1] = np.nan
    >>> model = PoissonMixture(2, random_state=0).fit(X)
    >>> model.weights_.round(2), model.rates_.round(1)
    (array([0.76, 0.24]), array([[1.1, 5.9],
           [8.2, 2. ]]))
    >>> model.predict_proba([[4, np.nan], [4, 4]]).round(2)
    array([[0.52, 0.48],
           [0.64, 0.36]])
    """

    n_components: int = 1
    _: KW_ONLY
    rates_init: Any = None

    rates_: np.ndarray = field(init=False)
    frame_: str | None = field(init=False)

    @property
    def _kind(self) -> CountKind:
        return CountKind(POISSON, self.rates_init, self.prior)

    def _write(self, mixing: Mixing) -> None:
        self.frame_, self.rates_ = None, np.array(mixing.components.table)


def _check_values(X: Any, names: tuple[str, ...]) -> Any:
    refuse_cells(
        X,
        no_count,
        names,
        "X must hold counts, whole numbers from 0 to 2^53, or NaN for a missing cell",
        "Fractional counts have no probability: count in whole units, or take GaussianMixture.",
    )
    return X


def _one(rows: Rows, prior: Any) -> Poissons:
    D = rows.X.shape[1]
    return Poissons.of(np.ones((1, D)), as_gamma(prior, D))


def _stretch(X: Any) -> Any:
    """√x has a standard deviation near ½ at every rate, so that large counts do not outvote small ones."""
    return np.sqrt(X)


def _draw_rows(components: Poissons, table: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return rng.poisson(table)


POISSON = CountFamily("rates", _check_values, _one, given_table, _stretch, _draw_rows)
