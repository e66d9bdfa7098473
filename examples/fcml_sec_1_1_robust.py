"""FCML §1.1.3: the loss is a choice. One wrong row drags least squares along; the median line stays.

The men's 100 m with the time of 1988 typed as 19.9 for 9.9 seconds. Right: how far the prediction for 2012 moves as
that time is made worse and worse: without bound for squares, hardly at all for absolute values.
"""

import numpy as np
from _figure import BLUE, GREY, ORANGE, figure, points, save

from suffice.datasets import olympic_100m_men
from suffice.linear import LeastAbsoluteDeviations, LinearRegression

men = olympic_100m_men()
row = int(np.flatnonzero(men.X[:, 0] == 1988)[0])


def fits(time):
    y = men.y.copy()
    y[row] = time
    return y, LinearRegression().fit(men.X, y), LeastAbsoluteDeviations().fit(men.X, y)


years = np.array([[1892.0], [2014.0]])
wrong, squares, absolute = fits(men.y[row] + 10)
fig, (left, right) = figure(1, 2, size=(10.5, 4))
points(left, men)
left.scatter([1988], [wrong[row]], color=ORANGE, marker="X", s=60, zorder=6, label="typing error")
left.plot(years, squares.predict(years), color=ORANGE, label="least squares")
left.plot(years, absolute.predict(years), color=BLUE, label="least absolute deviations")
left.plot(
    years, LinearRegression().fit(men.X, men.y).predict(years), ":", color=GREY, label="squares, no error"
)
left.set(xlabel="year", ylabel="seconds", title="One wrong row of 27 turns the line of squares")
left.legend()

added = np.linspace(-2, 20, 60)
moved = np.array([[m.predict([[2012.0]])[0] for m in fits(men.y[row] + a)[1:]] for a in added])
right.plot(added, moved[:, 0], color=ORANGE, label="least squares")
right.plot(added, moved[:, 1], color=BLUE, label="least absolute deviations")
right.set(xlabel="error of one row, seconds", ylabel="prediction for 2012, seconds")
right.set_title("The pull of a row is bounded, or it is not")
right.legend()
save(fig, __file__)
