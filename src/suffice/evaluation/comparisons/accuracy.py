r"""How accurate is a classifier? Jeffreys' interval (DTU §11.3.2, Method 11.3.1).

Prior        θ ~ Beta(½, ½)
Likelihood   m of n rows are right:  m | θ ~ Binomial(n, θ)
Posterior    θ | m ~ Beta(a, b),  a = m + ½,  b = n − m + ½                             (11.22–11.24)
Estimate     a/(a + b) = (m + ½)/(n + 1)
Interval     the α/2 and 1 − α/2 quantiles; the lower end is 0 if m = 0, the upper 1 if m = n   (11.25)
"""

from __future__ import annotations

from typing import Any

from suffice._core.errors import InvalidParameter
from suffice._core.proportions import jeffreys
from suffice.evaluation.comparisons._inputs import check_confidence, counted, counts, labels, whole
from suffice.evaluation.findings import Finding, number, percent

ASSUMPTIONS = (
    "The rows are drawn independently of each other and of the training rows.",
    "Beta(1/2, 1/2) prior for the accuracy.",
    "The training set is fixed (Setup I).",
)


def accuracy_interval(
    y: Any, yhat: Any, *, confidence: float = 0.95, sample_weight: Any = None, name: str = "The model"
) -> Finding:
    """The accuracy of a classifier with Jeffreys' interval.

    Parameters
    ----------
    y, yhat
        True and predicted labels of the same rows, numbers or text.
    confidence
        Posterior probability of the interval.
    sample_weight
        How many rows each row stands for.
    name
        The subject of the sentence.

    Notes
    -----
    `estimate` is the posterior mean, as in the text; `observed` is the plain share m/n. Over accuracies drawn
    from the prior the interval covers 1 − α + (α/2) P(m = 0 or m = n), a little more than nominal because of the
    rule for the ends. For a fixed accuracy coverage swings with n: at 95 % it is 0.950 for n = 100 and θ = 0.7,
    0.932 for n = 30 and θ = 0.9, 0.935 for n = 100 and θ = 0.95.

    Examples
    --------
    >>> from suffice.evaluation import accuracy_interval
    >>> found = accuracy_interval(list("abbaabba"), list("abbaabab"))
    >>> print(found)
    The model is right on 6 of 8 rows: estimated accuracy 0.722, 95 % Jeffreys interval [0.408, 0.944], given this
    training set.
    >>> print(f"{found.estimate:.4f} {found.observed}")
    0.7222 0.75
    """
    truth, said = labels(y=y, yhat=yhat)
    weight = counts(sample_weight, len(truth))
    return accuracy_from_counts(
        int(weight[truth == said].sum()), int(weight.sum()), confidence=confidence, name=name
    )


def accuracy_from_counts(
    correct: int, n: int, *, confidence: float = 0.95, name: str = "The model"
) -> Finding:
    """The same as `accuracy_interval`, from the number of right rows and of all.

    Examples
    --------
    The second case of Table 11.1:

    >>> from suffice.evaluation import accuracy_from_counts
    >>> low, high = accuracy_from_counts(67, 100).interval
    >>> print(f"{low:.2f} {high:.2f}")
    0.57 0.76
    """
    total = whole("n", n, low=1)
    right = whole("correct", correct)
    if right > total:
        raise InvalidParameter(f"correct must be at most n = {total}; got {right}.")
    level = check_confidence(confidence)
    estimate, interval = (right + 0.5) / (total + 1), share_interval(right, total, level)
    sentence = (
        f"{name} is right on {right} of {counted(total, 'row')}: estimated accuracy {number(estimate)}, "
        f"{percent(level)} Jeffreys interval [{number(interval[0])}, {number(interval[1])}], given this training set."
    )
    return Finding(
        "Jeffreys interval", estimate, interval, sentence, level, n=total, observed=right / total,
        assumptions=ASSUMPTIONS,
    )  # fmt: skip


def share_interval(successes: int, n: int, confidence: float) -> tuple[float, float]:
    """Eq. 11.25: Jeffreys' interval for a share."""
    low, high = jeffreys(successes, n, confidence)
    return float(low), float(high)
