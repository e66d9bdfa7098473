r"""log x! beyond its leading terms, for distributions of vectors and matrices with large shapes and counts.

E(x) = log Γ(x + 1) − x log x + x,  E(0) = 0,  joins the deviance D of `special`. For instance

Multinomial  log P(x | n, p) = −Σ D(x_k, n p_k) + E(n) − Σ E(x_k)
Dirichlet    log p(x | α)    = −Σ D(α_k, α₀ x_k) + H(α₀) − Σ (H(α_k) + log x_k),  H(a) = E(a) − log a
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaln, xlogy

from suffice._core.numerics import LOG_2PI
from suffice.distributions._numerics.special import digamma_gap, stirling

_LARGE = 10.0  # from here Stirling's series has all its digits


def excess(x: Any) -> Any:
    """E(x) = log x! − (x log x − x) for x ≥ 0: ½ log 2πx + δ(x)."""
    large, small = np.maximum(x, _LARGE), np.minimum(x, _LARGE)
    direct = gammaln(small + 1) - xlogy(small, small) + small
    return np.where(np.asarray(x) >= _LARGE, 0.5 * (LOG_2PI + np.log(large)) + stirling(large), direct)[()]


def log_gamma_excess(a: Any) -> Any:
    """H(a) = log Γ(a) − (a log a − a) for a > 0."""
    return excess(a) - np.log(a)


def gamma_remainder(b: Any, a: Any) -> Any:
    """log Γ(b) − log Γ(a) − (b − a) ψ(a) less D(b, a): what the divergences of gamma families add to it."""
    return log_gamma_excess(b) - log_gamma_excess(a) + (b - a) * digamma_gap(a)
