"""Noise, bias² and variance by simulation: many training sets, a fit to each (PRML Figs 3.5–3.6, DTU Fig. 14.6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from joblib import Parallel
from sklearn.base import clone, is_classifier

from suffice._core.errors import InvalidParameter, Unsupported
from suffice._core.frames import to_frame
from suffice._core.losses import resolve_loss
from suffice._core.records import record, short
from suffice._core.showing import Shown
from suffice.evaluation._curves.decomposition import BiasVariance
from suffice.evaluation._curves.simulated import Rng, SimulatedSets, draw_sample
from suffice.evaluation._levels.routing import under_config
from suffice.evaluation.protocols import FromStatistics, SolvesPath


def _per_value(name: str, meaning: str) -> property:
    """A part of the error, an entry for every value."""
    return property(lambda self: np.array([getattr(p, name) for p in self.parts]), doc=meaning)


@record
class TradeOff(Shown):
    """Bias² against variance as a parameter varies; `parts` holds a `BiasVariance` for every value."""

    param: str
    values: tuple[Any, ...]
    parts: tuple[BiasVariance, ...]

    bias2 = _per_value("bias2", "Per value.")
    variance = _per_value("variance", "Per value.")
    error = _per_value("error", "Expected squared error on new observations, per value.")
    test_error = _per_value("test_error", "Squared error on the targets of the test points, per value.")

    @property
    def best(self) -> Any:
        """The value with the smallest error; the noise is the same for all."""
        return self.values[self._best_index]

    @property
    def _best_index(self) -> int:
        known = np.isfinite(self.error).all()
        return int(np.argmin(self.error if known else self.bias2 + self.variance))

    def frame(self, kind: str = "pandas") -> Any:
        """One row per value."""
        columns = {self.param: list(self.values), "bias2": self.bias2, "variance": self.variance}
        return to_frame(columns | {"error": self.error, "test_error": self.test_error}, kind)

    def __str__(self) -> str:
        return f"smallest error at {self.param}={short(self.best)}: {self.parts[self._best_index]}"


def bias_variance(
    model: Any,
    simulate: Callable[[Rng], tuple[Any, Any]],
    truth: Callable[[Any], Any] | None = None,
    *,
    n_sets: int = 100,
    test: Any = 1000,
    noise: float | None = None,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> BiasVariance:
    """Noise, bias² and variance of a model, by fitting it to many simulated training sets.

    With the same `random_state`, models are compared on the same training sets and the same points.

    Parameters
    ----------
    simulate
        Makes a training set (X, y) from a numpy random Generator.
    truth
        The true mean of y at the rows of X. Without it bias and noise cannot be told apart.
    n_sets
        How many training sets.
    test
        The points to average over: how many rows to simulate, or a pair (X, y), or a table X alone (then there
        is no test error, and `noise` is what you say it is).
    noise
        The variance of the noise, where known; otherwise measured on the test rows.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.bases import Polynomial
    >>> from suffice.evaluation import bias_variance
    >>> from suffice.linear import LinearRegression
    >>> def simulate(rng):
    ...     x = rng.uniform(-1, 1, (20, 1))
    ...     return x, np.exp(x[:, 0]) + 0.3 * rng.standard_normal(20)
    >>> def truth(X):
    ...     return np.exp(X[:, 0])
    >>> for order in (0, 2, 5):
    ...     model = LinearRegression(basis=Polynomial(order))
    ...     print(bias_variance(model, simulate, truth, noise=0.09, random_state=0))
    error 0.562 = noise 0.09 + bias² 0.4449 + variance 0.02713 (100 training sets, 1000 points)
    error 0.1075 = noise 0.09 + bias² 0.0008661 + variance 0.01666 (100 training sets, 1000 points)
    error 0.5919 = noise 0.09 + bias² 0.003944 + variance 0.4979 (100 training sets, 1000 points)
    """
    check_regressor(model)
    sample = draw_sample(simulate, truth, n_sets, test, noise, random_state)
    fits = Parallel(n_jobs=n_jobs)(under_config(_predictions)(model, *pair, sample.X) for pair in sample.sets)
    return _split_error(sample, np.array(fits))


def bias_variance_path(
    model: Any,
    simulate: Callable[[Rng], tuple[Any, Any]],
    truth: Callable[[Any], Any] | None = None,
    param: str = "alpha",
    values: Sequence[Any] = (),
    *,
    n_sets: int = 100,
    test: Any = 1000,
    noise: float | None = None,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> TradeOff:
    """Bias² and variance as one parameter varies, all values on the same training sets (PRML Fig. 3.6).

    The arguments are those of `bias_variance` and `validate_path`. Penalties of a model that has paths come
    from one decomposition per training set.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.bases import GaussianBasis
    >>> from suffice.datasets import sinusoid
    >>> from suffice.evaluation import bias_variance_path
    >>> from suffice.linear import Ridge
    >>> def simulate(rng):
    ...     data = sinusoid(25, noise_std=0.3, random_state=rng)
    ...     return data.X, data.y
    >>> def truth(X):
    ...     return np.sin(2 * np.pi * X[:, 0])
    >>> model = Ridge(basis=GaussianBasis(np.linspace(0, 1, 24), 0.1))
    >>> trade = bias_variance_path(model, simulate, truth, "alpha", [0.01, 0.1, 1, 10], random_state=0)
    >>> trade.best, bool(np.all(np.diff(trade.variance) < 0))
    (1, True)
    """
    if isinstance(values, str) or np.ndim(values) == 0 or len(values) == 0:
        raise InvalidParameter(f"values must be a sequence of values of {param!r} to try; got {values!r}.")
    check_regressor(model)
    values = tuple(values)
    sample = draw_sample(simulate, truth, n_sets, test, noise, random_state)
    work = under_config(_path_predictions)
    fits = Parallel(n_jobs=n_jobs)(work(model, param, values, *pair, sample.X) for pair in sample.sets)
    parts = np.array(fits).swapaxes(0, 1)  # (values, sets, points)
    return TradeOff(param, values, tuple(_split_error(sample, part) for part in parts))


def _predictions(model: Any, X: Any, y: np.ndarray, at: Any) -> np.ndarray:
    """What a copy of the model, fitted to (X, y), says at some points."""
    return np.asarray(clone(model).fit(X, y).predict(at), dtype=float)


def _split_error(sample: SimulatedSets, fits: np.ndarray) -> BiasVariance:
    """The parts of the error of fits to the sets of a sample."""
    return BiasVariance(sample.X, fits, sample.targets, sample.truth, sample.noise)


def check_regressor(model: Any) -> None:
    """The decomposition is one of squared error."""
    resolve_loss("squared", model)
    if is_classifier(model):
        raise Unsupported(
            f"Squared error has these parts; {type(model).__name__} predicts classes. Use a regressor."
        )


def _path_predictions(model: Any, param: str, values: tuple, X: Any, y: np.ndarray, at: Any) -> np.ndarray:
    """(values, points): from one decomposition where the model has paths for this parameter."""
    if isinstance(model, FromStatistics) and isinstance(model, SolvesPath) and param in model.path_parameters:
        (path,) = model.solve_paths([model.collect(X, y)], param, values)
        return path.predict(np.asarray(at, dtype=float))
    return np.array([_predictions(clone(model).set_params(**{param: v}), X, y, at) for v in values])
