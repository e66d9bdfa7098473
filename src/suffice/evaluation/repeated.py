r"""The same experiment many times: do weights vary as theory says? (FCML §2.9–2.10, Figs 2.12–2.14 and 2.19)

Theory       E{ŵ} = w,   cov{ŵ} = σ² (ΦᵀΦ)⁻¹                                (FCML 2.41, 2.45)
             E{σ̂²} = σ² (1 − D/N),  D weights, the constant among them      (FCML 2.53)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported, check_number
from suffice._core.frames import to_frame
from suffice._core.random import streams
from suffice._core.records import record
from suffice.linear import LinearRegression
from suffice.linear.linear_regression import raw_root

BATCH = 500  # data sets with the same inputs that are fitted at once, as so many targets


@record
class RepeatedExperiment:
    """Weights of every repetition, and what theory says of their mean, their covariance and the noise variance.

    `weights` and `noise_variance_ml` have a row per data set; the intercept comes first. The `theory_` fields are
    averages over the inputs of the data sets.
    """

    term: tuple[str, ...]
    weights: np.ndarray
    noise_variance_ml: np.ndarray
    theory_covariance: np.ndarray
    theory_noise_variance: float
    true_noise_variance: float

    @property
    def n(self) -> int:
        """Data sets."""
        return len(self.weights)

    @property
    def mean(self) -> np.ndarray:
        """Of the weights over the data sets."""
        return self.weights.mean(axis=0)

    @property
    def covariance(self) -> np.ndarray:
        """Of the weights over the data sets, divisor n (FCML's μ̂ and its covariance)."""
        away = self.weights - self.mean
        return away.T @ away / self.n

    @property
    def std_error(self) -> np.ndarray:
        """Monte Carlo error of `mean`, by theory."""
        return np.sqrt(np.diagonal(self.theory_covariance) / self.n)

    def frame(self, kind: str = "pandas") -> Any:
        """One row per weight: mean and spread over the data sets, and the spread of theory."""
        spread, theory = (np.sqrt(np.diagonal(c)) for c in (self.covariance, self.theory_covariance))
        columns = {"term": list(self.term), "mean": self.mean, "std": spread, "theory_std": theory}
        return to_frame(columns, kind)

    def __repr__(self) -> str:
        rows = zip(
            self.term, self.mean, self.covariance.diagonal(), self.theory_covariance.diagonal(), strict=True
        )
        lines = [f"{name}: {m:.4g} ± {np.sqrt(v):.4g}, theory ± {np.sqrt(t):.4g}" for name, m, v, t in rows]
        noise = f"σ̂²: {self.noise_variance_ml.mean():.4g}, theory {self.theory_noise_variance:.4g}"
        return "\n".join([f"{self.n} experiments", *lines, f"{noise} of {self.true_noise_variance:.4g}"])

    def _repr_html_(self) -> str:
        return f"<pre>{self!r}</pre>"


def repeated_experiment(
    simulate: Callable[[np.random.Generator], tuple[Any, Any]],
    model: LinearRegression,
    n: int = 1000,
    *,
    noise_variance: float,
    random_state: Any = None,
) -> RepeatedExperiment:
    """Simulate many data sets, fit each, and hold the spread of the weights against theory.

    Parameters
    ----------
    simulate
        From a random generator to (X, y), one target. Data sets with the same X are fitted together.
    model
        A `LinearRegression`: theory is about least squares.
    n
        Data sets.
    noise_variance
        σ² of the simulation.
    random_state
        Seed; every data set has a stream of its own.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.evaluation import repeated_experiment
    >>> from suffice.linear import LinearRegression
    >>> x = np.linspace(0, 1, 20)
    >>> def line(rng):
    ...     return x[:, None], -2 + 3 * x + 0.5 * rng.standard_normal(20)
    >>> repeated_experiment(line, LinearRegression(), 2000, noise_variance=0.25, random_state=0)
    2000 experiments
    intercept: -2.003 ± 0.2147, theory ± 0.2155
    x0: 3.003 ± 0.3669, theory ± 0.3684
    σ̂²: 0.2251, theory 0.225 of 0.25
    """
    if not isinstance(model, LinearRegression):
        raise Unsupported(f"The theory is of LinearRegression; got {type(model).__name__}.")
    count = int(check_number("n", n, low=2))
    if count != n:
        raise InvalidParameter(f"n must be a whole number >= 2; got {n!r}.")
    variance = check_number("noise_variance", noise_variance, low=0, strict=True)
    sets = [_draw_set(simulate, rng, i) for i, rng in enumerate(streams(random_state, count))]
    weights, noise, inverses, left = [], [], [], []
    for X, Y in _group_equal_inputs(sets):
        fit = clone(model).fit(X, Y)
        weights.append(_weights(fit))
        noise.append(np.atleast_1d(fit.noise_variance_ml_))
        inverse = _inverse(fit)
        inverses.append(inverse * Y.shape[1])
        left.append((fit.dof_ / len(X)) * Y.shape[1])
    names = (*(("intercept",) if model.fit_intercept else ()), *fit.statistics_.header.column_names)
    return RepeatedExperiment(
        names,
        np.vstack(weights),
        np.concatenate(noise),
        variance * sum(inverses) / count,
        float(variance * sum(left) / count),
        variance,
    )


def _draw_set(simulate: Callable, rng: np.random.Generator, i: int) -> tuple[Any, np.ndarray]:
    try:
        X, y = simulate(rng)
    except (TypeError, ValueError) as error:
        raise InvalidInput(
            f"simulate must return (X, y) from a generator; data set {i} failed: {error}"
        ) from error
    y = np.asarray(y, dtype=float)
    if y.ndim != 1:
        raise InvalidInput(f"simulate must return one target per row; data set {i} has shape {y.shape}.")
    return X, y


def _group_equal_inputs(sets: list[tuple[Any, np.ndarray]]):
    """Runs of data sets with equal inputs, as one table with as many targets."""
    start = 0
    while start < len(sets):
        X, stop = sets[start][0], start + 1
        while stop < min(len(sets), start + BATCH) and _equal(X, sets[stop][0]):
            stop += 1
        yield X, np.column_stack([y for _, y in sets[start:stop]])
        start = stop


def _equal(a: Any, b: Any) -> bool:
    return a is b or np.array_equal(np.asarray(a), np.asarray(b))


def _weights(fit: LinearRegression) -> np.ndarray:
    """A row per target, the intercept first."""
    return np.column_stack([fit.intercept_, fit.coef_]) if fit.fit_intercept else fit.coef_


def _inverse(fit: LinearRegression) -> np.ndarray:
    """(ΦᵀΦ)⁻¹ over (intercept, weights)."""
    root = raw_root(fit.function_, fit.solution_, fit.statistics_.n)[0 if fit.fit_intercept else 1 :]
    return root @ root.T
