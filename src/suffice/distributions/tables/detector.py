r"""A test for a condition: what a positive or a negative result says, given how rare the condition is.

Evidence     P(+) = s p + (1 − c)(1 − p)
Posterior    P(condition | +) = s p / P(+),   P(condition | −) = (1 − s) p / P(−)
Repeated     logit P(condition | k times +, m times −) = logit p + k log(s/(1 − c)) + m log((1 − s)/c)
Inverse      s = c = 1 − e reaches the target q after k positive tests when logit e = (logit p − logit q)/k

with sensitivity s = P(+ | condition), specificity c = P(− | no condition) and base rate p.
"""

from __future__ import annotations

from typing import Any, final

import numpy as np
from scipy.special import expit, logit

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.records import record, short
from suffice.distributions._checks import assign, broadcast, parameter
from suffice.distributions.tables._text import html_table
from suffice.distributions.tables.joint_table import JointTable


@final
@record
class Detector:
    """A binary test with its error rates and the base rate of what it looks for; arrays give a batch.

    Parameters
    ----------
    sensitivity
        P(positive | condition): the hit rate.
    specificity
        P(negative | no condition): one minus the false-alarm rate.
    base_rate
        P(condition) before the test.

    Examples
    --------
    >>> from suffice.distributions import detector
    >>> forged = detector(sensitivity=0.96, specificity=0.96, base_rate=0.0004)
    >>> print(f"{forged.evidence:.4f} {forged.posterior_positive:.4f} {forged.after(2):.4f}")
    0.0404 0.0095 0.1873
    """

    sensitivity: Any
    specificity: Any
    base_rate: Any

    def __post_init__(self) -> None:
        names = ("sensitivity", "specificity", "base_rate")
        assign(self, **broadcast(**{name: _unit(name, getattr(self, name)) for name in names}))

    @property
    def evidence(self) -> Any:
        """P(positive)."""
        return self.sensitivity * self.base_rate + (1 - self.specificity) * (1 - self.base_rate)

    @property
    def posterior_positive(self) -> Any:
        """P(condition | positive)."""
        return self.after(1)

    @property
    def posterior_negative(self) -> Any:
        """P(condition | negative)."""
        return self.after(0, 1)

    def after(self, positives: Any = 1, negatives: Any = 0) -> Any:
        """P(condition) after so many positive and negative tests, independent given the condition."""
        k, m = _count("positives", positives), _count("negatives", negatives)
        with_it = _log_power(self.sensitivity, k) + _log_power(1 - self.sensitivity, m)
        without = _log_power(1 - self.specificity, k) + _log_power(self.specificity, m)
        with_it = with_it + _log_power(self.base_rate, 1)
        without = without + _log_power(1 - self.base_rate, 1)
        if np.any(np.isneginf(with_it) & np.isneginf(without)):
            raise InvalidInput("These results are impossible: their probability is zero.")
        return expit(with_it - without)[()]

    def updated(self, positive: bool = True) -> Detector:
        """The same test after one result: the posterior is the next base rate."""
        rate = self.posterior_positive if positive else self.posterior_negative
        return Detector(self.sensitivity, self.specificity, rate)

    def required_tests(self, target: Any) -> Any:
        """How many positive tests in a row raise P(condition) to `target`."""
        target, per_test = _inside("target", target), self._log_ratio()
        if np.any(per_test <= 0) or np.any((self.base_rate == 0) | (self.base_rate == 1)):
            raise InvalidInput(
                "No number of tests reaches a target: sensitivity must exceed 1 − specificity, "
                f"and base_rate must lie inside (0, 1); got {self!r}."
            )
        needed = (logit(target) - logit(self.base_rate)) / per_test
        return np.maximum(np.ceil(needed - 1e-12 * np.abs(needed)), 0).astype(int)[()]

    def _log_ratio(self) -> Any:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.log(self.sensitivity) - np.log1p(-self.specificity)

    @property
    def joint(self) -> JointTable:
        """The table of condition and result, for a single detector."""
        if np.ndim(self.base_rate):
            raise InvalidInput("A batch of detectors has no single joint table; take one of them.")
        prior = JointTable([1 - self.base_rate, self.base_rate], {"condition": [False, True]})
        s, c = self.sensitivity, self.specificity
        return JointTable.from_conditional(prior, [[c, 1 - c], [1 - s, s]], {"positive": [False, True]})

    def _repr_html_(self) -> str:
        names = (
            "sensitivity",
            "specificity",
            "base_rate",
            "evidence",
            "posterior_positive",
            "posterior_negative",
        )
        return html_table("Detector", [["", ""], *([name, short(getattr(self, name))] for name in names)])


def detector(sensitivity: Any, specificity: Any, base_rate: Any) -> Detector:
    """A binary test with these error rates, for a condition with this base rate."""
    return Detector(sensitivity, specificity, base_rate)


def required_error_rate(base_rate: Any, target: Any = 0.5, tests: Any = 1) -> Any:
    """The rate e of both errors at which `tests` positive results leave P(condition) = target.

    Examples
    --------
    >>> from suffice.distributions import required_error_rate
    >>> print(f"{required_error_rate(0.0004):.4f} {required_error_rate(0.0004, tests=2):.7f}")
    0.0004 0.0196117
    """
    tests = parameter("tests", tests, low=0.0, strict=True)
    return expit((logit(_inside("base_rate", base_rate)) - logit(_inside("target", target))) / tests)[()]


def _unit(name: str, value: Any) -> np.ndarray:
    array = parameter(name, value)
    if np.any((array < 0) | (array > 1)):
        raise InvalidParameter(f"{name} must be in [0, 1]; got {array[(array < 0) | (array > 1)].flat[0]}.")
    return array


def _inside(name: str, value: Any) -> np.ndarray:
    array = parameter(name, value)
    if np.any((array <= 0) | (array >= 1)):
        raise InvalidParameter(f"{name} must be in (0, 1); got {array[(array <= 0) | (array >= 1)].flat[0]}.")
    return array


def _count(name: str, value: Any) -> np.ndarray:
    array = parameter(name, value, low=0.0)
    if np.any(array != np.floor(array)):
        raise InvalidParameter(f"{name} must be a whole number >= 0; got {value!r}.")
    return array


def _log_power(p: Any, k: Any) -> Any:
    """log pᵏ with 0⁰ = 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(k == 0, 0.0, k * np.log(p))
