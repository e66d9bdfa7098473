r"""One column, one line, by hand: the scalar closed form and its working table (FCML §1.1.4–1.1.6).

Slope        ŵ₁ = (mean(xt) − mean(x) mean(t)) / (mean(x²) − mean(x)²)      (FCML 1.10)
Intercept    ŵ₀ = mean(t) − ŵ₁ mean(x)                                      (FCML 1.8)
Noise        σ̂² = SSE / N,   s² = SSE / (N − 2)
Line at x*   variance s² (1/N + (x* − x̄)² / Σ(x − x̄)²)

Numerator and denominator are computed as Σ(x − x̄)(t − t̄) and Σ(x − x̄)²: the same numbers, without the
cancellation that costs half the digits where x are years.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, Self, final

import numpy as np
from sklearn.base import RegressorMixin

from suffice._core.errors import InvalidInput, NumericalError, RankDeficient, warn
from suffice._core.frames import to_frame
from suffice._core.records import estimator, frozen_array, record
from suffice._core.showing import escape
from suffice._estimator import Estimator, check_is_fitted, open_inputs, open_table, remember_columns
from suffice.distributions import StudentT
from suffice.statistics.layout import dense

COLUMNS = ("x", "t", "xt", "xx")
LARGE = 1e140  # whose square a number can still hold
EPS = np.finfo(float).eps


@record
class WorkingTable:
    """The sums of a least-squares line, row by row: x, t, x·t and x², with their means below."""

    x: np.ndarray
    t: np.ndarray

    @property
    def xt(self) -> np.ndarray:
        """Products of input and target."""
        return self.x * self.t

    @property
    def xx(self) -> np.ndarray:
        """Squares of the input."""
        return self.x**2

    @property
    def means(self) -> dict[str, float]:
        """The bottom row."""
        return {name: float(np.mean(getattr(self, name))) for name in COLUMNS}

    def frame(self, kind: str = "pandas") -> Any:
        """The rows and the means as a table; the first column numbers the rows."""
        first = [*map(str, range(1, len(self.x) + 1)), "mean"]
        columns = {name: np.append(getattr(self, name), self.means[name]) for name in COLUMNS}
        return to_frame({"n": first} | columns, kind)

    def _cells(self) -> list[list[str]]:
        rows = [[f"{getattr(self, c)[i]:.6g}" for c in COLUMNS] for i in range(len(self.x))]
        body = [[str(i + 1), *row] for i, row in enumerate(rows)]
        head, foot = ["n", "x", "t", "x·t", "x²"], ["mean", *(f"{v:.6g}" for v in self.means.values())]
        return [head, *body, foot]

    def __repr__(self) -> str:
        cells = self._cells()
        widths = [max(len(row[j]) for row in cells) for j in range(len(cells[0]))]
        lines = ["  ".join(f"{c:>{w}}" for c, w in zip(row, widths, strict=True)) for row in cells]
        rule = "-" * len(lines[0])
        return "\n".join([lines[0], rule, *lines[1:-1], rule, lines[-1]])

    def _repr_html_(self) -> str:
        head, *body, foot = [
            "".join(f"<{tag}>{escape(c)}</{tag}>" for c in row)
            for tag, row in zip(_tags(len(self.x)), self._cells(), strict=True)
        ]
        rows = "".join(f"<tr>{row}</tr>" for row in body)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody><tfoot><tr>{foot}</tr></tfoot></table>"


def _check_size(name: str, values: np.ndarray) -> None:
    """The table holds squares, which must neither overflow nor vanish."""
    size = np.max(np.abs(values))
    if size > LARGE or 0 < size < 1 / LARGE:
        raise InvalidInput(
            f"Column {name!r} has numbers of the order {size:.0e}, whose squares "
            f"{'overflow' if size > LARGE else 'vanish'}; rescale it."
        )


def _tags(n: int) -> list[str]:
    return ["th", *["td"] * n, "th"]


@final
@estimator
class SimpleLinearRegression(RegressorMixin, Estimator):
    """A line through one column, by the formulas one would use by hand; `LinearRegression` with its working shown.

    It keeps the rows of the fit, for `table()`.

    Examples
    --------
    >>> from suffice.linear import SimpleLinearRegression
    >>> model = SimpleLinearRegression().fit([[1.0], [3.0], [5.0]], [4.8, 11.3, 17.2])
    >>> print(f"{model.intercept_:.1f} + {model.coef_[0]:.1f} x")
    1.8 + 3.1 x
    >>> model.table()
       n  x     t      x·t       x²
    -------------------------------
       1  1   4.8      4.8        1
       2  3  11.3     33.9        9
       3  5  17.2       86       25
    -------------------------------
    mean  3  11.1  41.5667  11.6667
    """

    table_: WorkingTable = field(init=False)
    center_: float = field(init=False)
    spread_: float = field(init=False)
    value_: float = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: float = field(init=False)
    dof_: float = field(init=False)
    noise_variance_: float = field(init=False)
    noise_variance_ml_: float = field(init=False)

    _input_tags = ("sparse",)

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to a table with one column.

        Parameters
        ----------
        X
            One column; rows are observations.
        y
            One target.
        """
        X, Y, header = open_table(self, X, y)
        if X.shape[1] != 1 or header.n_targets is not None:
            raise InvalidInput(
                f"SimpleLinearRegression takes one column and one target; got {X.shape[1]} and {Y.shape[1]}. "
                "LinearRegression takes more."
            )
        x, t = dense(X)[:, 0], Y[:, 0]
        _check_size(header.feature_names[0], x)
        _check_size("y", t)
        self.table_ = WorkingTable(frozen_array(x), frozen_array(t))
        self.center_, self.value_ = float(np.mean(x)), float(np.mean(t))
        dx, dt = x - self.center_, t - self.value_
        self.spread_ = float(dx @ dx)
        flat = np.sqrt(self.spread_) <= 16 * EPS * np.sqrt(len(x)) * np.max(np.abs(x))
        slope = 0.0 if flat else float(dx @ dt) / self.spread_
        self.coef_, self.intercept_ = np.array([slope]), self.value_ - slope * self.center_
        sse = float(np.sum((dt - slope * dx) ** 2))
        n, parameters = len(x), 1 if flat else 2
        self.dof_ = float(n - parameters)
        self.noise_variance_ml_ = sse / n
        self.noise_variance_ = sse / self.dof_ if self.dof_ > 0 else np.nan
        remember_columns(self, header)
        if flat:
            warn(f"Column {header.feature_names[0]!r} does not vary, so its slope is 0.", RankDeficient)
        return self

    def table(self) -> WorkingTable:
        """The working table of the text, its bottom row the means (FCML Tables 1.1–1.3)."""
        check_is_fitted(self)
        return self.table_

    def predict(self, X: Any) -> np.ndarray:
        """The line at each row."""
        x = self._inputs(X)
        return self.value_ + (x - self.center_) * self.coef_[0]

    def leverage(self, X: Any) -> np.ndarray:
        """1/N + (x − x̄)² / Σ(x − x̄)²: how strongly each row would pull its own prediction."""
        away = (self._inputs(X) - self.center_) ** 2
        return 1 / len(self.table_.x) + (away / self.spread_ if self.spread_ > 0 else 0 * away)

    def predict_dist(self, X: Any, *, noise: bool = True) -> StudentT:
        """Student-t of a new observation; `noise=False` for the uncertainty of the line alone."""
        mean = self.predict(X)
        if self.dof_ <= 0:
            n = len(self.table_.x)
            raise NumericalError(f"{n} rows leave no residual degrees of freedom; uncertainty needs three.")
        scale = np.sqrt(self.noise_variance_ * (self.leverage(X) + float(noise)))
        return StudentT(self.dof_, mean, scale)

    def _inputs(self, X: Any) -> np.ndarray:
        return dense(open_inputs(self, X))[:, 0]
