r"""A mean whose variance is known (DTU Example 11.2.1).

Model       zᵢ ~ N(θ, σ₀²), so that the mean t ~ N(θ, σ₀²/n)                               (11.10, 11.11)
p-value     for θ = θ₀:  2 Φ(−|t − θ₀|/(σ₀/√n)), two-sided (the text's 11.9 writes one side and means two)
Interval    t ± Φ⁻¹(1 − α/2) σ₀/√n
"""

from __future__ import annotations

from math import sqrt

from scipy.special import ndtr, ndtri

from suffice._core.errors import check_number
from suffice.evaluation.comparisons._inputs import check_confidence, whole
from suffice.evaluation.findings import Finding, chance, number, percent

ASSUMPTIONS = ("Independent normal values (or so many that their mean is normal).", "The variance is known.")


def z_test(
    mean: float,
    variance: float,
    n: int,
    *,
    null: float = 0.0,
    confidence: float = 0.95,
    name: str = "The mean",
) -> Finding:
    """Test and interval for a mean of n values whose variance is known.

    Parameters
    ----------
    mean
        Of the sample.
    variance
        Of a single value, σ₀².
    n
        Number of values.
    null
        The mean that is tested.
    confidence
        Level of the interval.
    name
        The subject of the sentence.

    Examples
    --------
    >>> from suffice.evaluation import z_test
    >>> print(z_test(0.2, variance=1.0, n=100))
    The mean is 0.2, 95 % interval [0.004, 0.396] (n = 100, known variance 1); z test of 0: p = 0.046.
    """
    center, middle = check_number("mean", mean), check_number("null", null)
    sigma2 = check_number("variance", variance, low=0, strict=True)
    size, level = whole("n", n, low=1), check_confidence(confidence)
    scale = sqrt(sigma2) / sqrt(size)
    z, half = (center - middle) / scale, float(ndtri((1 + level) / 2)) * scale
    p_value = float(2 * ndtr(-abs(z)))
    sentence = (
        f"{name} is {number(center)}, {percent(level)} interval [{number(center - half)}, {number(center + half)}] "
        f"(n = {size}, known variance {number(sigma2)}); z test of {number(middle)}: {chance(p_value)}."
    )
    return Finding(
        "z test", center, (center - half, center + half), sentence, level, p_value, z, size, assumptions=ASSUMPTIONS
    )  # fmt: skip
