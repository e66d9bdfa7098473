r"""The continuous ranked probability score: squared error between a distribution function and what happened.

CRPS(F, y) = ∫ (F(x) − [x ≥ y])² dx = E|X − y| − ½ E|X − X′|,   X, X′ ~ F independent

It is in the units of y, and |y − x| for a forecast that puts everything on x. For an ensemble of m draws the plain
score takes the draws for the distribution; the fair one divides their mutual distances by m(m − 1) instead of m²,
and its mean is the score of the distribution they were drawn from.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, Unsupported, check_fraction
from suffice.distributions import Distribution, Empirical
from suffice.evaluation.scores._crps_forms import crps_rows
from suffice.evaluation.scores._crps_numeric import crps_table
from suffice.evaluation.scores._door import open_distribution, open_numbers, open_weight, per_row
from suffice.evaluation.scores.score import Score, mean_score


def crps(
    y: Any, distribution: Any, *, fair: bool = False, sample_weight: Any = None, confidence: float = 0.95
) -> Score:
    """The continuous ranked probability score: how far a predictive distribution is from what happened.

    Parameters
    ----------
    y
        What happened; one number per row, or a table with one column per target (their mean is a row's score).
    distribution
        A forecast per row, or one for all: a univariate distribution such as `model.predict_dist(X)` or
        `cross_validate(...).distributions`; or an array of draws with one row per row of y.
    fair
        For draws: whether to score the distribution that they came from rather than the draws.
    sample_weight
        How often each row counts.

    Returns
    -------
    Score
        The mean, smaller is better, with Student's interval; `rows` holds the score of every row.

    Notes
    -----
    Closed forms for normal, Student-t, Laplace, uniform, gamma and Poisson distributions and mixtures of normals;
    sums for discrete ones; adaptive quadrature of the distribution function for any other, to about 1e-10 of its
    spread. The interval covers within two points of nominal from 200 rows on (see `Score`).

    Examples
    --------
    >>> from suffice.distributions import Normal
    >>> from suffice.evaluation import crps
    >>> print(f"{crps([0.5], Normal(0.0, 1.0)):.6f}")
    0.331404
    >>> draws = [[0.0, 1.0, 4.0], [2.0, 2.0, 2.0]]
    >>> crps([2.0, 5.0], draws).rows.round(4), crps([2.0, 5.0], draws, fair=True).rows.round(4)
    (array([0.7778, 3.    ]), array([0.3333, 3.    ]))
    """
    confidence = check_fraction("confidence", confidence)
    y, distribution = _opened(y, distribution)
    if fair and not isinstance(distribution, Empirical):
        raise Unsupported(f"fair=True is for draws; got {type(distribution).__name__}.")
    values = _fair(distribution, y) if fair else crps_rows(distribution, y)
    rows = per_row(np.asarray(values, dtype=float))
    return mean_score(rows, open_weight(sample_weight, len(rows)), confidence)


def _opened(y: Any, distribution: Any) -> tuple[np.ndarray, Any]:
    folds = (
        isinstance(distribution, list | tuple) and distribution and isinstance(distribution[0], Distribution)
    )
    if isinstance(distribution, Distribution) or folds:
        return open_distribution(y, distribution)
    draws = open_numbers("draws", distribution)
    if draws.ndim < 2:
        raise InvalidInput(f"draws must be a table, one row per row of y; got shape {draws.shape}.")
    return open_distribution(y, Empirical(draws))


def _fair(d: Empirical, y: np.ndarray) -> np.ndarray:
    n = np.asarray(d.weight.sum(axis=-1))
    if np.any(n <= 1):
        raise InvalidInput(f"fair=True needs more than one draw per row; got {n.min():g}.")
    return crps_table(d.values, d.weight / n[..., None], y, n / (n - 1))
