"""Operations on bases: conversions of weights, searches over parameters inside a basis, interpolation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice import datasets
from suffice.bases import (
    CustomBasis,
    FourierBasis,
    GaussianBasis,
    Interactions,
    Polynomial,
    SigmoidBasis,
    SplineBasis,
    TanhBasis,
    WaveletBasis,
    search_basis,
    sigmoid_to_tanh,
)
from suffice.linear import LinearRegression, interpolate

MADE: dict[str, Callable] = {
    "polynomial": Polynomial,
    "gaussian": GaussianBasis,
    "sigmoid": SigmoidBasis,
    "tanh": TanhBasis,
    "fourier": FourierBasis,
    "spline": SplineBasis,
    "wavelet": WaveletBasis,
    "interactions": Interactions,
}


class BasisColumns:
    """The columns of a basis at given points."""

    def __init__(self, at: list, basis: dict[str, Any]):
        options = dict(basis)
        self.basis, self.at = MADE[options.pop("kind")](**options), np.asarray(at, dtype=float)

    def columns(self):
        return self.basis(self.at)

    def number(self):
        return self.basis(self.at).shape[1]


class TanhFromSigmoid:
    """2σ(2a) − 1, from a sigmoid column."""

    def __init__(self, a: float):
        self.a = a

    def tanh(self):
        u0, u, width = sigmoid_to_tanh(0.5, [1.0], 1.0)  # ½ + σ(x) = u₀ + u tanh(x / width)
        value = 0.5 + SigmoidBasis([0.0], 1.0)([width * self.a])[0, 0]
        return (value - u0) / u[0]


class ConvertedWeights:
    """Weights of sigmoid columns fitted by least squares, turned into those of tanh columns, and back."""

    def __init__(self, data: str, centers: list[float], width: float):
        record = getattr(datasets, data)()
        model = LinearRegression(basis=SigmoidBasis(centers, width)).fit(record.X, record.y)
        self.basis, self.intercept, self.coef = model.basis_.to_tanh(model.intercept_, model.coef_)

    def width(self):
        return self.basis.width

    def weights(self):
        return [self.intercept, *self.coef]

    def back(self):
        _, intercept, coef = self.basis.to_sigmoid(self.intercept, self.coef)
        return [intercept, *coef]


class SineSearch:
    """The parameters a and b of w₀ + w₁x + w₂ sin((x − a)/b), by search."""

    def __init__(self, data: str, refine: int = 0, **parameters: Any):
        record = getattr(datasets, data)()

        def make(a: float, b: float):
            return Polynomial(1) + CustomBasis([lambda X: np.sin((X[:, 0] - a) / b)])

        values = {name: _listed(v) for name, v in parameters.items()}
        self.found = search_basis(make, record.X, record.y, values, refine=refine)

    def best(self):
        return [self.found.parameters["a"], self.found.parameters["b"]]

    def loss(self):
        return self.found.loss

    def weights(self):
        return [self.found.intercept, *self.found.coef]


class Interpolation:
    """The polynomial through all points."""

    def __init__(self, at: list[float] | None = None, data: str | None = None, x=None, y=None):
        if data is not None:
            record = getattr(datasets, data)()
            x, y = record.X[:, 0], record.y
        self.x, self.y, self.at = np.asarray(x, dtype=float), np.asarray(y, dtype=float), at
        self.p = interpolate(self.x, self.y)

    def coef(self):
        return self.p.coef

    def values(self):
        return self.p(self.at)

    def training_error(self):
        return np.abs(self.p(self.x) - self.y).max()

    def amplification(self):
        return self.p.amplification(self.at)


def _listed(values: Any) -> list:
    if isinstance(values, dict):
        return np.linspace(values["low"], values["high"], values["number"]).tolist()
    return values


OPERATIONS: dict[str, Callable] = {
    "basis_columns": BasisColumns,
    "converted_weights": ConvertedWeights,
    "interpolation": Interpolation,
    "sine_search": SineSearch,
    "tanh_from_sigmoid": TanhFromSigmoid,
}
