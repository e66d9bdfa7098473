r"""Cross-validated losses of methods, for new training sets (DTU §11.4, Method 11.4.1; Nadeau and Bengio).

Model        r_j = z̄ + v_j,  v ~ N(0, Σ),  Σ_ii = σ²,  Σ_ij = ρ σ²                          (11.59, 11.60)
Heuristic    ρ = test rows/(test rows + training rows) = 1/K                                (11.62)
Posterior    z̄ | r ~ t(J − 1, r̂, σ̃),  σ̃² = (1/J + ρ/(1 − ρ)) ŝ²                            (11.61)
Test         t = r̂/σ̃,  p = 2 T(−|t|; J − 1)                                               (11.65)

J splits share training rows, so their losses are correlated and their mean varies more than that of independent
values. ρ cannot be estimated from one table; the heuristic is a convention. Repeats make J large, yet the
variance never falls below ŝ²/(K − 1).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_number
from suffice.evaluation.comparisons._inputs import check_confidence, check_names, finite
from suffice.evaluation.comparisons._means import Setting, describe_difference, describe_mean
from suffice.evaluation.comparisons._student import MeanPosterior, mean_posterior
from suffice.evaluation.findings import Finding

RANDOM = Setting(
    "for new training sets of this size",
    "split",
    5,
    (
        "Losses of splits are normal and equally correlated; the correlation is the share of test rows (a heuristic).",
        "Test sets of 30 rows or more.",
        "The training set is random (Setup II).",
    ),
)


def correlated_t(
    differences: Any,
    test_fraction: float,
    *,
    confidence: float = 0.95,
    names: tuple[str, str] = ("A", "B"),
    loss: str = "loss",
) -> Finding:
    """Compare two methods by the differences of their mean losses over the splits of a cross-validation.

    Parameters
    ----------
    differences
        For every split the mean loss of the first method less that of the second, on the same test rows.
    test_fraction
        Share of the rows that a split tests: 1/K for K folds, repeated or not. Zero gives the ordinary t test.
    confidence
        Level of the interval for the expected difference.
    names, loss
        Of the methods and of the loss, for the sentence.

    Notes
    -----
    A negative `estimate`, which is `loss_difference`, favors the first method; `favours` says so.
    Exact for normal differences that are correlated as assumed. In
    cross-validation the assumption is a heuristic, and errs to the safe side where training sets matter little: two
    equally good regressions on 60 to 200 rows were told apart at the 5 % level in 1 to 2 % of tables with 5 or 10
    folds, in 3 % with 10 folds repeated three times (there the ordinary t test: 27 %); the intervals cover 97 to 99 %.
    Five folds are the least, ten repeated two or three times are better.

    Examples
    --------
    >>> from suffice.evaluation import correlated_t
    >>> print(correlated_t([0.02, 0.03, -0.01, 0.04, 0.01], 1 / 5, names=("tree", "line")))
    The mean loss of tree is higher than that of line by 0.018, so line is ahead, 95 % interval [-0.0178, 0.0538]
    (n = 5 splits), correlated t p = 0.24, for new training sets of this size.
    """
    posterior = correlated_posterior("differences", differences, test_fraction)
    level, names = check_confidence(confidence), check_names(names)
    return describe_difference(posterior, level, RANDOM, "Correlated t test", names, loss)


def correlated_interval(
    losses: Any,
    test_fraction: float,
    *,
    confidence: float = 0.95,
    name: str = "The method",
    loss: str = "loss",
) -> Finding:
    """The expected loss of one method, from its mean losses over the splits of a cross-validation (eq. 11.58).

    Parameters
    ----------
    losses
        The mean loss of every split.
    test_fraction, confidence, loss
        As in `correlated_t`.
    name
        Of the method, for the sentence.

    Examples
    --------
    >>> from suffice.evaluation import correlated_interval
    >>> print(correlated_interval([0.21, 0.25, 0.19, 0.24, 0.22], 1 / 5, name="The tree"))
    The tree has a mean loss of 0.222, 95 % interval [0.178, 0.266] (n = 5 splits), for new training sets of this size.
    """
    posterior = correlated_posterior("losses", losses, test_fraction)
    return describe_mean(posterior, check_confidence(confidence), RANDOM, "Correlated-t interval", name, loss)


def correlated_posterior(name: str, values: Any, test_fraction: Any) -> MeanPosterior:
    """Eq. 11.61, after the checks: at least two splits, and a share of test rows below one."""
    r = finite(name, values)
    if len(r) < 2:
        raise InvalidInput(
            f"{name} must come from two splits or more; one shows no spread between training sets."
        )
    return mean_posterior(r, np.ones(len(r)), _share(test_fraction))


def _share(test_fraction: Any) -> float:
    share = check_number("test_fraction", test_fraction, low=0)
    if share >= 1:
        raise InvalidParameter(f"test_fraction must lie in [0, 1): 1/K for K folds; got {test_fraction!r}.")
    return share
