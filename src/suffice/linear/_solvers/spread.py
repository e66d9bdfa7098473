r"""How uncertain a linear function is, by a root of its covariance; of many columns and few rows without p × p numbers.

In coordinates v of the span of r rows (`RowSpace`, w = Q v) the posterior of the parameters w with a prior N(0, I/α) is

    cov w = Q S Sᵀ Qᵀ + (I − QQᵀ)/α,      S (r, r) the root of the posterior of v

since the rows say nothing of what lies outside their span. A function z ↦ value + zᵀ slope varies at a row b, in units
of these parameters, by ‖b Q S‖² + ‖b (I − QQᵀ)‖²/α, and by the variance of a flat intercept, which is apart from it.
"""

from __future__ import annotations

import numpy as np

from suffice._core.errors import HeaderMismatch
from suffice._core.records import record
from suffice.statistics import AffineFunction
from suffice.statistics.lstsq import RowSpace


@record
class Spread:
    """Roots (k, q, m) of the covariances of parameters with a prior, and the deviations (k,) of a flat intercept.

    `counted`: the first parameter is the value at the center. With `span`, roots are in its coordinates, and `rest`
    (k,) are the deviations outside of it.
    """

    roots: np.ndarray
    flat: np.ndarray
    counted: bool
    span: RowSpace | None = None
    rest: np.ndarray | None = None

    def rows(self, z: np.ndarray) -> np.ndarray:
        """(k, N, ·): rows whose squared lengths are the variances of the function at deviations z from its center."""
        self._check(z.shape[1])
        a = np.hstack([np.ones((len(z), 1)), z]) if self.counted else z
        flat = np.broadcast_to(self.flat[:, None, None], (len(self.flat), len(z), 1))
        if self.span is None:
            return np.concatenate([flat, a @ self.roots], axis=2)
        b, rest = self.span.rows(a), self._rest[:, None, None]
        return np.concatenate(
            [flat, b @ self.span.directions @ self.roots, rest * self.span.outside(b)], axis=2
        )

    def draws(
        self, f: AffineFunction, n: int, rng: np.random.Generator, scale: np.ndarray | None = None
    ) -> np.ndarray:
        """(n, k, 1 + d) values at the center and slopes; `scale` (n, k) is what deviations are divided by."""
        self._check(len(f.slope))
        k, _, m = self.roots.shape
        off = np.zeros((n, len(f.value), 1 + len(f.slope)))
        first = int(not self.counted)  # what is drawn first is the flat intercept
        eps = rng.standard_normal((n, len(f.value), first + m))
        v = (self.roots @ eps[..., first:, None])[..., 0]  # (n, k, m)
        if self.span is None:
            off[..., first:] = v
        else:
            w = v @ self.span.directions.T
            w += self._rest[:, None] * self.span.outside(rng.standard_normal(w.shape))
            off[..., 1:] = w[..., -len(f.slope) :] / (1.0 if self.span.scale is None else self.span.scale)
            off[..., 0] = 0.0 if self.span.at_center is None else v @ self.span.at_center
        if not self.counted:
            off[..., 0] = np.broadcast_to(self.flat, (k,)) * eps[..., 0]
        off = off if scale is None else off / scale[..., None]
        return np.vstack([f.value, f.slope]).T + off

    def raw(self, f: AffineFunction) -> tuple[np.ndarray, np.ndarray]:
        """Means (k, 1 + d) and covariances (k, 1 + d, 1 + d) of (intercept, weights) on the raw columns."""
        self._check(len(f.slope))
        mean = f.raw_of(np.vstack([f.value, f.slope])).astype(float).T
        if self.span is not None:
            return mean, np.stack([self._raw_of_span(f, j) for j in range(len(self.roots))])
        k, _, m = self.roots.shape
        roots = np.zeros((k, 1 + len(f.slope), 1 + m), dtype=np.longdouble)
        roots[:, 0, 0], roots[:, int(not self.counted) :, 1:] = self.flat, self.roots
        F = np.stack([f.raw_of(root) for root in roots]).astype(float)
        return mean, F @ np.swapaxes(F, -1, -2)

    def _check(self, d: int) -> None:
        """Raise for roots of other parameters, as where `intercept` was changed after the fit."""
        known = len(self.span.directions) if self.span is not None else self.roots.shape[1]
        inside = self.roots.shape[1] if self.span is None else self.span.directions.shape[1]
        if known != d + self.counted or inside != self.roots.shape[1]:
            raise HeaderMismatch(
                f"The covariance is that of {known} parameters, not of {d + self.counted}; fit again."
            )

    @property
    def _rest(self) -> np.ndarray:
        return np.zeros(len(self.roots)) if self.rest is None else self.rest

    def _raw_of_span(self, f: AffineFunction, j: int) -> np.ndarray:
        """C, from C_w Mᵀ for the intercept's row of M and a diagonal for the weights."""
        span, d = self.span, len(f.slope)
        assert span is not None
        Q, S, left = span.directions, self.roots[j], self._rest[j] ** 2
        unit = np.ones(d) if span.scale is None else 1 / span.scale
        intercept = -f.center * unit  # of the weights, whose parameters come last
        if span.at_center is not None:
            intercept = np.append(1.0, intercept if span.center is None else np.zeros(d))
        near, away = (intercept @ Q) @ S, span.outside(intercept[None])[0]
        out = np.empty((1 + d, 1 + d))
        out[0, 0] = near @ near + left * (away @ away) + self.flat[j] ** 2
        out[0, 1:] = out[1:, 0] = unit * (Q @ (S @ near) + left * away)[-d:]
        slopes = Q[-d:] @ S
        out[1:, 1:] = slopes @ slopes.T - left * (Q[-d:] @ Q[-d:].T)
        np.fill_diagonal(out[1:, 1:], np.diagonal(out)[1:] + left)
        out[1:, 1:] *= unit[:, None] * unit
        return out
