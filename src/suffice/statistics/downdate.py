"""Rows taken out of a triangle, as long as enough is left to determine every direction."""

from __future__ import annotations

import numpy as np

from suffice._core.errors import IllConditioned, NumericalError, warn
from suffice._core.linalg import EPS, eigh, qr_factor, qr_trapezoid, svd

REFUSE, WORRY = 1e-10, 1e-6
DIGITS = 1e-12  # of targets of length one, for well-determined columns
HALF = 1e-8  # of squared residuals: what is left is known to half of its digits


def downdate(R: np.ndarray, B: np.ndarray, d: int) -> np.ndarray:
    r"""R′ with R′ᵀR′ = RᵀR − BᵀB, the first `d` columns being [1 Φ] and the rest targets.

    With unit-scaled columns and R rotated to [S Vᵀ, G; 0, H], the rows of B are P times R, and
    R′ = Lᵀ R for the Cholesky factor L of I − PPᵀ. The smallest eigenvalue of its [1 Φ] block says
    how much of the least determined direction is left. The block of the targets is clipped at zero where rounding
    alone took it below; rows with larger residuals than all rows together have cannot have been among them. A column
    that did not vary does not vary among the rows that are left, to the last digit.
    """
    still = ~R[1:].any(axis=0)
    scale = np.linalg.norm(R, axis=0)
    scale[scale == 0] = 1.0
    R, B = R / scale, B / scale
    U, s, Vt = svd(R[:d, :d])
    keep = s > 40 * EPS * s[0]
    SV, G = s[keep, None] * Vt[keep], U[:, keep].T @ R[:d, d:]
    H = qr_factor(np.asfortranarray(np.vstack([U[:, ~keep].T @ R[:d, d:], R[d:, d:]])))
    Px = (Vt[keep] @ B[:, :d].T) / s[keep, None]  # (r, rows)
    outside = float(np.linalg.norm(B[:, :d].T - Vt[keep].T @ (s[keep, None] * Px)))
    values, Q = eigh(np.eye(len(Px)) - Px @ Px.T)
    _check_remainder(float(values[0]), outside)
    L = Q * np.sqrt(values)  # L Lᵀ = I − Px Pxᵀ
    residual = B[:, d:].T - G.T @ Px
    Py = _divide(H, residual)  # (k, rows)
    L21 = -(Py @ Px.T) @ (Q / np.sqrt(values))
    left, W = eigh(np.eye(len(Py)) - Py @ Py.T - L21 @ L21.T)
    missing = np.sqrt(np.maximum(-left, 0.0))[:, None] * (W.T @ H), residual - H.T @ Py
    _check_targets(missing, H, DIGITS / (s[keep].min(initial=1.0) * values[0]))
    rest = (W * np.sqrt(np.maximum(left, 0.0))).T @ H
    _warn_of_small_rest(rest, H)
    upper = np.hstack([L.T @ SV, L.T @ G + L21.T @ H])
    lower = np.hstack([np.zeros((len(rest), d)), rest])
    out = qr_trapezoid(upper, lower) * scale
    out[1:, still] = 0.0
    return out


def _check_targets(missing: tuple[np.ndarray, np.ndarray], H: np.ndarray, rounding: float) -> None:
    """Raise where the residuals of the targets, of length up to one, do not hold those of the rows.

    `missing` is what is below zero, and what lies where all rows leave nothing. A length h that is off by `rounding`
    has a square that is off by 2 h times that.
    """
    below, outside = (float(np.linalg.norm(part)) for part in missing)
    h = float(np.linalg.norm(H))
    if below**2 > rounding * (2 * h + rounding) or outside > rounding:
        raise NumericalError(
            "These rows cannot be taken out: their targets are further from the fit than those of all rows together. "
            "Were these targets ever in?"
        )


def _warn_of_small_rest(rest: np.ndarray, H: np.ndarray) -> None:
    """Say so where the rows carried nearly all of the squared residuals of a target that is not fitted exactly."""
    whole, after = (np.sum(part**2, axis=0) for part in (H, rest))
    share = np.divide(after, whole, out=np.ones(len(whole)), where=whole > DIGITS**2)
    if (worst := float(share.min(initial=1.0))) < HALF:
        warn(
            f"Taking these rows out leaves a share of {worst:.2g} of the squared residuals of the targets, so digits "
            "of variances and of the evidence are lost. Fit the remaining rows anew if you can.",
            IllConditioned,
        )


def _divide(H: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """H⁻ᵀ rows, with zero where the targets leave nothing to divide by."""
    out = np.zeros_like(rows)
    U, s, Vt = svd(H)
    keep = s > 40 * EPS
    out[:] = U[:, keep] @ ((Vt[keep] @ rows) / s[keep, None])
    return out


def _check_remainder(smallest: float, outside: float) -> None:
    if outside > 1e-6 or smallest < REFUSE:
        raise NumericalError(
            "These rows cannot be taken out: what remains would be undetermined (smallest eigenvalue "
            f"{smallest:.2g}, needed {REFUSE:g}). Fit the remaining rows anew; were these ever in?"
        )
    if smallest < WORRY:
        warn(
            f"Taking these rows out leaves little behind (smallest eigenvalue {smallest:.2g}), "
            "so digits are lost. Fit the remaining rows anew if you can.",
            IllConditioned,
        )
