"""PRML Fig. 3.14: the evidence of polynomials of order 0 to 9 on the ten points of the sine.

α = 0.005 as printed, β = 11.1. Training error only falls; the evidence has a peak. The text's peak is at order 3;
on these points that holds for x on [−1, 1] and is order 4 for x on [0, 1]: a prior on raw powers knows the units.
"""

import numpy as np
from _figure import BLUE, GREY, ORANGE, figure, points, save, whole_numbers

from suffice.bases import Polynomial
from suffice.datasets import sinusoid_10
from suffice.linear import BayesianLinearRegression, LinearRegression

data = sinusoid_10()
orders = range(10)
fits = [LinearRegression(basis=Polynomial(k)).fit(data.X, data.y) for k in orders]
rms = [np.sqrt(f.noise_variance_ml_) for f in fits]


def evidence(X):
    """Of every order; the constant has the weights' prior, as in the text."""
    options = {"noise_precision": 11.1, "intercept": "prior"}
    return [
        BayesianLinearRegression(5e-3, basis=Polynomial(k), **options).fit(X, data.y).log_evidence_
        for k in orders
    ]


fig, axes = figure(1, 3, size=(13, 3.9))
x = np.linspace(0, 1, 200)[:, None]
axes[0].plot(x, np.sin(2 * np.pi * x), color=GREY, label="sin 2πx")
for k, color in ((1, ORANGE), (3, BLUE)):
    axes[0].plot(x, fits[k].predict(x), "--", color=color, label=f"order {k}")
points(axes[0], data, "ten points")
axes[0].set(xlabel="x", ylabel="t", title="Order 2 adds nothing to order 1; order 3 does")
axes[1].plot(orders, rms, "o-", color=GREY)
axes[1].set(xlabel="order", ylabel="RMS on the training points", title="The fit always improves …")
for X, label, color in ((data.X, "x on [0, 1]", BLUE), (2 * data.X - 1, "x on [−1, 1]", ORANGE)):
    logs = evidence(X)
    best = int(np.argmax(logs))
    axes[2].plot(orders, logs, "o-", color=color, label=f"{label}: order {best}")
    axes[2].plot(best, logs[best], "o", markersize=12, mfc="none", color=color)
axes[2].set(xlabel="order", ylabel="log evidence", title="… the evidence stops at a modest order")
for ax in (axes[0], axes[2]):
    ax.legend()
for ax in axes[1:]:
    whole_numbers(ax)
save(fig, __file__)
