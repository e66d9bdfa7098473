"""FCML Fig. 1.16: training, leave-one-out and independent test loss when the truth is a cubic.

50 points train, 1000 test. Leave-one-out follows the test loss without seeing a single test point.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, figure, points, save, whole_numbers
from sklearn.model_selection import LeaveOneOut

from suffice.bases import Polynomial
from suffice.datasets import cubic_curve
from suffice.evaluation import cross_validate
from suffice.linear import LinearRegression

data, fresh = cubic_curve(50, random_state=1), cubic_curve(1000, random_state=5)
orders = range(1, 8)
fits = [LinearRegression(basis=Polynomial(k)).fit(data.X, data.y) for k in orders]
train = [f.noise_variance_ml_ for f in fits]
test = [np.mean((fresh.y - f.predict(fresh.X)) ** 2) for f in fits]
loo = [cross_validate(f, data.X, data.y, cv=LeaveOneOut()).estimate for f in fits]

fig, (left, right) = figure(1, 2)
points(left, data, "50 training points")
x = np.linspace(-5, 5, 200)
left.plot(x, 5 * x**3 - x**2 + x, color=GREY, label="truth")
left.plot(x, fits[2].predict(x[:, None]), color=BLUE, label="order 3")
left.set(xlabel="x", ylabel="t", title="A cubic in heavy noise")
left.legend()

right.plot(orders, train, "s--", color=GREY, label="training")
right.plot(orders, test, "o-", color=ORANGE, label="1000 test points")
right.plot(orders, loo, "o-", color=BLUE, label="leave-one-out")
right.axvline(3, color=INK, linewidth=0.8, linestyle=":")
right.set(xlabel="polynomial order", ylabel="mean squared loss", ylim=(15_000, 44_000))
right.set_title("Leave-one-out sees the bottom at the true order")
whole_numbers(right)
right.legend(loc="upper right")
save(fig, __file__)
