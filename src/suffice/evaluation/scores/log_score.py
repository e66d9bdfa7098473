r"""The logarithmic score: −log p(y) under the forecast, a density or a probability.

It is local (only the forecast at what happened counts), and its mean is the cross-entropy; differences between two
forecasts are log likelihood ratios. A forecast that excluded what happened scores infinity.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import check_fraction
from suffice.distributions import Categorical
from suffice.evaluation.scores._door import open_distribution, open_forecasts, open_weight, per_row
from suffice.evaluation.scores.score import Score, mean_score


def log_score(
    y: Any,
    forecast: Any,
    *,
    classes: Any = None,
    positive: Any = None,
    sample_weight: Any = None,
    confidence: float = 0.95,
) -> Score:
    """Minus the log of the density or probability that the forecast gave to what happened, in nats.

    Parameters
    ----------
    y
        What happened: numbers for a distribution, labels for probabilities.
    forecast
        A univariate distribution, one forecast per row or one for all; or probabilities, a vector (of `positive`)
        or a table with a column per class.
    classes
        The labels in the order of the columns; sorted labels of y unless given.
    positive
        The label that a vector of probabilities is of; the larger of two unless given.
    sample_weight
        How often each row counts.

    Returns
    -------
    Score
        The mean, smaller is better, with Student's interval (None where a score is infinite); `rows` holds the
        score of every row. Of probabilities it is `sklearn.metrics.log_loss` without clipping.

    Examples
    --------
    >>> from suffice.distributions import Normal
    >>> from suffice.evaluation import log_score
    >>> print(f"{log_score([0.0, 1.0], Normal(0.0, 1.0)):.6f}")
    1.168939
    >>> print(f"{log_score(['dog', 'cat', 'dog'], [0.8, 0.3, 0.6]):.6f}")
    0.363548
    """
    confidence = check_fraction("confidence", confidence)
    if hasattr(forecast, "log_prob") and not isinstance(forecast, Categorical):
        y, distribution = open_distribution(y, forecast)
        rows = per_row(-np.asarray(distribution.log_prob(y), dtype=float))
    else:
        f = open_forecasts(y, forecast, classes, positive)
        if isinstance(forecast, Categorical):  # which knows the logarithm of what is too small for a float
            rows = -np.broadcast_to(forecast.log_prob(y, labels=True), f.codes.shape) + 0.0
        else:
            with np.errstate(divide="ignore"):
                rows = -np.log(f.probabilities[np.arange(len(f.codes)), f.codes]) + 0.0
    return mean_score(rows, open_weight(sample_weight, len(rows)), confidence)
