r"""The mean loss of a model, and of one model against another (DTU §11.3.4–11.3.5, Methods 11.3.3 and 11.3.4).

One model    zᵢ = loss of row i                          mean | z ~ t(n − 1, ẑ, σ̃)        (11.37–11.43)
Two models   zᵢ = zᵢᴬ − zᵢᴮ, negative where A is better,  the same                          (11.47–11.53)
             p = 2 T(−|ẑ|/σ̃; n − 1)
"""

from __future__ import annotations

from typing import Any

from suffice.evaluation.comparisons._inputs import check_confidence, check_names, counts, finite, same_length
from suffice.evaluation.comparisons._means import Setting, describe_difference, describe_mean
from suffice.evaluation.comparisons._student import mean_posterior
from suffice.evaluation.findings import Finding

FIXED = Setting(
    "given this training set",
    "row",
    30,
    (
        "The rows are drawn independently of each other and of the training rows.",
        "There are enough rows for the mean to be normal (30 or more; several hundred where losses are skewed).",
        "The training set is fixed (Setup I).",
    ),
)


def error_interval(
    losses: Any,
    *,
    confidence: float = 0.95,
    sample_weight: Any = None,
    name: str = "The model",
    loss: str = "loss",
) -> Finding:
    """The mean of losses, one per row, with a Student-t interval.

    Parameters
    ----------
    losses
        The loss of every test row.
    confidence
        Level of the interval.
    sample_weight
        How many rows each row stands for.
    name, loss
        Of the model and of the loss, for the sentence: "squared", "absolute", "log".

    Notes
    -----
    Exact for normal losses. Losses are skewed, so that the interval covers less than it says in small samples. At
    95 %, absolute errors of a normal distribution: 0.942 at n = 30, 0.947 at n = 100. Squared errors: 0.909 at
    n = 30, 0.932 at n = 100, 0.944 at n = 300. Take n ≥ 30 for the first and n ≥ 100 for the second.

    Examples
    --------
    >>> from suffice.evaluation import error_interval
    >>> found = error_interval([1.0, 2.0, 3.0, 4.0, 5.0], loss="absolute")
    >>> print(found)
    The model has a mean absolute loss of 3, 95 % interval [1.04, 4.96] (n = 5 rows), given this training set.
    Note: 5 rows are few for a mean to be normal; take 30 or more.
    """
    z = finite("losses", losses)
    posterior = mean_posterior(z, counts(sample_weight, len(z)))
    return describe_mean(posterior, check_confidence(confidence), FIXED, "Student-t interval", name, loss)


def paired_t(
    losses_a: Any,
    losses_b: Any,
    *,
    confidence: float = 0.95,
    names: tuple[str, str] = ("A", "B"),
    sample_weight: Any = None,
    loss: str = "loss",
) -> Finding:
    """Compare two models by their losses on the same rows.

    Parameters
    ----------
    losses_a, losses_b
        The loss of every row under the first and the second model.
    confidence
        Level of the interval for the difference of the mean losses.
    names, loss
        Of the models and of the loss, for the sentence.
    sample_weight
        How many rows each row stands for.

    Notes
    -----
    `estimate` is the loss of the first model less that of the second, as `loss_difference` is: negative favors the
    first, and `favours` says so. Differences of
    losses are less skewed than losses. Measured with squared errors of normal distributions, correlated by 0 to 0.9:
    the test rejects equally good models at the 5 % level in 4.6 % of samples at n = 30 and 4.8 to 5 % at n = 100; where
    one has half as much more variance, the interval at 95 % covers 0.93 to 0.95 at n = 30, 0.94 to 0.95 at n = 100.

    Examples
    --------
    >>> from suffice.evaluation import paired_t
    >>> a, b = [0.9, 0.2, 0.4, 0.1, 0.5], [1.1, 0.5, 0.4, 0.6, 0.6]
    >>> print(paired_t(a, b, names=("ridge", "ols"), loss="squared"))
    The mean squared loss of ridge is lower than that of ols by 0.22, so ridge is ahead, 95 % interval [-0.0188, 0.459]
    (n = 5 rows), paired t p = 0.063, given this training set.
    Note: 5 rows are few for a mean to be normal; take 30 or more.
    """
    a, b = finite("losses_a", losses_a), finite("losses_b", losses_b)
    same_length({"losses_a": a, "losses_b": b})
    return mean_difference(a - b, confidence=confidence, names=names, sample_weight=sample_weight, loss=loss)


def mean_difference(
    differences: Any,
    *,
    confidence: float = 0.95,
    names: tuple[str, str] = ("A", "B"),
    sample_weight: Any = None,
    loss: str = "loss",
) -> Finding:
    """The same as `paired_t`, from the differences themselves (first model less second).

    Examples
    --------
    >>> from suffice.evaluation import mean_difference
    >>> found = mean_difference([-0.2, -0.3, 0.0, -0.5, -0.1])
    >>> print(f"{found.estimate:.2f} {found.p_value:.3f}")
    -0.22 0.063
    """
    z = finite("differences", differences)
    posterior = mean_posterior(z, counts(sample_weight, len(z)))
    level, names = check_confidence(confidence), check_names(names)
    return describe_difference(posterior, level, FIXED, "Paired t test", names, loss)
