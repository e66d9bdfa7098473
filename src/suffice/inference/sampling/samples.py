r"""Draws of a sampler as a distribution that knows how much it is worth.

Draws        x of shape (chain, draw, dimension): the chains are what tells whether they have forgotten their starts
Moments      E f(x) ≈ mean of f over all draws,  Cov with 1/n (FCML §4.5.2)
Error        std(f) / √ESS: a chain of n draws that depend on each other is worth ESS independent ones
Diagnostics  `r_hat`, `ess`, `ess_tail`, `mcse` per coordinate (`suffice.inference.sampling.diagnostics`)
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, final

import numpy as np

from suffice._core.errors import InvalidParameter, NotConverged, Unsupported, as_numbers, check_number, warn
from suffice._core.frames import to_frame
from suffice._core.random import generator
from suffice._core.records import frozen_array, record
from suffice.distributions import Empirical, Histogram
from suffice.distributions._base import Multivariate, check_level
from suffice.inference.sampling import _sample_inputs as inputs
from suffice.inference.sampling import _sample_reports as reports
from suffice.inference.sampling import diagnostics


@final
@record
class Samples(Multivariate):
    """Draws of several chains from one distribution.

    Parameters
    ----------
    draws
        (chain, draw, dimension).
    names
        Of the coordinates; x0, x1, … unless given.
    log_density
        log g of each draw (chain, draw), as far as the sampler knows it.
    accepted
        Whether each draw was a proposal that was taken (chain, draw).
    proposed
        What was proposed at each draw (chain, draw, dimension), where that was asked for.
    how
        Which sampler made them.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import Samples
    >>> draws = np.random.default_rng(0).normal(size=(4, 1000, 2)) * [1.0, 3.0]
    >>> found = Samples(draws, ("a", "b"))
    >>> found.std.round(1), bool(found.r_hat.max() < 1.01), bool(found.ess.min() > 3000)
    (array([1., 3.]), True, True)
    >>> found.drop(500).marginal([1])
    Samples(given: 4 chains × 500 draws × 1 coordinate; R̂ 1.000, ESS 1812)
    """

    draws: Any
    names: tuple[str, ...] | None = None
    log_density: Any = None
    accepted: Any = None
    proposed: Any = None
    how: str = "given"

    _event_ndim: ClassVar[dict[str, int]] = {"draws": 3, "log_density": 2, "accepted": 2, "proposed": 3}
    _independent: ClassVar[bool] = False

    def __post_init__(self) -> None:
        draws = as_numbers("draws", self.draws)
        if draws.ndim != 3 or 0 in draws.shape:
            raise InvalidParameter(
                f"draws must have shape (chain, draw, dimension), none of them 0; got {draws.shape}."
            )
        inputs.refuse_gaps(draws)
        object.__setattr__(self, "draws", frozen_array(draws))
        object.__setattr__(self, "names", inputs.names(self.names, draws.shape[2]))
        for field, shape, kind in (
            ("log_density", draws.shape[:2], float),
            ("accepted", draws.shape[:2], bool),
            ("proposed", draws.shape, float),
        ):
            given = getattr(self, field)
            if given is not None and np.shape(given) != shape:
                raise InvalidParameter(f"{field} must have shape {shape}; got {np.shape(given)}.")
            if given is not None:
                object.__setattr__(self, field, frozen_array(given, kind))
        if self.log_density is not None and np.isnan(self.log_density).any():
            raise InvalidParameter("log_density must not contain NaN.")

    # -- shape -----------------------------------------------------------------------------------------------
    @property
    def n_chains(self) -> int:
        return self.draws.shape[0]

    @property
    def n_draws(self) -> int:
        """Of one chain."""
        return self.draws.shape[1]

    @property
    def dim(self) -> int:
        """Number of coordinates, D."""
        return self.draws.shape[2]

    @property
    def flat(self) -> np.ndarray:
        """All draws (chains × draws, D), one chain after the other."""
        return self.draws.reshape(-1, self.dim)

    @property
    def acceptance_rate(self) -> np.ndarray:
        """Share of proposals that were taken, per chain."""
        if self.accepted is None:
            raise Unsupported(f"These draws ({self.how}) do not say which proposals were taken.")
        return self.accepted.mean(axis=1)

    # -- moments and probabilities --------------------------------------------------------------------------------
    @property
    def mean(self) -> Any:
        return self.flat.mean(axis=0)

    @property
    def cov(self) -> Any:
        """With 1/n."""
        gaps = self.flat - self.mean
        return gaps.T @ gaps / len(gaps)

    @property
    def var(self) -> Any:
        return self.flat.var(axis=0)

    @property
    def std(self) -> Any:
        return self.flat.std(axis=0)

    @property
    def mode(self) -> Any:
        """The draw of the highest density."""
        if self.log_density is None:
            raise Unsupported(
                "Draws without log_density have no mode; take .marginal(i) and a density of it."
            )
        return self.flat[int(np.argmax(self.log_density))]

    def entropy(self) -> Any:
        raise Unsupported("Draws do not tell the entropy of the density they come from.")

    def log_prob(self, x: Any) -> Any:
        raise Unsupported(
            "Draws do not tell the density they come from; `log_density` has it up to a constant."
        )

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """The central interval of each coordinate by itself: (low, high), both (D,)."""
        tail = (1 - check_level(level)) / 2
        low, high = self.quantiles([tail, 1 - tail])
        return low, high

    def quantiles(self, p: Any) -> np.ndarray:
        """Of each coordinate by itself: the smallest draw with a share p of the draws up to it; (*p, D)."""
        share = np.asarray(p, dtype=float)
        if not np.all((share >= 0) & (share <= 1)):
            raise InvalidParameter(f"p must be in [0, 1]; got {p!r}.")
        return np.quantile(self.flat, share, axis=0, method="inverted_cdf")

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` of the draws, with replacement."""
        return self.flat[generator(rng).integers(len(self.flat), size=n)]

    @classmethod
    def statistics(cls, x: Any, weight: Any = None) -> Any:
        raise Unsupported("Draws have no sufficient statistics of fixed size.")

    @classmethod
    def fit(cls, x: Any, weight: Any = None) -> Samples:
        raise Unsupported("Samples come from a sampler; use MultivariateEmpirical.fit for observations.")

    @property
    def n_parameters(self) -> int:
        return max(len(self.flat) - 1, 1)

    def marginal(self, idx: Any) -> Empirical | Samples:
        """Some coordinates: one number or name gives an `Empirical`; several, a slice or a mask fewer coordinates.

        `log_density` is that of all coordinates together, and is left behind.
        """
        index = inputs.positions(idx, self.names)
        if index.ndim == 0:
            return Empirical(self.flat[:, index])
        names = tuple(self.names[j] for j in index)  # type: ignore[index]
        proposed = None if self.proposed is None else self.proposed[:, :, index]
        return Samples(self.draws[:, :, index], names, None, self.accepted, proposed, self.how)

    def histogram(self, i: int | str, bins: Any = 20) -> Histogram:
        """Of one coordinate: the share of the draws in each bin, over its width (FCML Fig. 4.12b)."""
        index = inputs.positions(i, self.names)
        if index.ndim:
            raise InvalidParameter(f"i must be one coordinate; got {i!r}.")
        return Histogram.fit(self.flat[:, index], bins=bins)

    def expectation(self, f: Any) -> tuple[np.ndarray, np.ndarray]:
        """E[f(x)] and its Monte Carlo standard error; f takes rows and gives one number or more for each."""
        values = np.asarray(f(self.flat), dtype=float)
        if values.shape[:1] != (len(self.flat),):
            raise InvalidParameter(
                f"f must give something for each of {len(self.flat)} rows; got {values.shape}."
            )
        chains = values.reshape(self.n_chains, self.n_draws, -1)
        error = diagnostics.each(diagnostics.mcse_mean, chains).reshape(values.shape[1:])
        return values.mean(axis=0), error[()]

    # -- what they are worth -------------------------------------------------------------------------------------
    @cached_property
    def _worth(self) -> np.ndarray:
        return frozen_array(diagnostics.each(diagnostics.worth, self.draws).T)

    @property
    def r_hat(self) -> np.ndarray:
        """Rank-normalized split R̂ of each coordinate; NaN for a single chain or fewer than four draws."""
        return self._worth[0]

    @property
    def ess(self) -> np.ndarray:
        """Effective sample size of each coordinate, of its bulk."""
        return self._worth[1]

    @property
    def ess_tail(self) -> np.ndarray:
        """Effective sample size of each coordinate, of its 5 % and 95 % quantiles, whichever is smaller."""
        return self._worth[2]

    @property
    def mcse(self) -> np.ndarray:
        """Monte Carlo standard error of the mean of each coordinate."""
        return self._worth[3]

    def autocorrelation(self, max_lag: int | None = None) -> np.ndarray:
        """Correlation of a draw with the one t later, t = 0, 1, …, `max_lag` (all, unless given): (D, lag).

        The mean over chains of each chain's own; NaN where a chain never moved.
        """
        f = lambda x: diagnostics.autocorrelation(x, max_lag).mean(axis=-2)  # noqa: E731
        return diagnostics.each(f, self.draws)

    def check(self, *, r_hat: float = 1.01, ess_per_chain: float = 100) -> Samples:
        """The same draws, with a warning for each reason not to rely upon them.

        Reasons are chains that never moved, R̂ above `r_hat`, an effective sample size (bulk or tail) below
        `ess_per_chain` times the chains, and proposals of which nearly none are taken, or nearly all without getting
        anywhere. R̂ of a single chain is that of its halves.
        """
        limits = check_number("r_hat", r_hat, low=1), check_number("ess_per_chain", ess_per_chain, low=0)
        for sentence in reports.problems(self, *limits):
            warn(sentence, NotConverged)
        return self

    # -- parts -----------------------------------------------------------------------------------------------------
    def drop(self, n: int) -> Samples:
        """Without the first n draws of every chain."""
        return self._part(slice(inputs.within("n", n, 0, self.n_draws - 1), None))

    def thin(self, k: int) -> Samples:
        """Every k-th draw of every chain, the last of each k: fewer, more nearly independent, worth a little less."""
        return self._part(slice(inputs.within("k", k, 1, self.n_draws) - 1, None, k))

    def _part(self, which: slice) -> Samples:
        return self._mapped(lambda array, ndim: array[:, which])

    # -- for other eyes ----------------------------------------------------------------------------------------------
    def frame(self, kind: str = "pandas") -> Any:
        """One row per coordinate: moments, Monte Carlo error, quantiles and diagnostics."""
        return to_frame(reports.columns(self), kind)

    def to_arviz(self) -> Any:
        """The draws as ArviZ has them (InferenceData before its version 1, DataTree since), one variable per name.

        `log_density` is `lp` and `accepted` is `accepted` among the sample_stats.
        """
        return reports.to_arviz(self)

    def __repr__(self) -> str:
        return f"Samples({reports.line(self)})"

    def __str__(self) -> str:
        return reports.table(self)
