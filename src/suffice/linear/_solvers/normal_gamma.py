r"""What is known about weights and the precision of the noise together (PRML §3.3.2, Ex. 3.12).

Joint        p(w, β) = N(w | m, S/β) Gam(β | a, b)
Given β      w | β ~ N(m, S/β)
Marginals    β ~ Gamma(a, b);   w ~ t(2a, m, S b/a)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, as_numbers
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions import Gamma, MultivariateNormal, MultivariateT


@record
class WeightsAndPrecision:
    """The normal–gamma distribution of a vector of weights and one precision; batched over targets.

    `mean` (..., q) and `cov` (..., q, q) are of the weights in units of the noise: their covariance given the
    precision β is cov/β. `shape` and `rate` are those of the gamma distribution of β.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.linear import ConjugateLinearRegression
    >>> model = ConjugateLinearRegression(shape=2, rate=1.5).fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.0, 2.0, 5.0])
    >>> known = model.posterior_
    >>> print(known.precision().mean.round(4), known.weights().dof, known.given(1.0).mean.round(4))
    1.0435 7.0 [1.375  0.9167]
    """

    mean: np.ndarray
    cov: np.ndarray
    shape: Any
    rate: Any

    def given(self, precision: Any) -> MultivariateNormal:
        """The weights, if the precision of the noise were known."""
        beta = as_numbers("precision", precision)
        if not np.all((beta > 0) & np.isfinite(beta)):
            raise InvalidInput(f"precision must be finite and above zero; got {precision!r}.")
        return MultivariateNormal(self.mean, self.cov / beta[..., None, None])

    def weights(self) -> MultivariateT:
        """The weights, whatever the precision: Student-t with 2·shape degrees of freedom."""
        ratio = np.asarray(self.rate / self.shape)
        return MultivariateT(2 * self.shape, self.mean, self.cov * ratio[..., None, None])

    def precision(self) -> Gamma:
        """The precision of the noise, whatever the weights."""
        return Gamma(self.shape, self.rate)

    def log_prob(self, weights: Any, precision: Any) -> Any:
        """Log density of weights (..., q) and precisions (...) together; −inf where the precision is not positive."""
        beta = np.asarray(as_numbers("precision", precision))
        inside = (beta > 0) & np.isfinite(beta)
        safe = np.where(inside, beta, 1.0)
        both = self.given(safe).log_prob(weights) + self.precision().log_prob(safe)
        return np.where(inside, both, -np.inf)[()]

    def sample(self, n: int, rng: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """`n` pairs: weights (n, ..., q) and precisions (n, ...)."""
        rng_weights, rng_precision = generator(rng).spawn(2)
        beta = np.asarray(self.precision().sample(n, rng_precision))
        unit = MultivariateNormal(np.zeros_like(self.mean), self.cov).sample(n, rng_weights)
        return self.mean + unit / np.sqrt(beta)[..., None], beta
