r"""Do probabilities come true? Forecasts against frequencies, bin by bin.

Bins                 p̄_b, the mean forecast; ō_b, the frequency, with its Jeffreys interval; n_b rows
Calibration error    E = Σ n_b |p̄_b − ō_b| / N
Its bias             calibrated forecasts have E ≈ Σ n_b σ_b √(2/π) / N > 0, σ_b² = mean p(1 − p) / n_b in the bin
Its interval         E ± the quantile of Σ n_b |ε_b| / N, ε_b ~ N(0, σ̂_b²): |a + ε| differs from |a| by at most |ε|;
                     σ̂_b² from the forecasts or from the frequency, whichever is larger

`EventCalibration` is for probabilities of an event. Distributions of numbers are judged by their PIT: `PitCalibration`.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy.special import ndtri

from suffice._core.errors import InvalidInput, check_fraction
from suffice._core.frames import to_frame
from suffice._core.proportions import jeffreys
from suffice._core.records import frozen_array, record
from suffice._core.showing import InWords, table_of_texts
from suffice.distributions import Bernoulli, Categorical
from suffice.distributions._base import Univariate
from suffice.evaluation.findings import Finding, Measured, number
from suffice.evaluation.scores._bins import bin_of, edges_of
from suffice.evaluation.scores._door import Forecasts, open_forecasts, open_weight
from suffice.evaluation.scores._recalibration import recalibration, spiegelhalter
from suffice.evaluation.scores.pit_calibration import PitCalibration, pit_calibration


@record
class EventCalibration(InWords):
    """Forecast and frequency by bin, and summaries.

    `event` says what the probabilities are of: a label, or "the most probable class". Bins without rows have NaN.
    `expected_error` is the calibration error; `expected_error_if_calibrated` is what it would be on average for
    calibrated forecasts in the same bins, its bias. `intercept` and `slope` recalibrate: logit P = a + b logit p.
    """

    event: Any
    edges: np.ndarray
    forecast: np.ndarray
    observed: np.ndarray
    low: np.ndarray
    high: np.ndarray
    counts: np.ndarray
    expected_error: Measured
    expected_error_if_calibrated: float
    largest_error: float
    intercept: Measured
    slope: Measured
    spiegelhalter: Finding
    n: float
    confidence: float
    notes: tuple[str, ...] = ()

    def frame(self, kind: str = "pandas") -> Any:
        """One row per bin."""
        names = ("forecast", "observed", "low", "high", "counts")
        columns = {"from": self.edges[:-1], "to": self.edges[1:]}
        return to_frame(columns | {name: getattr(self, name) for name in names}, kind)

    @property
    def sentence(self) -> str:
        """For a paper."""
        return (
            f"Forecasts of {self.event!r} (n = {self.n:g}) are off by {self.expected_error} on "
            f"average over {len(self.counts)} bins, where calibrated ones would be by "
            f"{number(self.expected_error_if_calibrated)}; calibration slope {self.slope}, "
            f"intercept {self.intercept}. {self.spiegelhalter.sentence}"
        )

    def _repr_html_(self) -> str:
        cells = zip(self.forecast, self.observed, self.low, self.high, self.counts, strict=True)
        rows = [(f"{p:.3f}", f"{o:.3f}", f"[{a:.3f}, {b:.3f}]", f"{n:g}") for p, o, a, b, n in cells]
        return table_of_texts(("forecast", "observed", "interval", "rows"), rows, self.sentence)


def calibration(
    y: Any,
    forecast: Any,
    *,
    bins: int = 10,
    strategy: Literal["quantile", "uniform"] = "quantile",
    classes: Any = None,
    positive: Any = None,
    sample_weight: Any = None,
    confidence: float = 0.95,
    rng: Any = None,
) -> EventCalibration | PitCalibration:
    """Whether probabilities come true, or distributions hold what they promise.

    Parameters
    ----------
    y
        What happened: labels for probabilities, numbers for distributions.
    forecast
        Probabilities: a vector (of `positive`), a table with a column per class, `Bernoulli` or `Categorical`. Of
        more than two classes, `positive` picks one against the rest; otherwise the most probable class of each row
        is judged. Or any other univariate distribution, one forecast per row or one for all.
    bins, strategy
        Bins of forecasts with the same number of rows, or of the same width; of the PIT of distributions.
    classes
        The labels in the order of the columns; the sorted labels of y unless given.
    positive
        The label that a vector of probabilities is of; the larger of two unless given.
    sample_weight
        How often each row counts; of distributions, in the coverage alone.
    rng
        For the randomized PIT of discrete distributions.

    Returns
    -------
    EventCalibration or PitCalibration
        Arrays to plot, summaries with intervals, tests with sentences.

    Notes
    -----
    Measured at 95 % with calibrated forecasts: intercept and slope (Wald) cover 0.95 to 0.96 from 50 rows on;
    Spiegelhalter's test rejects 0.04 to 0.06 from 50 rows on, and the interval of its estimate covers 0.93 to 0.95 from
    100 rows on. The interval of the calibration error is conservative: it covers 0.95 to 0.99, and 1.00 when forecasts
    are off. It is about the bins: forecasts wrong both ways inside a bin cancel.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.evaluation import calibration
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random(1000)
    >>> y = rng.random(1000) < truth
    >>> bold = truth**2 / (truth**2 + (1 - truth) ** 2)  # log odds twice too large
    >>> made = calibration(y, bold, bins=5)
    >>> made.slope, f"{made.spiegelhalter.p_value:.1g}"
    (0.528 [0.457, 0.598], '2e-36')
    >>> print(made.forecast.round(2), made.observed.round(2))
    [0.02 0.2  0.55 0.86 0.98] [0.11 0.32 0.58 0.66 0.94]
    """
    confidence = check_fraction("confidence", confidence)
    if isinstance(forecast, Univariate) and not isinstance(forecast, Bernoulli | Categorical):
        return pit_calibration(y, forecast, bins, sample_weight, confidence, rng)
    event, p, o = _event(open_forecasts(y, forecast, classes, positive), positive)
    return of_event(event, p, o, open_weight(sample_weight, len(p)), bins, strategy, confidence)


def _event(f: Forecasts, positive: Any) -> tuple[Any, np.ndarray, np.ndarray]:
    """What is judged: its name, its probability and whether it happened."""
    if len(f.classes) > 2 and positive is None:
        best = np.argmax(f.probabilities, axis=1)
        return (
            "the most probable class",
            f.probabilities[np.arange(len(best)), best],
            (f.codes == best).astype(float),
        )
    label = f.classes[-1] if positive is None else positive
    if label not in f.classes:
        raise InvalidInput(f"positive must be one of the classes {list(f.classes)}; got {positive!r}.")
    k = f.classes.index(label)
    return f.classes[k], f.probabilities[:, k], (f.codes == k).astype(float)


def of_event(
    event: Any, p: np.ndarray, o: np.ndarray, weight: np.ndarray, bins: int, strategy: str, confidence: float
) -> EventCalibration:
    """The record for the probability p of one event and its outcomes o."""
    edges = edges_of(p, weight, bins, strategy)
    index, k = bin_of(p, edges), len(edges) - 1
    n, sum_p, sum_o, sum_v = (
        np.bincount(index, weights=weight * v, minlength=k) for v in (np.ones_like(p), p, o, p * (1 - p))
    )
    with np.errstate(invalid="ignore"):
        forecast, observed, own = sum_p / n, sum_o / n, sum_v / n
    low, high = (np.where(n > 0, e, np.nan) for e in jeffreys(sum_o, n, confidence))
    a, b, notes = recalibration(p, o, weight, confidence)
    gaps = np.abs(forecast - observed)
    arrays = {
        "edges": edges,
        "forecast": forecast,
        "observed": observed,
        "low": low,
        "high": high,
        "counts": n,
    }
    frozen: dict[str, Any] = {k: frozen_array(v) for k, v in arrays.items()}
    return EventCalibration(
        event=event,
        expected_error=_calibration_error(gaps, np.maximum(own, _smooth(sum_o, n)), n, confidence),
        expected_error_if_calibrated=_noise(own, n)[0],
        largest_error=float(np.nanmax(gaps)),
        intercept=a,
        slope=b,
        spiegelhalter=spiegelhalter(p, o, weight, confidence),
        n=float(weight.sum()),
        confidence=confidence,
        notes=notes,
        **frozen,
    )


def _calibration_error(gaps: np.ndarray, variance: np.ndarray, n: np.ndarray, confidence: float) -> Measured:
    error = float(np.nansum(n * gaps) / n.sum())
    mean, std = _noise(variance, n)
    reach = mean + ndtri(confidence) * std
    return Measured(
        error, (max(error - reach, 0.0), min(error + reach, 1.0)), confidence, "triangle inequality"
    )


def _smooth(m: np.ndarray, n: np.ndarray) -> np.ndarray:
    """The variance of one row in a bin from its frequency, above zero also where all rows agree."""
    return (m + 0.5) * (n - m + 0.5) / (n + 1) ** 2


def _noise(variance: np.ndarray, n: np.ndarray) -> tuple[float, float]:
    """Mean and standard deviation of Σ n_b |ε_b| / N for the variance of one row in each bin."""
    used = n > 0
    share, sigma = n[used] / n.sum(), np.sqrt(variance[used] / n[used])
    mean = float(np.sqrt(2 / np.pi) * (share @ sigma))
    return mean, float(np.sqrt((1 - 2 / np.pi) * np.sum((share * sigma) ** 2)))
