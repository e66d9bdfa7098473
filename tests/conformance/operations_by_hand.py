"""Operations about lines worked by hand: the table, the scalar formulas, and where two lines cross."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from suffice import datasets
from suffice.inference import turning_point
from suffice.linear import LeastMeanSquares, SimpleLinearRegression, crossover, residuals
from suffice.linear.least_mean_squares import passed


class LineByHand:
    """The scalar closed form and its working table."""

    def __init__(self, data: str, at: list[float] | None = None):
        self.data = getattr(datasets, data)()
        self.model = SimpleLinearRegression().fit(self.data.X, self.data.y)
        self.table, self.at = self.model.table(), at

    def means(self):
        return list(self.table.means.values())

    def products(self):
        return self.table.xt

    def squares(self):
        return self.table.xx

    def numerator(self):
        m = self.table.means
        return m["xt"] - m["x"] * m["t"]

    def denominator(self):
        m = self.table.means
        return m["xx"] - m["x"] ** 2

    def weights(self):
        return [self.model.intercept_, self.model.coef_[0]]

    def predictions(self):
        return self.model.predict(np.asarray(self.at)[:, None])

    def second_derivatives(self):
        """Of the average loss, by finite differences at the minimum."""
        x, t = self.table.x, self.table.t
        point = turning_point(lambda w: np.mean((t - w[0] - w[1] * x) ** 2), self.weights())
        return np.diagonal(point.hessian) if point.kind == "minimum" else [np.nan, np.nan]

    def largest_residual(self):
        """The row that lies furthest from the line."""
        return int(np.argmax(np.abs(residuals(self.model, self.data.X, self.data.y).external)))


class CrossoverByHand:
    """Two lines by hand and where they cross, rounded up to a grid."""

    def __init__(self, first: str, second: str, every: float):
        lines = [LineByHand(name).model for name in (first, second)]
        self.crossing, self.every = crossover(*lines), every

    def x(self):
        return self.crossing.x

    def y(self):
        return self.crossing.y

    def rounded_up(self):
        return self.crossing.next_multiple(self.every)

    def after(self):
        return self.crossing.values_at(self.rounded_up())

    def before(self):
        return self.crossing.values_at(self.rounded_up() - self.every)


class OneRowAtATime:
    """The least-mean-squares rule: weights after every row, after many passes, and the factor of one pass."""

    def __init__(self, x: list[float], t: list[float], rate: float, passes: int = 1):
        self.X, self.t, self.rate, self.passes = np.asarray(x)[:, None], np.asarray(t), rate, passes

    def path(self):
        model, out = LeastMeanSquares(self.rate), []
        for x, t in zip(self.X, self.t, strict=True):
            model.partial_fit([x], [t])
            out.append([model.intercept_, model.coef_[0]])
        return out

    def weights(self):
        model = LeastMeanSquares(self.rate, epochs=self.passes).fit(self.X, self.t)
        return [model.intercept_, model.coef_[0]]

    def spectral_radius(self):
        """Of a pass, from the weights it reaches when the targets are zero: started at unit vectors."""
        columns, rates = np.column_stack([np.ones(len(self.X)), self.X]), np.full(len(self.X), self.rate)
        ends, _ = passed(np.eye(2), columns, np.zeros((len(self.X), 2)), rates)
        return np.max(np.abs(np.linalg.eigvals(ends)))


OPERATIONS: dict[str, Callable] = {
    "line_by_hand": LineByHand,
    "crossover_by_hand": CrossoverByHand,
    "one_row_at_a_time": OneRowAtATime,
}
