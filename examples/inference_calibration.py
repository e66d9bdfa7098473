"""Which posteriors keep their promises? Ranks of true weights among draws of three posteriors (Talts and others, 2018).

Weights of a logistic regression come from a wide prior, N(0, 100), and eight labels from the weights. Where few labels
are told apart by a line, the posterior of its slope is long on one side. A normal density around the mode cannot be:
the true slope lies beyond its draws too often. Sums over a grid and a random walk have no such error.
"""

import numpy as np
from _figure import figure, save
from scipy.special import expit

from suffice import plots
from suffice.glm import BayesianLogisticRegression
from suffice.inference import (
    Calibration,
    LaplaceApproximation,
    MetropolisHastings,
    Quadrature,
    calibrate,
)

X = np.random.default_rng(3).standard_normal((8, 1))
CHOICES = {
    "Laplace": LaplaceApproximation(),
    "quadrature": Quadrature(tol=1e-4),
    "Metropolis–Hastings": MetropolisHastings(1000, 2, 500, 8),
}


def simulate(rng):
    """Weights and labels, both anew until there are two classes."""
    while True:
        w = 10 * rng.standard_normal(2)
        y = (rng.random(len(X)) < expit(w[0] + X @ w[1:])).astype(int)
        if 0 < y.sum() < len(y):
            return w, (X, y)


found = {}
for name, choice in CHOICES.items():
    model = BayesianLogisticRegression(0.01, intercept="prior", inference=choice)
    found[name] = calibrate(model, simulate, 200, names=["intercept", "slope"], random_state=0)
    print(f"{name}: {found[name].verdict} {found[name].coverage(0.95)}")

slopes = Calibration(np.column_stack([one.ranks[:, 1] for one in found.values()]), 99, tuple(found))
fig, axes = figure(2, 3, size=(13, 6.4), sharex=True, sharey="row")
plots.calibration_ranks(slopes, ax=axes)
fig.suptitle("Ranks of the true slope among 99 posterior draws, 200 simulated tables of eight labels")
save(fig, __file__)
