r"""A mixture of normal densities by Gibbs sampling: many clusterings in place of one (FCML §6.3.9).

Model        π ~ Dirichlet(α/K, …, α/K),  z_n ~ Cat(π),  (μ_k, Σ_k) ~ NIW,  x_n | z_n ~ N(μ_z, Σ_z)
Sampler      p(z_n = k | rest) ∝ (n_k + α/K) t(x_n | rows of component k), without row n; π, μ and Σ are integrated out;
             after each pass over the rows, clusters are split or merged as a whole (Metropolis–Hastings)
Together     P(z_n = z_m | X) = share of the draws in which both rows have one label
Predictive   p(x | X) = mean over draws of Σ_k (n_k + α/K)/(N + α) · t(x | rows of component k)
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Self, final

import numpy as np
from scipy import sparse
from sklearn.base import ClusterMixin, DensityMixin

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    NotConverged,
    Unsupported,
    as_numbers,
    check_number,
    warn,
)
from suffice._core.numerics import first_nonfinite
from suffice._core.random import generator, streams
from suffice._core.records import storable
from suffice._core.trace import Trace
from suffice._estimator import Estimator, check_is_fitted, open_inputs, open_table, remember_columns
from suffice.distributions import Discrete, NormalInverseWishart
from suffice.engine import one_blas_thread
from suffice.inference import Samples
from suffice.inference.sampling.metropolis import check_counts
from suffice.mixtures._gibbs import summaries
from suffice.mixtures._gibbs.problem import GibbsProblem, Parts, check_prior, default_prior
from suffice.mixtures._gibbs.sampler import Chain, DrawingPlan, sample_labels
from suffice.statistics.layout import dense

PREDICTING = 200  # draws that predictions average over
BLOCK = 64  # draws whose components are held at a time
MOST_ROWS = 5000  # of a matrix of all pairs
MOST_COMPONENTS = 1 << 14
APART = 1.05  # an R̂ above which chains disagree


@final
@storable
@dataclass(eq=False, repr=False)
class GibbsGaussianMixture(ClusterMixin, DensityMixin, Estimator):
    """Draws from the distribution over clusterings by a mixture of normal densities.

    Parameters
    ----------
    n_components
        K: the most clusters there can be. Components may stay empty, and with a small concentration those that the rows
        do not need do.
    prior
        What is known of mean and covariance of a component beforehand: a `NormalInverseWishart`; None for one from the
        columns, with E Σ = K^(−2/D) diag(var), a K-th of the volume, D + 2 degrees of freedom, and means that spread as
        the rows do.
    concentration
        α of the Dirichlet(α/K) of the shares. Small values prefer few clusters.
    n_samples, n_chains
        Draws that are kept of each chain, and chains, which run side by side.
    warmup
        Passes over the rows that are thrown away first.
    thin
        Passes per draw that is kept.
    random_state
        Seed of the chains, and of `sample`.

    Attributes
    ----------
    prior_
        The prior that was used.
    samples_
        What does not depend on names, of every draw: log joint probability, clusters that have rows, entropy of their
        shares, and the largest share.
    labels_samples_
        Labels of the rows in every draw, renamed to agree with `labels_`.
    labels_, best_labels_
        One clustering that stands for the draws, and the most probable one.
    weights_, means_, covariances_
        Posterior means of the shares and of the normal densities, a row per component.
    n_components_distribution_
        How many clusters have rows.
    draw_weights_, draw_posteriors_
        Shares, and the distribution of mean and covariance, of every component in the draws that predictions average.
    trace_
        The log joint probability after every pass, a column per chain; converged where chains agree.

    Notes
    -----
    Components of different draws have no common names. `samples_`, `coclustering_` and `n_components_distribution_` do
    not need any. For `labels_samples_`, `weights_`, `means_` and `covariances_` every draw is renamed so that it agrees
    with `labels_` on as many rows as possible; where draws differ in more than names, read them with care.

    `labels_` is, of up to 500 draws, the one with the smallest Binder loss, Σ |1[z_n = z_m] − P(z_n = z_m)|;
    `best_labels_` the draw of the highest joint probability. `weights_`, `means_` and `covariances_` are posterior
    means over all draws, those in which a component is empty included.

    Predictions average over up to 200 draws, so a log density has a Monte Carlo error of about s/(√200 p(x)), where s
    is the spread of the densities that single draws give x: 0.01 to 0.02 where clusterings differ much.

    Rows must be complete: the predictive density of a component has no closed form with missing cells. There are no
    weights: a row of weight 2 is two rows with one label, which is another model than two rows.

    Examples
    --------
    A row between two clusters belongs to both, which one clustering cannot say:

    >>> import numpy as np
    >>> from suffice.mixtures import GibbsGaussianMixture
    >>> X = np.array([-3.4, -3.1, -2.9, -2.8, -2.6, 0.05, 2.5, 2.7, 3.0, 3.1, 3.3])[:, None]
    >>> model = GibbsGaussianMixture(2, n_samples=400, random_state=0).fit(X)
    >>> print(model.coclustering([5]).round(1)[0])
    [0.4 0.4 0.4 0.4 0.4 1.  0.6 0.6 0.6 0.6 0.6]
    >>> print(model.labels_, model.n_components_distribution_.mode)
    [1 1 1 1 1 0 0 0 0 0 0] 2.0
    """

    n_components: int = 5
    _: KW_ONLY
    prior: NormalInverseWishart | None = None
    concentration: float = 1.0
    n_samples: int = 1000
    warmup: int = 500
    n_chains: int = 4
    thin: int = 1
    random_state: Any = None

    prior_: NormalInverseWishart = field(init=False)
    samples_: Samples = field(init=False)
    labels_samples_: np.ndarray = field(init=False)
    labels_: np.ndarray = field(init=False)
    best_labels_: np.ndarray = field(init=False)
    weights_: np.ndarray = field(init=False)
    means_: np.ndarray = field(init=False)
    covariances_: np.ndarray = field(init=False)
    n_components_distribution_: Discrete = field(init=False)
    trace_: Trace = field(init=False)
    draw_weights_: np.ndarray = field(init=False)
    draw_posteriors_: NormalInverseWishart = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    # -- fitting -----------------------------------------------------------------------------------------
    @one_blas_thread()
    def fit(self, X: Any, y: Any = None) -> Self:
        """Sample labels of the rows; y is ignored."""
        plan = self._plan()
        table, _, header = open_table(self, X, supervised=False, finite=False)
        X = _dense(table)
        _refuse_gaps(X, header.feature_names)
        names = np.array(header.feature_names, dtype=object)
        prior = default_prior(X, self.n_components, names) if self.prior is None else self.prior
        prior = check_prior(prior, X.shape[1])
        problem = GibbsProblem.of(X, prior, float(self.concentration), self.n_components)
        rngs = streams(self.random_state, plan.n_chains)
        chains = self.reported(lambda tick: sample_labels(problem, plan, rngs, tick), plan.n_chains)
        remember_columns(self, header)
        self.prior_ = prior
        self._write(problem, chains)
        self._warn_apart()
        return self

    def _plan(self) -> DrawingPlan:
        check_counts(
            n_components=(self.n_components, 1),
            n_samples=(self.n_samples, 1),
            warmup=(self.warmup, 0),
            n_chains=(self.n_chains, 1),
            thin=(self.thin, 1),
        )
        check_number("concentration", self.concentration, low=0.0, strict=True)
        if self.n_components > MOST_COMPONENTS:
            raise InvalidParameter(
                f"n_components must be at most {MOST_COMPONENTS}; got {self.n_components!r}."
            )
        return DrawingPlan(int(self.n_samples), int(self.warmup), int(self.n_chains), int(self.thin))

    def _write(self, problem: GibbsProblem, chains: list[Chain]) -> None:
        K = self.n_components
        draws = np.concatenate([chain.labels for chain in chains])
        joint = np.concatenate([chain.log_joint for chain in chains])
        middle = summaries.central(draws, joint, K)
        draws = summaries.relabelled(draws, draws[middle], K)
        self.samples_ = summaries.scalars(chains, K)
        self.labels_samples_ = draws.reshape(len(chains), -1, draws.shape[1])
        self.labels_ = draws[middle].astype(int)
        self.best_labels_ = draws[np.argmax(joint)].astype(int)
        self.n_components_distribution_ = Discrete.fit(self.samples_.draws[:, :, 1].ravel())
        self._write_means(problem, draws)
        some = Parts.of(problem, draws[summaries.evenly(len(draws), PREDICTING)])
        self.draw_weights_, self.draw_posteriors_ = some.weights(problem), some.posterior(problem)
        paths = np.array([np.concatenate([chain.before, chain.log_joint]) for chain in chains])
        columns = {f"chain {c}": path for c, path in enumerate(paths)}
        self.trace_ = Trace(paths.mean(axis=0), self._r_hat() <= APART, columns)

    def _write_means(self, problem: GibbsProblem, draws: np.ndarray) -> None:
        """Posterior means over all draws: E π, E μ and E Σ of every draw, averaged."""
        totals: list[Any] = [0.0, 0.0, 0.0]
        for first in range(0, len(draws), BLOCK):
            parts = Parts.of(problem, draws[first : first + BLOCK])
            posterior = parts.posterior(problem)
            values = (parts.weights(problem), posterior.mean, posterior.marginal_cov().mean)
            totals = [total + value.sum(axis=0) for total, value in zip(totals, values, strict=True)]
        self.weights_, self.means_, self.covariances_ = (total / len(draws) for total in totals)

    def _r_hat(self) -> float:
        """The largest of those that are known; 1 where none is."""
        if self.samples_.n_chains < 2 or self.samples_.n_draws < 4:
            return 1.0
        return float(np.fmax.reduce(self.samples_.r_hat, initial=1.0))

    def _warn_apart(self) -> None:
        worst = self._r_hat()
        if worst > APART:
            name = summaries.NAMES[int(np.nanargmax(self.samples_.r_hat))]
            warn(
                f"The chains disagree: {name} has R̂ = {worst:.3g}, above {APART}. Raise warmup={self.warmup} or "
                f"n_samples={self.n_samples}, and look at trace_.",
                NotConverged,
            )

    # -- rows together -----------------------------------------------------------------------------------
    @property
    def coclustering_(self) -> np.ndarray:
        """P(z_n = z_m | X) for all pairs of rows (N, N), counted when asked for."""
        check_is_fitted(self)
        rows = self.labels_samples_.shape[2]
        if rows > MOST_ROWS:
            raise Unsupported(
                f"coclustering_ of {rows} rows would have {rows**2:.2g} entries; ask for some rows with "
                "coclustering(rows)."
            )
        return self.coclustering(np.arange(rows))

    def coclustering(self, rows: Any) -> np.ndarray:
        """P(z_n = z_m | X): that each of some rows of the fit, by their numbers, is with each of all rows; (R, N)."""
        check_is_fitted(self)
        draws = self.labels_samples_.reshape(-1, self.labels_samples_.shape[2])
        rows, n = np.atleast_1d(as_numbers("rows", rows)), draws.shape[1]
        if rows.ndim != 1 or np.any((rows != rows.round()) | (rows < -n) | (rows >= n)):
            raise InvalidInput(f"rows must be numbers of rows, {-n} to {n - 1}; got {rows.tolist()!r:.80}.")
        return summaries.shares_together(draws, rows.astype(int) % n)

    # -- new rows ----------------------------------------------------------------------------------------
    @one_blas_thread()
    def _log_joint(self, X: Any) -> np.ndarray:
        """log p(z = k, x | rows of the fit), averaged over draws; (N, K)."""
        X = _dense(open_inputs(self, X))
        posterior, log_weights = self.draw_posteriors_, np.log(self.draw_weights_)
        total = np.full((len(X), self.weights_.size), -np.inf)
        for s, log_weight in enumerate(log_weights):
            one = NormalInverseWishart(
                posterior.mean[s], posterior.strength[s], posterior.scale[s], posterior.dof[s]
            )
            np.logaddexp(total, log_weight + one.predictive().log_prob(X[:, None, :]), out=total)
        return total - np.log(len(log_weights))

    def score_samples(self, X: Any) -> np.ndarray:
        """log p(x | rows of the fit) of each row."""
        return np.logaddexp.reduce(self._log_joint(X), axis=1)

    def score(self, X: Any, y: Any = None) -> float:
        """The mean of `score_samples`."""
        return float(self.score_samples(X).mean())

    def predict_proba(self, X: Any) -> np.ndarray:
        """P(z = k | x, rows of the fit), the components named as in `labels_`."""
        joint = self._log_joint(X)
        return np.exp(joint - np.logaddexp.reduce(joint, axis=1, keepdims=True))

    def predict(self, X: Any) -> np.ndarray:
        """The most probable component of each row."""
        return self._log_joint(X).argmax(axis=1)

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """Rows that the model expects, and their components; None takes the model's `random_state`."""
        check_is_fitted(self)
        check_counts(n_samples=(n_samples, 1))
        rng = generator(self.random_state if random_state is None else random_state)
        posterior = self.draw_posteriors_
        draws, K = self.draw_weights_.shape
        s = rng.integers(draws, size=n_samples)
        k = (rng.random((n_samples, 1)) > np.cumsum(self.draw_weights_[s], axis=1)).sum(axis=1)
        k = np.minimum(k, K - 1)
        chosen = NormalInverseWishart(
            posterior.mean[s, k], posterior.strength[s, k], posterior.scale[s, k], posterior.dof[s, k]
        )
        return chosen.predictive().sample(rng=rng), k


def _dense(X: Any) -> np.ndarray:
    """Rows as float64; a table of mostly zeros is no mixture of normal densities."""
    if sparse.issparse(X):
        raise InvalidInput("X is sparse, which GibbsGaussianMixture does not take; give X.toarray().")
    return dense(X)


def _refuse_gaps(X: np.ndarray, names: tuple[str, ...]) -> None:
    if place := first_nonfinite(X, names):
        raise InvalidInput(
            f"X contains {place}. The predictive density of a component needs complete rows without NaN or infinity; "
            "for missing cells use GaussianMixture."
        )
