"""Herlau, Schmidt & Mørup, Introduction to Machine Learning and Data Mining: generators for its figures."""

from __future__ import annotations

from typing import Any

from suffice._core.errors import check_number
from suffice._core.random import generator
from suffice.datasets._records import GENERATED, Dataset, check_size

_TEXT = "Herlau, Schmidt & Mørup, Introduction to Machine Learning and Data Mining"


def quadratic_surface(n: int = 100, noise_std: float = 0.05, random_state: Any = None) -> Dataset:
    """y = −0.5 + 0.5x₁ + 0.5x₂ − 0.25x₁² − 0.25x₂² − 0.125x₁x₂, plus noise (§8.1.1, Fig. 8.5).

    The weights are printed. The number of points, their law (uniform on [−2, 2]²) and the noise are ours.
    """
    check_size(n)
    check_number("noise_std", noise_std, low=0.0)
    inputs, noise = generator(random_state).spawn(2)
    X = inputs.uniform(-2.0, 2.0, size=(n, 2))
    a, b = X.T
    y = -0.5 + 0.5 * a + 0.5 * b - 0.25 * a**2 - 0.25 * b**2 - 0.125 * a * b
    y = y + noise_std * noise.standard_normal(n)
    return Dataset(X, y, ("x1", "x2"), "y", f"{_TEXT}, Fig. 8.5", GENERATED)
