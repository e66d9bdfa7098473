r"""One of C classes with the softmax link (PRML eq. 4.104, DTU eqs 15.16–15.18, 5.31).

    P(y = k | a) = e^{a_k} / Σ_c e^{a_c},   g_k = [y = k] − P_k,   v = diag(P) − P Pᵀ

Full: one function per class, which leaves a common constant free. Reduced: the last class has a = 0, so C − 1 functions
say it all; for two classes that is the logistic model of the first.
"""

from __future__ import annotations

from typing import Any, final

import numpy as np
from scipy.special import log_softmax
from scipy.special import softmax as _softmax

from suffice._core.errors import check_flags, check_integer
from suffice._core.records import record
from suffice.distributions import Categorical
from suffice.likelihoods._base import KnownVariance, as_targets, refuse, twice_below_saturated


@final
@record(repr=True)
class Softmax(KnownVariance):
    """Classes 0 … C − 1.

    Parameters
    ----------
    n_classes
        C, at least 2.
    reduced
        C − 1 functions, relative to the last class, in place of C.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.likelihoods import Softmax
    >>> Softmax(3, reduced=True).mean(np.array([[0.0, np.log(2.0)]]))
    array([[0.25, 0.5 , 0.25]])
    """

    n_classes: int
    reduced: bool = False

    def __post_init__(self) -> None:
        check_flags(self, "reduced")
        k = self.n_classes
        check_integer("n_classes", k, 2)

    @property
    def n_functions(self) -> int:
        """Columns of a."""
        return self.n_classes - 1 if self.reduced else self.n_classes

    @property
    def several(self) -> bool:
        return True

    def _all(self, a: np.ndarray) -> np.ndarray:
        """One column per class, each in one piece: sums over classes are then sums of columns."""
        if not self.reduced:
            return np.asarray(a)
        out = np.zeros((len(a), self.n_classes), order="F")
        out[:, :-1] = a
        return out

    def log_prob(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.log_mean(a)[np.arange(len(y)), y]

    def gradient(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        out = -self.mean(a)
        out[np.arange(len(y)), y] += 1.0
        return out[:, : self.n_functions]

    def curvature(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return self.expected_curvature(a)

    def expected_curvature(self, a: np.ndarray) -> np.ndarray:
        return self._curvature(self.mean(a))

    def _curvature(self, p: np.ndarray) -> np.ndarray:
        """diag(P) − P Pᵀ, of the functions."""
        p = p[:, : self.n_functions]
        out = -p[:, :, None] * p[:, None, :]
        diagonal = np.arange(self.n_functions)
        out[:, diagonal, diagonal] += p
        return out

    def terms(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All three from one softmax."""
        log_prob, g, p = self.slopes_and_shares(y, a)
        return log_prob, g, self._curvature(p)

    def bends(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.terms(y, a)[1:]

    def slopes(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.slopes_and_shares(y, a)[:2]

    def slopes_and_shares(self, y: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """log p, the gradient, and P (N, C), without the curvature."""
        p, rows = self._all(a), np.arange(len(y))
        p = p - p.max(axis=1, keepdims=True)
        picked = p[rows, y]
        np.exp(p, out=p)
        total = p.sum(axis=1)
        p /= total[:, None]
        g = np.negative(p)
        g[rows, y] += 1.0
        return picked - np.log(total), g[:, : self.n_functions], p

    def log_mean(self, a: np.ndarray) -> np.ndarray:
        """log P(y = k | a): (N, C)."""
        return log_softmax(self._all(a), axis=1)

    def link(self, mean: Any) -> np.ndarray:
        """From probabilities (…, C): logarithms, of which those of the full form have mean zero."""
        with np.errstate(divide="ignore"):
            logs = np.log(np.asarray(mean, dtype=float))
        return logs[..., :-1] - logs[..., -1:] if self.reduced else logs - logs.mean(axis=-1, keepdims=True)

    def mean(self, a: np.ndarray) -> np.ndarray:
        """P(y = k | a): (N, C)."""
        return _softmax(self._all(a), axis=1)

    def distribution(self, a: np.ndarray) -> Categorical:
        logs = self.log_mean(a)
        return Categorical(np.exp(logs), None, logs)

    def saturated(self, y: np.ndarray) -> np.ndarray:
        return np.zeros(len(y))

    def deviance(self, y: np.ndarray, a: np.ndarray) -> np.ndarray:
        return twice_below_saturated(self, y, a)

    def check(self, y: Any) -> np.ndarray:
        values = as_targets(y)
        bad = (values < 0) | (values >= self.n_classes) | (values != np.floor(values))
        refuse("Softmax", values, bad, f"classes 0 … {self.n_classes - 1}", "Code the classes so.")
        return values.astype(np.intp)
