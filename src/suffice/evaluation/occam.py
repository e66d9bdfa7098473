r"""What flexibility costs: Occam factors, and how often the evidence misleads (PRML §3.4).

Widths       log p(D) ≈ log p(D | ŵ) + Σ log Δ_posterior/Δ_prior                     (3.70–3.72)
Exactly      log p(D) = log p(D | m) + log p(m) − log p(m | D), m the posterior mean  (Bayes' rule at m)
On average   E log [p(D | M₁)/p(D | M₂)] = KL(p₁ ‖ p₂) for D from M₁                   (3.73)

The last two terms of the second line are the log Occam factor. For a Gaussian posterior and a flat prior they are
the first line with Δ_posterior = √(2π) σ.
"""

from __future__ import annotations

from typing import Any, Protocol, Self, runtime_checkable

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported, as_numbers, check_integer
from suffice._core.linalg import cholesky
from suffice._core.numerics import LOG_2PI
from suffice._core.proportions import jeffreys
from suffice._core.random import generator
from suffice._core.records import record
from suffice.bases._base import as_table
from suffice.distributions import MultivariateNormal, kl
from suffice.evaluation.findings import Measured, number


class OccamFactor(float):
    """Δ_posterior/Δ_prior over all parameters; `log` is its logarithm, also where the number underflows."""

    log: float

    def __new__(cls, log: float) -> Self:
        self = super().__new__(cls, np.exp(log))
        self.log = float(log)
        return self

    def __getnewargs__(self) -> tuple[float]:
        return (self.log,)

    def __repr__(self) -> str:
        return f"OccamFactor({float(self):.6g}, log={self.log:.6g})"


def occam_factor(posterior_width: Any, prior_width: Any, n_parameters: int | None = None) -> OccamFactor:
    """The share of the prior that the data leave plausible: the price of a model's parameters.

    Parameters
    ----------
    posterior_width, prior_width
        Widths per parameter, or one for all of them. Of a Gaussian posterior take √(2π) times its standard
        deviation: with a flat prior the approximation is then exact.
    n_parameters
        How many parameters have these widths, where both are single numbers.

    Examples
    --------
    >>> from suffice.evaluation import occam_factor
    >>> occam_factor(0.05, 1.0)
    OccamFactor(0.05, log=-2.99573)
    >>> occam_factor(0.05, 1.0, n_parameters=400)
    OccamFactor(0, log=-1198.29)
    """
    widths = []
    for name, value in (("posterior_width", posterior_width), ("prior_width", prior_width)):
        width = as_numbers(name, value)
        if width.size == 0 or not np.all(np.isfinite(width) & (width > 0)):
            raise InvalidParameter(f"{name} must be finite and above zero; got {value!r}.")
        widths.append(width)
    try:
        logs = np.subtract(*map(np.log, widths))
    except ValueError:
        shapes = " and ".join(str(w.shape) for w in widths)
        raise InvalidParameter(
            f"The widths must be as many as each other or one; got shapes {shapes}."
        ) from None
    if n_parameters is None:
        return OccamFactor(float(np.sum(logs)))
    if (
        logs.size > 1
        or isinstance(n_parameters, bool)
        or n_parameters != int(n_parameters)
        or n_parameters < 1
    ):
        raise InvalidParameter(
            f"n_parameters must be an integer >= 1 beside single widths; got {n_parameters!r}."
        )
    return OccamFactor(float(np.sum(logs)) * int(n_parameters))


@runtime_checkable
class GaussianModel(Protocol):
    """A fitted linear-Gaussian model: its evidence, its noise, its function and the statistics of its rows."""

    log_evidence_: float
    noise_precision_: Any
    function_: Any
    statistics_: Any
    weight_kind: str


@record
class Occam:
    """log evidence = log likelihood of the posterior mean + log Occam factor."""

    log_evidence: float
    log_likelihood: float
    log_factor: float

    @property
    def sentence(self) -> str:
        """For a paper."""
        return (
            f"The log evidence {number(self.log_evidence)} is the log likelihood of the posterior mean, "
            f"{number(self.log_likelihood)}, and a log Occam factor of {number(self.log_factor)}."
        )

    def __str__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        return f"<p>{self.sentence}</p>"


def occam(model: Any) -> Occam:
    """The evidence of a fitted linear-Gaussian model, taken apart exactly.

    A better fit raises the likelihood; weights that had to be found among many possible ones lower the factor.
    Both are for the precisions of the fit. A flat intercept enters the factor with p(b) = 1.

    Examples
    --------
    >>> from suffice.bases import Polynomial
    >>> from suffice.datasets import sinusoid_10
    >>> from suffice.evaluation import occam
    >>> from suffice.linear import BayesianLinearRegression
    >>> data = sinusoid_10()
    >>> for m in (1, 3, 9):
    ...     model = BayesianLinearRegression(0.005, noise_precision=11.1, basis=Polynomial(m)).fit(data.X, data.y)
    ...     print(m, occam(model))
    1 The log evidence -14.3 is the log likelihood of the posterior mean, -9.01, and a log Occam factor of -5.3.
    3 The log evidence -10.4 is the log likelihood of the posterior mean, 0.471, and a log Occam factor of -10.8.
    9 The log evidence -12.7 is the log likelihood of the posterior mean, 0.747, and a log Occam factor of -13.5.
    """
    if not isinstance(model, GaussianModel):
        raise Unsupported(
            f"occam needs a fitted linear-Gaussian model, such as BayesianLinearRegression; got {type(model).__name__}."
        )
    t, beta = model.statistics_, np.atleast_1d(model.noise_precision_)
    counts = model.weight_kind == "counts"
    n, extra = (t.n, 0.0) if counts else (float(t.rows), 0.5 * t.log_weight)
    errors = np.asarray(model.function_.sse(t), dtype=float)
    fit = float(np.sum(0.5 * n * (np.log(beta) - LOG_2PI) - 0.5 * beta * errors + extra))
    return Occam(float(model.log_evidence_), fit, float(model.log_evidence_) - fit)


# -- on average -----------------------------------------------------------------------------------------
@record
class ExpectedBayesFactor:
    """`mean` is the expected log Bayes factor for the model that is right; `misled` how often data favor the other."""

    mean: float
    misled: Measured

    @property
    def sentence(self) -> str:
        """For a paper."""
        return (
            f"If the first model is right, the log Bayes factor for it is {number(self.mean)} on average, and a share "
            f"of {self.misled} of data sets favors the other."
        )

    def __str__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        return f"<p>{self.sentence}</p>"


def expected_bayes_factor(
    truth: Any, rival: Any, X: Any, *, n: int = 20_000, random_state: Any = 0, confidence: float = 0.95
) -> ExpectedBayesFactor:
    """What Bayes factors to expect at inputs X before there are any targets.

    Parameters
    ----------
    truth, rival
        `BayesianLinearRegression` with known precisions and a proper intercept (`intercept="prior"` or none), fitted
        or not; the first generates the data.
    X
        Inputs.
    n
        Data sets drawn for the share that misleads, which has a Jeffreys interval. The mean is exact (eq. 3.73).

    Examples
    --------
    >>> from suffice.bases import Polynomial
    >>> from suffice.datasets import sinusoid_10
    >>> from suffice.evaluation import expected_bayes_factor
    >>> from suffice.linear import BayesianLinearRegression
    >>> line, cubic = (
    ...     BayesianLinearRegression(1.0, noise_precision=11.1, basis=Polynomial(m), intercept="prior") for m in (1, 3)
    ... )
    >>> found = expected_bayes_factor(line, cubic, sinusoid_10().X)
    >>> print(f"{found.mean:.7f}", found.misled)
    0.4545874 0.146 [0.141, 0.151]
    """
    check_integer("n", n, 1)
    p, q = (_prior_predictive(name, m, X) for name, m in (("truth", truth), ("rival", rival)))
    draws = p.sample(int(n), generator(random_state))
    wrong = float(np.sum(p.log_prob(draws) < q.log_prob(draws)))
    low, high = jeffreys(wrong, n, confidence)
    return ExpectedBayesFactor(
        float(kl(p, q)), Measured(wrong / n, (float(low), float(high)), confidence, "Jeffreys")
    )


def _prior_predictive(name: str, model: Any, X: Any) -> MultivariateNormal:
    """N(Φ m₀, Φ S₀ Φᵀ/α + I/β): the evidence as a density of the targets."""
    try:
        alpha, beta = float(model.prior_precision), float(model.noise_precision)
        proper = not model.standardize and (model.intercept == "prior" or not model.fit_intercept)
    except (AttributeError, TypeError, ValueError):
        raise Unsupported(
            f"{name} must be a BayesianLinearRegression with numbers for prior_precision and noise_precision."
        ) from None
    if not proper:
        raise Unsupported(f"{name} needs intercept='prior' or fit_intercept=False, and standardize=False.")
    phi = _design(model, as_table(X))
    size = phi.shape[1]
    mean = np.zeros(size) if model.prior_mean is None else np.asarray(model.prior_mean, dtype=float)
    cov = np.eye(size) if model.prior_cov is None else np.asarray(model.prior_cov, dtype=float)
    if mean.shape != (size,) or cov.shape != (size, size):
        raise InvalidInput(f"{name} has {size} weights; its prior has shapes {mean.shape} and {cov.shape}.")
    L = phi @ cholesky(cov, "prior_cov") / np.sqrt(alpha)
    return MultivariateNormal(phi @ mean, L @ L.T + np.eye(len(phi)) / beta)


def _design(model: Any, X: np.ndarray) -> np.ndarray:
    phi = X if model.basis is None else model.basis.resolve(X)(X)
    return np.hstack([np.ones((len(X), 1)), phi]) if model.fit_intercept else phi
