r"""The gamma function (Herbst §2.1; DTU §6.3).

Γ(x) = ∫₀^∞ u^{x−1} e^{−u} du,   Γ(n) = (n − 1)!,   Γ(x + 1) = x Γ(x)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from suffice._core.errors import InvalidInput, as_numbers


def gamma_function(x: Any) -> Any:
    """Γ(x), infinite beyond 171.6: `log_gamma` goes on. Refused at 0, −1, −2, …, where it has poles.

    Examples
    --------
    >>> from suffice.distributions import gamma_function
    >>> gamma_function([1, 2, 5, 0.5]).round(6).tolist()  # 0!, 1!, 4!, √π
    [1.0, 1.0, 24.0, 1.772454]
    """
    x = as_numbers("x", x).astype(float)
    poles = (x <= 0) & (x == np.floor(x))
    if np.any(poles) or np.any(np.isnan(x)):
        bad = np.ravel(x)[np.ravel(poles | np.isnan(x))][0]
        raise InvalidInput(f"x must be a number other than 0, -1, -2, …, where Γ has poles; got {bad:g}.")
    return special.gamma(x)[()]


def log_gamma(x: Any) -> Any:
    """log Γ(x) for x > 0, without overflow.

    Examples
    --------
    >>> from suffice.distributions import log_gamma
    >>> print(f"{log_gamma(1001):.6f}")  # log 1000!
    5912.128178
    """
    x = as_numbers("x", x).astype(float)
    if not np.all(x > 0):
        bad = np.ravel(x)[~(np.ravel(x) > 0)][0]
        raise InvalidInput(f"x must be positive; got {bad:g}.")
    return special.gammaln(x)[()]
