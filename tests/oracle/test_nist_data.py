"""The typed NIST tables: exact rational least squares must give every certified digit."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from suffice import datasets

NAMES = sorted(name for name in datasets.__all__ if name.startswith("nist_"))


def _exact(value: float) -> Fraction:
    """The decimal that was typed, not the binary number next to it."""
    return Fraction(Decimal(repr(float(value))))


def _rows(data) -> list[list[Fraction]]:
    if data.degree is not None:
        return [[_exact(x) ** k for k in range(data.degree + 1)] for x in data.X[:, 0]]
    return [[Fraction(1)] * data.fit_intercept + [_exact(x) for x in row] for row in data.X]


def _inverse(matrix: list[list[Fraction]]) -> list[list[Fraction]]:
    """Gauss–Jordan on [A | I]; a Gram matrix of full rank needs no row exchange."""
    p = len(matrix)
    work = [row + [Fraction(int(i == j)) for j in range(p)] for i, row in enumerate(matrix)]
    for k in range(p):
        pivot = work[k][k]
        work[k] = [v / pivot for v in work[k]]
        for i in range(p):
            if i != k:
                factor = work[i][k]
                work[i] = [a - factor * b for a, b in zip(work[i], work[k], strict=True)]
    return [row[p:] for row in work]


def _root(value: Fraction) -> Fraction:
    """The square root to 60 digits."""
    with localcontext() as context:
        context.prec = 60
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).sqrt())


def _solve(data):
    """Coefficients, standard errors, residual standard deviation and R², exact but for the square roots."""
    rows, y = _rows(data), [_exact(v) for v in data.y]
    n, p = len(rows), len(rows[0])
    gram = [[sum(r[i] * r[j] for r in rows) for j in range(p)] for i in range(p)]
    inverse = _inverse(gram)
    moment = [sum(r[i] * v for r, v in zip(rows, y, strict=True)) for i in range(p)]
    coef = [sum(a * b for a, b in zip(line, moment, strict=True)) for line in inverse]
    fitted = [sum(a * b for a, b in zip(r, coef, strict=True)) for r in rows]
    residual = sum((v - f) ** 2 for v, f in zip(y, fitted, strict=True))
    centre = sum(y) / n if data.fit_intercept else Fraction(0)
    total = sum((v - centre) ** 2 for v in y)
    variance = residual / (n - p)
    std_error = [_root(variance * inverse[i][i]) for i in range(p)]
    return [*coef, *std_error, _root(variance), 1 - residual / total]


def _same_digits(ours: Fraction, certified: float) -> bool:
    """Within half a unit of the 15th significant digit, all that NIST prints."""
    if certified == 0.0:
        return ours == 0
    last_digit = Fraction(10) ** (Decimal(repr(certified)).adjusted() - 14)
    return abs(ours - _exact(certified)) <= last_digit / 2


@pytest.mark.parametrize("name", NAMES)
def test_certified_values_follow_from_the_typed_data(name):
    data = getattr(datasets, name)()
    certified = [*data.coef.tolist(), *data.std_error.tolist(), data.residual_std, data.r_squared]
    wrong = [(float(a), b) for a, b in zip(_solve(data), certified, strict=True) if not _same_digits(a, b)]
    assert not wrong


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("nist_norris", (36, 1)),
        ("nist_pontius", (40, 1)),
        ("nist_longley", (16, 6)),
        ("nist_filip", (82, 1)),
        ("nist_noint1", (11, 1)),
        ("nist_noint2", (3, 1)),
        *[(f"nist_wampler{k}", (21, 1)) for k in range(1, 6)],
    ],
)
def test_shapes_are_those_nist_states(name, shape):
    assert getattr(datasets, name)().X.shape == shape
