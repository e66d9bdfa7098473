"""PRML Fig. 3.17: weights against γ, the effective number of parameters, and the same for the lasso.

Ten points of the sine, nine Gaussians and a constant, β = 11.1 known, as in Fig. 3.16: as α falls from ∞ to 0, γ rises
from 0 to 10 (the nine Gaussians are drawn). On the right the lasso of the same columns, against Σ|w|.
"""

import numpy as np
from _figure import figure, save

from suffice import plots
from suffice.bases import GaussianBasis
from suffice.datasets import sinusoid_10
from suffice.linear import BayesianLinearRegression, Lasso, coefficient_path

data, basis = sinusoid_10(), GaussianBasis(np.linspace(0, 1, 9), width=0.1)
bayes = BayesianLinearRegression(noise_precision=11.1, intercept="prior", basis=basis)
best = bayes.fit(data.X, data.y)
smooth = coefficient_path(bayes, data.X, data.y, penalties=np.exp(np.linspace(-5, 10, 120)))
sparse = coefficient_path(Lasso(basis=basis), data.X, data.y, penalties=np.logspace(-4, 0, 200))

fig, (left, right) = figure(1, 2, size=(13.5, 5))
plots.coefficient_path(smooth, against="parameters", chosen=best.effective_parameters_, ax=left)
left.set(ylabel="posterior mean of each weight")
left.set_title("Gaussian prior: all weights grow with γ", pad=24)
plots.coefficient_path(sparse, against="budget", ax=right)
right.set_title("Lasso: one weight after the other leaves zero", pad=24)
save(fig, __file__)
