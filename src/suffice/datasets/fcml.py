"""Rogers & Girolami, A First Course in Machine Learning: printed tables, and generators for its figures."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, as_numbers, check_number
from suffice._core.random import generator
from suffice.datasets._records import GENERATED, Dataset, check_size

_TEXT = "Rogers & Girolami, A First Course in Machine Learning"
_FACTS = "public facts (race results)"

_MEN = {
    1896: 12.00, 1900: 11.00, 1904: 11.00, 1906: 11.20, 1908: 10.80, 1912: 10.80, 1920: 10.80, 1924: 10.60,
    1928: 10.80, 1932: 10.30, 1936: 10.30, 1948: 10.30, 1952: 10.40, 1956: 10.50, 1960: 10.20, 1964: 10.00,
    1968: 9.95, 1972: 10.14, 1976: 10.06, 1980: 10.25, 1984: 9.99, 1988: 9.92, 1992: 9.96, 1996: 9.84,
    2000: 9.87, 2004: 9.85, 2008: 9.69,
}  # fmt: skip
_WOMEN = {
    1928: 12.20, 1932: 11.90, 1936: 11.50, 1948: 11.90, 1952: 11.50, 1956: 11.50, 1960: 11.00, 1964: 11.40,
    1968: 11.00, 1972: 11.07, 1976: 11.08, 1980: 11.06, 1984: 10.97, 1988: 10.54, 1992: 10.82, 1996: 10.94,
    2000: 11.12, 2004: 10.93, 2008: 10.78,
}  # fmt: skip
_TOSSES = ("HTHHHHHHHH", "HTHHHHTTTH", "HHTTHHHHHH")  # §3.3.1 repeats seven of the second, less a head


def coin_tosses() -> Dataset:
    """Ten tosses for each of three players of the coin game: 1 is heads (§3.1.1 and §3.3).

    Player 1 stands in front of us in the queue; players 2 and 3 are the two games that we watch.

    Examples
    --------
    >>> data = coin_tosses()
    >>> data.X.shape, [int(data.y[data.X[:, 0] == player].sum()) for player in (1, 2, 3)]
    ((30, 2), [9, 6, 8])
    """
    games, tosses = np.indices((len(_TOSSES), len(_TOSSES[0])))
    places = np.column_stack([games.ravel(), tosses.ravel()]) + 1.0
    heads = np.array([float(toss == "H") for toss in "".join(_TOSSES)])
    source = f"{_TEXT}, §3.1.1 and §3.3"
    return Dataset(places, heads, ("player", "toss"), "heads", source, "public facts")


def olympic_100m_men() -> Dataset:
    """Winning times of the Olympic men's 100 m, 1896–2008 (Table 1.2).

    The intercalated games of 1906 are included; there were no games in 1916, 1940 and 1944.

    Examples
    --------
    >>> data = olympic_100m_men()
    >>> data.X.shape, float(data.y[-1])
    ((27, 1), 9.69)
    """
    return _games(_MEN, f"{_TEXT}, Table 1.2")


def olympic_100m_women() -> Dataset:
    """Winning times of the Olympic women's 100 m, 1928–2008 (Table 1.3)."""
    return _games(_WOMEN, f"{_TEXT}, Table 1.3")


def three_points() -> Dataset:
    """The three points on which the text works least squares by hand (Table 1.1)."""
    x, t = np.array([[1.0], [3.0], [5.0]]), np.array([4.8, 11.3, 17.2])
    return Dataset(x, t, ("x",), "t", f"{_TEXT}, Table 1.1", "public facts")


def quadratic_curve(
    n: int = 200,
    coefficients: tuple[float, float, float] = (1.0, -2.0, 0.5),
    noise_std: float = 0.5,
    low: float = -5.0,
    high: float = 5.0,
    random_state: Any = None,
) -> Dataset:
    """A noisy quadratic, for the comparison of a line and a parabola (Fig. 1.9).

    The text prints neither the data nor the law. The defaults 1 − 2x + x²/2 on U(−5, 5) with noise of
    standard deviation ½ are those of the program circulated with it.
    """
    return _polynomial(n, coefficients, noise_std, low, high, None, random_state, f"{_TEXT}, Fig. 1.9")


def cubic_curve(
    n: int = 50,
    noise_std: float = 150.0,
    low: float = -5.0,
    high: float = 5.0,
    gap: tuple[float, float] | None = None,
    random_state: Any = None,
) -> Dataset:
    """The noisy cubic t = 5x³ − x² + x, on which the text shows how to choose an order.

    - Fig. 1.16 (cross-validation): the text prints n = 50 training and n = 1000 test points and a
      third-order truth, not the law; the coefficients and `noise_std=150` are not printed there.
    - Figs 2.17–2.18 (predictive variance): `noise_std=1000**0.5`, with `gap` around x = 1; n, the range
      and the gap's edges are not printed ((0, 2) is ours; exercise 2.12 removes (−1.5, 1.5)).
    - Figs 3.24–3.25 (evidence): `noise_std=150**0.5`; n and the range are not printed.

    Points are drawn uniformly on (low, high) outside `gap`, which reaches to neither end.
    """
    source = f"{_TEXT}, Figs 1.16, 2.17 and 3.24"
    return _polynomial(n, (0.0, 1.0, -1.0, 5.0), noise_std, low, high, gap, random_state, source)


def ridge_line(noise_std: float = 3.0**0.5, random_state: Any = None) -> Dataset:
    """Six noisy points of t = 2x − 3 at x = 0, 0.2, …, 1 (Fig. 1.17).

    A fifth-order polynomial passes through all of them; ridge regression tames it. The text prints that
    there are six points; the line, the grid and the noise variance of 3 are those of the program circulated
    with it.
    """
    check_number("noise_std", noise_std, low=0.0)
    x = np.arange(6) / 5.0
    t = 2.0 * x - 3.0 + noise_std * generator(random_state).standard_normal(6)
    return Dataset(x[:, None], t, ("x",), "t", f"{_TEXT}, Fig. 1.17", GENERATED)


def noisy_line(
    n: int = 20,
    intercept: float = -2.0,
    slope: float = 3.0,
    noise_std: float = 0.5,
    low: float = 0.0,
    high: float = 1.0,
    random_state: Any = None,
) -> Dataset:
    """A noisy straight line on uniform inputs.

    - The defaults are eq. 2.39 of Rogers & Girolami (Figs 2.12–2.14, 2.19): t = −2 + 3x, variance ¼, n = 20,
      x ~ U(0, 1), all printed.
    - Bishop's Fig. 3.7 is `noisy_line(20, -0.3, 0.5, 0.2, -1, 1)`, all printed.
    """
    source = f"{_TEXT}, eq. 2.39; Bishop, Pattern Recognition and Machine Learning, Fig. 3.7"
    return _polynomial(n, (intercept, slope), noise_std, low, high, None, random_state, source)


def two_clouds(
    n: int = 50,
    center: tuple[float, float] = (1.5, 1.5),
    noise_std: float = 1.0,
    random_state: Any = None,
) -> Dataset:
    """Two classes in the plane, one cloud about `center` and one about its mirror image (Figs 4.1–4.7).

    The text prints no data. A line through the origin separates these clouds about as well as its own, so that its
    logistic regression, which has no constant, fits them. Labels are 1 about `center` and 0 opposite, in turn.

    Examples
    --------
    >>> data = two_clouds(100, random_state=0)
    >>> data.X.shape, data.y[:4].tolist()
    ((100, 2), [0, 1, 0, 1])
    """
    check_size(n)
    check_number("noise_std", noise_std, low=0.0)
    at = as_numbers("center", center)
    if at.shape != (2,) or not np.isfinite(at).all():
        raise InvalidParameter(f"center must be two finite numbers; got {center!r}.")
    t = np.arange(n) % 2
    X = np.outer(2 * t - 1, at) + noise_std * generator(random_state).standard_normal((n, 2))
    return Dataset(X, t, ("x1", "x2"), "t", f"{_TEXT}, Fig. 4.1", GENERATED)


def _games(times: dict[int, float], source: str) -> Dataset:
    years = np.array(list(times), dtype=float)
    return Dataset(years[:, None], np.array(list(times.values())), ("year",), "seconds", source, _FACTS)


def _polynomial(
    n: int,
    coefficients: tuple[float, ...],
    noise_std: float,
    low: float,
    high: float,
    gap: tuple[float, float] | None,
    random_state: Any,
    source: str,
) -> Dataset:
    check_size(n)
    check_number("noise_std", noise_std, low=0.0)
    if not low < high:
        raise InvalidParameter(f"low must be smaller than high; got {low!r} and {high!r}.")
    inputs, noise = generator(random_state).spawn(2)
    x = _uniform_outside(inputs.random(n), low, high, gap)
    t = np.polynomial.polynomial.polyval(x, coefficients) + noise_std * noise.standard_normal(n)
    return Dataset(x[:, None], t, ("x",), "t", source, GENERATED)


def _uniform_outside(u: np.ndarray, low: float, high: float, gap: tuple[float, float] | None) -> np.ndarray:
    """Uniform numbers moved to (low, high) without the gap: the gap is jumped over."""
    if gap is None:
        return low + (high - low) * u
    left, right = gap
    if not low < left < right < high:
        raise InvalidParameter(f"gap must lie inside ({low:g}, {high:g}); got {gap!r}.")
    x = low + (high - low - (right - left)) * u
    return np.where(x < left, x, x + (right - left))
