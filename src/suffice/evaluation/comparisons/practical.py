r"""Is one method practically better? The Bayesian correlated t test (Benavoli et al. 2017; DTU eq. 11.61).

Prior        flat for z̄, p(σ) ∝ 1/σ
Posterior    z̄ | r ~ t(J − 1, r̂, σ̃),  σ̃² = (1/J + ρ/(1 − ρ)) ŝ²

    left = P(z̄ < −rope),   within = P(−rope ≤ z̄ ≤ rope),   right = P(z̄ > rope)

The region of practical equivalence, ±rope, holds the differences that nobody would act upon. Unlike a p-value the
three probabilities can speak *for* two methods being as good as each other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import stdtr

from suffice._core.errors import check_number
from suffice._core.frames import to_frame
from suffice._core.records import record
from suffice._core.showing import WithRemarks
from suffice.distributions import StudentT
from suffice.evaluation.comparisons._inputs import Interval, check_confidence, check_names
from suffice.evaluation.comparisons._means import difference_words, doubts, size
from suffice.evaluation.comparisons._student import MeanPosterior
from suffice.evaluation.comparisons.correlated import RANDOM, correlated_posterior
from suffice.evaluation.findings import ahead, number

ASSUMPTIONS = (*RANDOM.assumptions, "Flat prior for the difference and for the logarithm of its scale.")


@record
class PracticalEquivalence(WithRemarks):
    """How probable it is that the first of two methods is practically better, as good, or worse.

    `left` is the probability of a difference of losses below −`rope`: in favor of the first method. `within` is that
    of practical equivalence, `right` that of a difference in favor of the second. There is no p-value. `posterior` is
    the distribution of the difference, for a plot of its density.
    """

    name: str
    estimate: float
    interval: Interval | None
    sentence: str
    confidence: float
    left: float
    within: float
    right: float
    rope: float
    posterior: StudentT
    n: int
    names: tuple[str, str]
    assumptions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def loss_difference(self) -> float:
        """Loss of the first method less that of the second: the estimate."""
        return self.estimate

    @property
    def favours(self) -> str | None:
        """The method with the smaller loss, "A" or "B", probably or not; None where none is ahead."""
        return ahead(self.estimate)

    @property
    def probabilities(self) -> tuple[float, float, float]:
        """Left, within, right."""
        return self.left, self.within, self.right

    def frame(self, kind: str = "pandas") -> Any:
        """One row."""
        low, high = self.interval or (np.nan, np.nan)
        columns = {
            "name": [self.name], "estimate": [self.estimate], "low": [low], "high": [high],
            "confidence": [self.confidence], "left": [self.left], "within": [self.within], "right": [self.right],
            "rope": [self.rope], "n": [self.n],
        }  # fmt: skip
        return to_frame(columns, kind)


def bayesian_correlated_t(
    differences: Any,
    test_fraction: float,
    rope: float = 0.01,
    *,
    confidence: float = 0.95,
    names: tuple[str, str] = ("A", "B"),
    loss: str = "loss",
) -> PracticalEquivalence:
    """How probably one method is practically better than another, from the splits of a cross-validation.

    Parameters
    ----------
    differences, test_fraction
        As in `correlated_t`: mean losses of the first method less those of the second.
    rope
        The largest difference, either way, that makes no difference in practice, in units of the loss. With zero
        only the two directions remain.
    confidence
        Posterior probability of the interval.
    names, loss
        Of the methods and of the loss, for the sentence.

    Notes
    -----
    The interval is that of `correlated_t`. Under the model it covers what it says whatever the parameters, and of the
    differences to which it gives 30 % to lie in the region, 30 % do. Where all differences are equal, the probabilities
    are zeros and a one: that the data leave no doubt is what the formula says, and a note tells not to believe it.

    Examples
    --------
    >>> from suffice.evaluation import bayesian_correlated_t
    >>> found = bayesian_correlated_t([-0.02, -0.03, 0.01, -0.04, -0.01], 1 / 5, names=("tree", "line"))
    >>> print(found)
    The mean loss of tree is lower than that of line by 0.018, so tree is ahead, 95 % interval [-0.0178, 0.0538]
    (n = 5 splits): tree is better by more than 0.01 with probability 0.716, worse by more than 0.01 with probability
    0.0479, and practically equivalent with probability 0.237, for new training sets of this size.
    >>> print(f"{found.left:.3f} {found.within:.3f} {found.right:.3f}")
    0.716 0.237 0.048
    """
    posterior = correlated_posterior("differences", differences, test_fraction)
    margin, level, pair = check_number("rope", rope, low=0), check_confidence(confidence), check_names(names)
    left, within, right = three_probabilities(posterior, margin)
    interval = posterior.interval(level) if posterior.scale else None
    effect = (
        f"{difference_words(posterior.center, interval, level, pair, loss)} (n = {size(posterior)} splits)"
    )
    sentence = f"{effect}: {_probabilities(pair[0], margin, left, within, right)}, {RANDOM.scope}."
    return PracticalEquivalence(
        "Bayesian correlated t test", posterior.center, interval, sentence, level, left, within, right, margin,
        posterior.distribution, size(posterior), pair, ASSUMPTIONS, doubts(posterior, RANDOM),
    )  # fmt: skip


def three_probabilities(m: MeanPosterior, rope: float) -> tuple[float, float, float]:
    """Left of, within and right of ±rope; a posterior without spread that lies at 0 is halved when rope is 0."""
    if not m.scale:
        center = m.center
        sides = np.array([center < -rope, abs(center) <= rope, center > rope], dtype=float)
        left, within, right = sides if rope or center else (0.5, 0.0, 0.5)
        return float(left), float(within), float(right)
    left, right = (float(stdtr(m.dof, (-rope - c) / m.scale)) for c in (m.center, -m.center))
    return left, float(max(0.0, 1 - left - right)) if rope else 0.0, right


def _probabilities(name: str, rope: float, left: float, within: float, right: float) -> str:
    if not rope:
        return f"{name} is better with probability {number(left)}, worse with probability {number(right)}"
    margin = number(rope)
    return (
        f"{name} is better by more than {margin} with probability {number(left)}, worse by more than {margin} with "
        f"probability {number(right)}, and practically equivalent with probability {number(within)}"
    )
