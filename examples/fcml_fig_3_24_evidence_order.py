"""FCML Figs 3.24–3.25: the evidence chooses the order of a polynomial, and depends on the prior.

t = 5x³ − x² + x with noise of variance 150, taken as known; prior N(0, σ₀² I) on all weights. Shrinking σ₀²
forbids the weight 5 that the truth needs, and the evidence moves to many small weights instead.
"""

import numpy as np
from _figure import BLUE, GREY, INK, figure, points, save, whole_numbers

from suffice.bases import Polynomial
from suffice.datasets import cubic_curve
from suffice.linear import BayesianLinearRegression

data = cubic_curve(100, 150**0.5, random_state=0)
orders = np.arange(1, 8)


def log_evidence(prior_variance):
    """Of every order."""
    options = {"noise_precision": 1 / 150, "intercept": "prior"}
    models = [
        BayesianLinearRegression(1 / prior_variance, basis=Polynomial(int(k)), **options) for k in orders
    ]
    return np.array([m.fit(data.X, data.y).log_evidence_ for m in models])


fig, axes = figure(1, 3, size=(13, 3.9))
x = np.linspace(-5.1, 5.1, 200)
points(axes[0], data, "100 points", s=12)
axes[0].plot(x, 5 * x**3 - x**2 + x, color=GREY, label="truth, a cubic")
axes[0].set(xlabel="x", ylabel="t", title="A cubic with a little noise")
axes[0].legend()

logs = log_evidence(1.0)
chance = np.exp(logs - logs.max())
axes[1].bar(orders, chance / chance.sum(), color=[INK if k == 3 else BLUE for k in orders], width=0.6)
axes[1].set(
    xlabel="order", ylabel="p(order | data), equal beforehand", title="σ₀² = 1: the evidence finds it"
)

for variance in (1.0, 0.3, 0.2, 0.15, 0.1):
    logs = log_evidence(variance)
    (line,) = axes[2].plot(orders, logs - logs.max(), "o-", markersize=4, label=f"σ₀² = {variance:g}")
    axes[2].plot(orders[np.argmax(logs)], 0, "o", markersize=10, mfc="none", color=line.get_color())
axes[2].set(xlabel="order", ylabel="log evidence below the best", ylim=(-60, 5))
axes[2].set_title("A prior too tight for the truth misleads")
axes[2].legend(loc="lower center")
for ax in axes[1:]:
    whole_numbers(ax)
save(fig, __file__)
