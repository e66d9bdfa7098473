r"""Mixtures of normal distributions, fitted by expectation–maximization, with missing cells inside the model.

Model        p(x) = Σ_k π_k N(x | μ_k, Σ_k)                                    (FCML §6.3, DTU 19.3, Herbst 7.1)
Shares       r_nk ∝ π_k N(x_n | μ_k, Σ_k)                                      (FCML 6.18, DTU 19.5)
Step         π_k = n_k/n,  μ_k = Σ_n r_nk x_n / n_k,  Σ_k = Σ_n r_nk (x_n − μ_k)(x_n − μ_k)ᵀ / n_k,  n_k = Σ_n r_nk
Missing      r from the density of the known cells; x_n becomes E[x_n | known, k], and Cov[x_n | known, k] is added

The likelihood has no maximum: a component may collapse on a row. `reg_covar` is added to every variance, as in
scikit-learn, and is no step upwards; with `reg_covar=0` covariances stop at a floor and the likelihood never falls.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._components.given import given_weights
from suffice._components.kinds.normal import NormalKind
from suffice._components.normal.given import given_covariances, given_means, normals_of
from suffice._components.normal.rule import Rule
from suffice._components.normal.shapes import shape_named
from suffice._core.errors import InvalidParameter
from suffice._core.records import storable
from suffice._estimator import remember_columns
from suffice.mixtures._shell.collapse import warn_collapsed
from suffice.mixtures._shell.mixing import Mixing
from suffice.mixtures._shell.model import MixtureShell
from suffice.statistics import Header


@storable
@dataclass(eq=False, repr=False)
class GaussianMixture(MixtureShell):
    """Rows from one of several normal distributions, nobody knows which.

    Cells may be missing (NaN): they are integrated out of every density, and expected in every step, so nothing is
    imputed before and nothing dropped. Rows may be weighted.

    Parameters
    ----------
    n_components
        How many components; `select_components` compares.
    covariance_type
        "full", "tied" (one for all), "diag" (independent columns), "spherical" (one variance each), or "identity".
    tol
        The iteration ends when the log likelihood per row (with the log prior, if any) grows by at most this.
    reg_covar
        Added to all variances in every step, in squared units of the columns.
    max_iter
        The most steps; with 0 the start is the fit.
    n_init
        Starts, of which the best is kept; `restarts_` has what each reached.
    init_params
        "kmeans", "k-means++", "random_from_data" or "random".
    weights_init, means_init, precisions_init
        Parts of the start; precisions in the shape of `covariances_`.
    random_state
        Seed of starts and draws.
    warm_start
        Go on from the last fit.
    verbose, verbose_interval
        Print where the iteration stands, every so many steps.
    hard
        Give every row to its most probable component alone (classification EM; k-means where Σ = I).
    prior
        A NormalInverseWishart of mean and covariance, or a Normal or MultivariateNormal of the means: the most probable
        parameters instead of the likeliest.
    weights_prior
        Concentration of a Dirichlet prior on the weights, at least 1: a number, or one per component.

    Attributes
    ----------
    weights_
        The share of each component, π_k.
    means_
        A row per component.
    covariances_, precisions_, precisions_cholesky_
        Σ, Σ⁻¹ and an upper triangle W with W Wᵀ = Σ⁻¹ per component, in the shape of `covariance_type`.
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
    From the same start, parameters, `n_iter_`, `lower_bound_` and `lower_bounds_` are scikit-learn's (which does not
    stop at a standstill with `tol=0`, and takes a fall smaller than `tol` for convergence). Its bound is the log
    likelihood per row that the last step began with; `trace_` goes on to that of the parameters returned. With
    `hard`, likelihoods there are those of rows together with their components, Σ log π_z p(x | z).

    Rows that do not fit in memory come from files: `engine.fit(model, "rows/*.parquet")`.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.mixtures import GaussianMixture
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(0, 1, (300, 2)), rng.normal(6, 2, (100, 2))])
    >>> X[::7, 1] = np.nan
    >>> model = GaussianMixture(2, random_state=0).fit(X)
    >>> model.weights_.round(2), model.n_parameters_
    (array([0.25, 0.75]), 11)
    >>> model.predict_proba([[0.0, np.nan], [3.0, 3.0]]).round(2)
    array([[0.  , 1.  ],
           [0.98, 0.02]])
    """

    n_components: int = 1
    _: KW_ONLY
    covariance_type: str = "full"
    tol: float = 1e-3
    reg_covar: float = 1e-6
    max_iter: int = 100
    means_init: Any = None
    precisions_init: Any = None
    verbose: int = 0
    verbose_interval: int = 10

    means_: np.ndarray = field(init=False)
    covariances_: np.ndarray = field(init=False)
    precisions_: np.ndarray = field(init=False)
    precisions_cholesky_: np.ndarray = field(init=False)

    @classmethod
    def of(
        cls,
        weights: Any,
        means: Any,
        covariances: Any,
        *,
        covariance_type: str = "full",
        feature_names: Any = None,
    ) -> GaussianMixture:
        """A mixture whose parameters are known, ready to score and draw rows; covariances in the form of the type.

        >>> from suffice.mixtures import GaussianMixture
        >>> known = GaussianMixture.of([0.7, 0.3], [[3, 3], [1, -3]], [[1, 2], [2, 1]], covariance_type="diag")
        >>> known.score_samples([[2.0, 0.0]]).round(6)
        array([-5.234744])
        """
        shape = shape_named(covariance_type)
        means = given_means(means, None, None, "means")
        K, D = means.shape
        made = given_covariances(covariances, shape.name, K, D, inverse=False)
        names = None if feature_names is None else tuple(map(str, np.ravel(feature_names)))
        if names is not None and (len(names) != D or len(set(names)) < D):
            raise InvalidParameter(f"feature_names must be {D} different names; got {feature_names!r:.80}.")
        normals = normals_of(means, made, Rule(shape))
        mixing = Mixing(given_weights(weights, K, None, "weights"), normals, Header(D, names))
        return cls(K, covariance_type=covariance_type)._known(mixing)

    @property
    def _kind(self) -> NormalKind:
        starts = (self.weights_init, self.means_init, self.precisions_init)
        return NormalKind(
            self.covariance_type,
            self.reg_covar,
            self.prior,
            self.means_init,
            self.precisions_init,
            all_given=all(value is not None for value in starts),
        )

    def _initialize(self, X: Any, resp: Any) -> None:
        """scikit-learn's private name: the start that responsibilities make, as attributes."""
        model = clone(self).set_params(n_components=np.shape(resp)[1])
        rows, plan = model.door(X)
        base = model._kind.base(rows, plan, model.n_components)
        start = model._from_responsibilities(rows, plan, base, np.asarray(resp, dtype=float))
        self._known(model._with_given(start, plan))

    def _set_parameters(self, params: tuple[Any, ...]) -> None:
        """scikit-learn's private name: weights, means and covariances that are known."""
        weights, means, covariances, *_ = params
        known = self.of(weights / np.sum(weights), means, covariances, covariance_type=self.covariance_type)
        self._known(known.mixing_)

    def _known(self, mixing: Mixing) -> GaussianMixture:
        """Write parameters that were not found by a fit."""
        self.mixing_, self.weights_ = mixing, np.array(mixing.weights)
        remember_columns(self, mixing.header)
        self._write(mixing)
        return self

    def _write(self, mixing: Mixing) -> None:
        normals = mixing.components
        public = normals.rule.shape.public
        self.means_ = np.array(normals.means)
        self.covariances_, self.precisions_, self.precisions_cholesky_ = map(public, normals.spreads)
        warn_collapsed(mixing, self._names)
