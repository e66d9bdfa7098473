r"""How plausible each pair of weights is, with Newton's path to the top and Laplace's ellipse there (FCML §4.3–4.4).

Surface      log g(w) = Σ log p(y_n | x_n, w) + log p(w)                        (FCML 4.4)
Path         w ← w − s H⁻¹ ∇ log g,  s = 1, ½, ¼, … or always 1                 (FCML 4.6)
Laplace      log g(w) ≈ log g(ŵ) − ½ (w − ŵ)ᵀ S⁻¹ (w − ŵ),  S⁻¹ = −H(ŵ)         (FCML 4.12)

The other weights stay at their estimates: with more than two a surface is a slice, and so are its path and S.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from suffice._core.errors import InvalidParameter, Unsupported, as_numbers, check_number
from suffice._core.frames import to_frame
from suffice._core.linalg import cholesky, solve_triangle
from suffice._core.records import frozen_array, record
from suffice._estimator import check_is_fitted
from suffice.engine import one_blas_thread
from suffice.glm._shell.model import GeneralizedLinear
from suffice.glm._shell.posterior_slice import Slice


@record
class PosteriorSurface:
    """Log densities over two weights, a row per value of the second and a column per value of the first.

    `log_prior` is None for a model without one, and has the prior's constant where the model knows it. `peak` is the
    estimate, `height` the log posterior there, `cov` the covariance of Laplace's approximation, and `path` Newton's
    steps, the start first.
    """

    names: tuple[str, str]
    first: np.ndarray
    second: np.ndarray
    log_likelihood: np.ndarray
    log_prior: np.ndarray | None
    peak: tuple[float, float]
    height: float
    cov: np.ndarray
    path: np.ndarray

    @property
    def log_posterior(self) -> np.ndarray:
        """Log likelihood plus log prior; not normalized."""
        return self.log_likelihood if self.log_prior is None else self.log_likelihood + self.log_prior

    @property
    def log_laplace(self) -> np.ndarray:
        """The normal approximation of `log_posterior`, as high as it at the peak."""
        at = np.stack(np.meshgrid(self.first, self.second), axis=-1) - np.array(self.peak)
        L = cholesky(self.cov, "the covariance of Laplace's approximation")
        off = solve_triangle(L, at.reshape(-1, 2).T, lower=True)
        return self.height - 0.5 * np.sum(off**2, axis=0).reshape(at.shape[:2])

    def frame(self, kind: str = "pandas") -> Any:
        """One row per point of the grid."""
        a, b = np.meshgrid(self.first, self.second)
        parts = {"log_likelihood": self.log_likelihood, "log_prior": self.log_prior}
        parts |= {"log_posterior": self.log_posterior, "log_laplace": self.log_laplace}
        known = {name: value.ravel() for name, value in parts.items() if value is not None}
        return to_frame({self.names[0]: a.ravel(), self.names[1]: b.ravel()} | known, kind)

    def __repr__(self) -> str:
        size = f"{len(self.first)} × {len(self.second)}"
        a, b = self.peak
        names = f"{self.names[0]} and {self.names[1]}"
        return f"<PosteriorSurface: {size} values of {names} around ({a:.4g}, {b:.4g}), {len(self.path) - 1} steps>"


@one_blas_thread()
def posterior_surface(
    model: Any,
    X: Any,
    y: Any,
    weights: Sequence[int | str] = (0, 1),
    *,
    sample_weight: Any = None,
    offset: Any = None,
    first: Any = None,
    second: Any = None,
    span: float = 4.0,
    start: tuple[float, float] | None = None,
    control: Literal["line", "none"] = "line",
    max_iter: int = 100,
    points: int = 101,
) -> PosteriorSurface:
    """Likelihood, prior and posterior of a fitted model over two of its weights, on the rows given.

    Parameters
    ----------
    model
        A fitted model of this room with one function: two classes, counts or numbers.
    X, y, sample_weight, offset
        As given to `fit`. The likelihood is that of the model as it is: an estimated dispersion is not in it.
    weights
        Which two: "intercept" or names of columns, or numbers, of which 0 is the intercept where there is one.
    first, second
        Pairs (low, high) of ends; `span` standard deviations around the estimate unless given.
    start
        Where Newton's path begins, in these two weights: (0, 0), or the estimate where that is impossible.
    control
        "line" halves a step until it raises the posterior; "none" takes it whole, as the text does, and may run away.
    max_iter
        Steps at which a path that has not arrived ends.
    points
        Values between two ends; the surface costs points² × rows.

    Examples
    --------
    >>> from suffice.glm import LogisticRegression, posterior_surface
    >>> x, t = [[-2.0], [-1.0], [-0.5], [0.5], [1.0], [2.5]], [0, 0, 1, 0, 1, 1]
    >>> model = LogisticRegression.book(0.5, "lecture3").fit(x, t)
    >>> surface = posterior_surface(model, x, t)
    >>> print(surface)
    <PosteriorSurface: 101 × 101 values of intercept and x0 around (-0.02903, 0.9191), 4 steps>
    >>> print(surface.path[:3].round(4).tolist(), surface.cov.round(4).tolist())
    [[0.0, 0.0], [-0.0467, 0.7473], [-0.0311, 0.9055]] [[0.6318, 0.004], [0.004, 0.4948]]
    """
    names, estimate = _terms(model)
    pair = list(_pair(weights, names))
    check_number("span", span, low=0.0, strict=True)
    along = Slice(model, X, y, sample_weight, offset, pair)
    peak, cov = estimate[pair], along.cov()
    reach = span * np.sqrt(np.diagonal(cov))
    a = _values("first", first, peak[0], reach[0], points)
    b = _values("second", second, peak[1], reach[1], points)
    likelihood, prior = along.on_grid(a - peak[0], b - peak[1])
    return PosteriorSurface(
        (names[pair[0]], names[pair[1]]),
        frozen_array(a),
        frozen_array(b),
        frozen_array(likelihood),
        None if prior is None else frozen_array(prior),
        (float(peak[0]), float(peak[1])),
        along.value(np.zeros(2)),
        frozen_array(cov),
        frozen_array(along.path(start, peak, control, max_iter) + peak),
    )


# -- what is drawn over what ----------------------------------------------------------------------------
def _terms(model: Any) -> tuple[tuple[str, ...], np.ndarray]:
    """Names and estimates of all weights, the intercept first."""
    if not isinstance(model, GeneralizedLinear):
        raise Unsupported(
            f"posterior_surface needs a fitted model of suffice.glm; got {type(model).__name__}. For linear "
            "regression there is suffice.linear.weight_surface."
        )
    check_is_fitted(model)
    if model.likelihood_.several:
        raise Unsupported(
            f"{type(model).__name__} has a function per class; a surface is over two weights of one function. "
            "Fit two classes at a time."
        )
    return model._terms()[:2]


def _pair(weights: Any, names: tuple[str, ...]) -> tuple[int, int]:
    places = {name: k for k, name in enumerate(names)} | {k: k for k in range(len(names))}
    listed = [] if isinstance(weights, str) or not isinstance(weights, Sequence) else list(weights)
    found = [places.get(w) for w in listed if not isinstance(w, bool)]
    if len(found) != 2 or None in found or found[0] == found[1]:
        raise InvalidParameter(
            f"weights must be two of {list(names)}, or their numbers below {len(names)}; got {weights!r}."
        )
    return found[0], found[1]  # type: ignore[return-value]


def _values(name: str, given: Any, at: float, reach: float, points: int) -> np.ndarray:
    ends = as_numbers(name, (at - reach, at + reach) if given is None else given)
    if ends.shape != (2,) or not np.isfinite(ends).all() or ends[0] >= ends[1]:
        raise InvalidParameter(f"{name} must be a pair (low, high) of finite numbers; got {given!r:.80}.")
    return np.linspace(ends[0], ends[1], int(check_number("points", points, low=2)))


__all__ = ["PosteriorSurface", "posterior_surface"]
