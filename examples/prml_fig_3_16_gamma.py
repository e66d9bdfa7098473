"""PRML Figs 3.16–3.17: the evidence sets the prior precision α where γ, the number of well-determined
parameters, equals 2αE_W = α wᵀw (eq. 3.92).

Ten points of the sine, nine Gaussians and a constant, β = 11.1 known. As α sweeps from 0 to ∞, γ falls from
10 to 0 and every weight shrinks to its prior mean, each in its own time.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, figure, save

from suffice.bases import GaussianBasis
from suffice.datasets import sinusoid, sinusoid_10
from suffice.linear import BayesianLinearRegression

data, test = sinusoid_10(), sinusoid(1000, 0.3, random_state=1)
options = {
    "noise_precision": 11.1,
    "intercept": "prior",
    "basis": GaussianBasis(np.linspace(0, 1, 9), width=0.1),
}
grid = np.linspace(-5, 10, 120)
models = [BayesianLinearRegression(float(np.exp(a)), **options).fit(data.X, data.y) for a in grid]
w = np.array([np.append(m.intercept_, m.coef_) for m in models])
gamma = np.array([m.well_determined_parameters_ for m in models])
error = np.array([np.mean((test.y - m.predict(test.X)) ** 2) for m in models])
best = np.log(BayesianLinearRegression(**options).fit(data.X, data.y).prior_precision_)

fig, axes = figure(1, 3, size=(14, 4))
axes[0].plot(grid, gamma, color=ORANGE, label="γ, well-determined parameters")
axes[0].plot(grid, np.exp(grid) * np.sum(w**2, axis=1), color=BLUE, label="2αE_W")
axes[0].set(xlabel="ln α", ylim=(0, 13), title=f"They cross at ln α = {best:.2f} …")
axes[1].plot(grid, [m.log_evidence_ for m in models], color=ORANGE, label="log evidence")
axes[1].set(
    xlabel="ln α", ylabel="log evidence", title="… where the evidence peaks, near the best test error"
)
right = axes[1].twinx()
right.plot(grid, error, color=BLUE, label="test error (right axis)")
right.set(ylabel="mean squared test error", ylim=(0, None))
right.grid(False)
axes[1].legend(handles=[*axes[1].lines, *right.lines], loc="lower center")
for ax in axes[:2]:
    ax.axvline(best, color=GREY, linewidth=1, linestyle="--")
axes[0].legend()

axes[2].plot(gamma, w, linewidth=1.2)
axes[2].axvline(np.interp(best, grid, gamma), color=GREY, linewidth=1, linestyle="--")
axes[2].axhline(0, color=INK, linewidth=0.6)
axes[2].set(xlabel="γ", ylabel="posterior mean of each weight", title="Weights grow as γ lets them")
save(fig, __file__)
