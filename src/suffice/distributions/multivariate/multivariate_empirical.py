r"""Points in space with weights: a sample of vectors, or a density on a grid.

Probability  P(X = x) = Σ w over the points equal to x, over Σ w
Moments      E X = Σ w x / Σ w,  Cov X = Σ w (x − E X)(x − E X)ᵀ / Σ w
Fit          the sample itself
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from scipy.special import entr

from suffice._core.errors import InvalidParameter, Unsupported
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Multivariate, check_level
from suffice.distributions._checks import (
    assign,
    check_broadcast,
    check_total,
    common_shape,
    frozen,
    parameter,
    sample_shape,
    sample_values,
    weights,
)
from suffice.distributions._kinds import last_axis_of, root_of_variance
from suffice.distributions._numerics.counts import last_axis
from suffice.distributions._numerics.discrete import rung, sums
from suffice.distributions._numerics.gaussian import coordinates, linear_map
from suffice.distributions.univariate.empirical import Empirical


@final
@record
class MultivariateEmpirical(Multivariate):
    """Vectors, each as probable as its weight.

    Parameters
    ----------
    points
        One vector per row, (..., N, D). A single sample has equal rows merged, those of weight zero dropped, and is
        sorted.
    weight
        How often each was seen, once unless given.

    Examples
    --------
    >>> from suffice.distributions import MultivariateEmpirical
    >>> d = MultivariateEmpirical([[0.0, 1.0], [2.0, 3.0], [2.0, 3.0], [4.0, 5.0]])
    >>> print(d.mean, d.weight, d.marginal(0).quantile(0.9))
    [2. 3.] [1. 2. 1.] 4.0
    """

    points: Any
    weight: Any = None

    _event_ndim: ClassVar[dict[str, int]] = {"points": 2, "weight": 1}
    _discrete: ClassVar[bool] = True

    def __post_init__(self) -> None:
        points = parameter("points", self.points)
        if points.ndim < 2 or 0 in points.shape[-2:]:
            raise InvalidParameter(f"points must have shape (..., N, D), N and D >= 1; got {points.shape}.")
        n = points.shape[-2]
        weight = np.ones(n) if self.weight is None else parameter("weight", self.weight, low=0.0)
        if weight.shape[-1:] != (n,):
            raise InvalidParameter(
                f"weight must have one number per point; got {weight.shape} for {points.shape}."
            )
        batch = common_shape(points=points.shape[:-2], weight=weight.shape[:-1])
        weight = np.broadcast_to(weight, (*batch, n))
        points = np.broadcast_to(points, (*batch, *points.shape[-2:]))
        if np.any(weight.sum(axis=-1) <= 0):
            raise InvalidParameter("weight must have a positive sum; got zero.")
        if not batch:
            points, weight = _merged(points, weight)
        assign(self, points=frozen(points), weight=frozen(weight))

    dim = last_axis_of("points", "Number of coordinates, D.")

    @property
    def _share(self) -> np.ndarray:
        return self.weight / self.weight.sum(axis=-1, keepdims=True)

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """Σ w x / Σ w."""
        return (self._share[..., None, :] @ self.points)[..., 0, :]

    @property
    def cov(self) -> Any:
        """Σ w (x − mean)(x − mean)ᵀ / Σ w."""
        gaps = self.points - self.mean[..., None, :]
        return np.swapaxes(gaps * self._share[..., None], -1, -2) @ gaps

    @property
    def var(self) -> Any:
        """Variance of each coordinate."""
        return np.sum(self._share[..., None] * (self.points - self.mean[..., None, :]) ** 2, axis=-2)

    std = root_of_variance

    @property
    def mode(self) -> Any:
        """The point with the largest probability; the first of several."""
        return self._each(lambda p, w: p[np.argmax(w)])

    def entropy(self) -> Any:
        """−Σ π log π over the different points."""
        return self._each(lambda p, w: entr(w / w.sum()).sum())

    def _each(self, f: Any) -> Any:
        """f of points and weights without equals, for each of a batch."""
        flat = zip(
            self.points.reshape(-1, *self.points.shape[-2:]),
            self.weight.reshape(-1, self.weight.shape[-1]),
            strict=True,
        )
        values = np.array([f(*_merged(p, w)) for p, w in flat])
        return values.reshape((*self.batch_shape, *values.shape[1:]))[()]

    # -- probabilities -----------------------------------------------------------------------------

    def log_prob(self, x: Any) -> Any:
        """Log share of the points equal to x; −inf where there are none."""
        x = last_axis(x, self.dim, self.batch_shape)
        shape = check_broadcast(x.shape[:-1], self.batch_shape)
        x = np.broadcast_to(x, (*shape, self.dim))
        out = np.empty(shape)
        for at in np.ndindex(self.batch_shape):
            out[(..., *at)] = _log_share(self.points[at], self.weight[at], x[(..., *at, slice(None))])
        return out[()]

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """The central interval of each coordinate by itself: (low, high), both (..., D)."""
        tail = (1 - check_level(level)) / 2
        parts = [self.marginal(j) for j in range(self.dim)]
        return tuple(np.stack([p.quantile(q) for p in parts], axis=-1) for q in (tail, 1 - tail))  # type: ignore[return-value]

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` draws with replacement, shape (n, *batch, D)."""
        u = generator(rng).random(sample_shape(n, self.batch_shape))
        index = rung(sums(self._share)[0][..., 1:], u)
        if not self.batch_shape:
            return self.points[index]
        return np.take_along_axis(
            np.broadcast_to(self.points, (*u.shape, *self.points.shape[-2:])), index[..., None, None], axis=-2
        )[..., 0, :]

    # -- statistics and fitting ----------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> Any:
        """No summary is smaller than the sample."""
        raise Unsupported("Points have no sufficient statistics of fixed size; fit the sample itself.")

    @classmethod
    def fit(cls, x: Any, weight: Any = None) -> MultivariateEmpirical:
        """The sample; weight 2 counts a row twice."""
        x = sample_values(x, ndim=2)
        w = weights(weight, len(x))
        check_total(float(len(x) if w is None else w.sum()))
        return cls(x, w)

    @property
    def n_parameters(self) -> int:
        """One less than there are points."""
        return max(self.points.shape[-2] - 1, 1)

    # -- marginals and maps --------------------------------------------------------------------------

    def marginal(self, idx: Any) -> Empirical | MultivariateEmpirical:
        """Some coordinates: an integer gives an `Empirical`; a list, slice or mask points with fewer coordinates."""
        index = coordinates(idx, self.dim)
        if index.ndim == 0:
            return Empirical(self.points[..., index], self.weight)
        return MultivariateEmpirical(self.points[..., index], self.weight)

    def affine(self, A: Any, b: Any = 0.0) -> Empirical | MultivariateEmpirical:
        """The distribution of A x + b; a vector A projects onto one number and gives an `Empirical`."""
        A, b = linear_map(A, b, self.dim)
        moved = self.points @ A.T + b
        return Empirical(moved, self.weight) if A.ndim == 1 else MultivariateEmpirical(moved, self.weight)


def _merged(points: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sorted points without equals, and without those of weight zero."""
    found, index = np.unique(points[weight > 0], axis=0, return_inverse=True)
    return found, np.bincount(index.ravel(), weight[weight > 0], minlength=len(found))


def _log_share(points: np.ndarray, weight: np.ndarray, x: np.ndarray) -> np.ndarray:
    """log P of some vectors (..., D): all are numbered together with the points."""
    flat = x.reshape(-1, points.shape[1])
    gaps = np.isnan(flat).any(axis=1)
    flat = np.where(gaps[:, None], 0.0, flat)
    both, index = np.unique(np.concatenate([points, flat]), axis=0, return_inverse=True)
    index = index.ravel()
    share = np.bincount(index[: len(points)], weight, minlength=len(both)) / weight.sum()
    with np.errstate(divide="ignore"):
        out = np.log(share[index[len(points) :]])
    return np.where(gaps, np.nan, out).reshape(x.shape[:-1])
