"""The picture of the README: a prediction with its uncertainty, and a comparison with its uncertainty.

Left: ten noisy points of a sine, precisions found by evidence, twelve functions drawn from the posterior. Right:
cross-validated losses on 442 diabetes patients, with intervals, the baseline among them.
"""

import numpy as np
from _figure import BLUE, GREEN, INK, band, figure, points, save

from suffice.baselines import MeanRegressor
from suffice.bases import GaussianBasis, Polynomial
from suffice.datasets import diabetes, sinusoid_10
from suffice.evaluation import cross_validate
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge
from suffice.plots import comparison

fig, (left, right) = figure(1, 2, size=(12, 4.2), width_ratios=[1.25, 1])

data = sinusoid_10()
model = BayesianLinearRegression(basis=GaussianBasis(9, width=0.15)).fit(data.X, data.y)
x = np.linspace(-0.25, 1.25, 400)[:, None]
d = model.predict_dist(x)
band(left, x, *d.interval(0.95), "95 % of observations")
left.plot(x, model.sample_functions(12, random_state=4)(x).T, color=BLUE, alpha=0.35, linewidth=0.8)
left.plot([], [], color=BLUE, alpha=0.5, linewidth=0.8, label="functions it still believes in")
left.plot(x, d.mean, color=BLUE, linewidth=2.4, label="mean")
left.plot(x, np.sin(2 * np.pi * x), "--", color=GREEN, linewidth=1.4, label="truth")
points(left, data, "ten points", s=38)
left.set(xlabel="x", ylabel="y", xlim=(-0.25, 1.25), ylim=(-2.2, 2.9))
left.set_title("Ten points, no settings: the fit knows what it does not know")
left.legend(loc="upper right", ncols=2)

table = diabetes()
models = {
    "mean (baseline)": MeanRegressor(),
    "least squares": LinearRegression(),
    "ridge, standardized": Ridge(10.0, standardize=True),
    "Bayesian": BayesianLinearRegression(standardize=True),
    "Bayesian, squares and products": BayesianLinearRegression(
        basis=Polynomial(2, interactions=True), standardize=True
    ),
}
results = {name: cross_validate(m, table.X, table.y, cv=10) for name, m in models.items()}
best = min(results, key=lambda name: results[name].estimate)
comparison(results, baseline="mean (baseline)", best=best, ax=right)
right.set_title("442 patients, five models, one reading each", color=INK)
save(fig, __file__, folder="docs", name="readme")
