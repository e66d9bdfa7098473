"""PRML Fig. 3.13: a model is a distribution over data sets, and it has only one unit of probability to spend.

Three models with few, some and many Gaussian bumps. Left: data sets drawn from each. Right: the probability each
gives to sin(2πkx), k turns: the simple model bets on calm data, the complex one spreads its bets.
"""

import numpy as np
from _figure import INK, figure, save

from suffice.bases import GaussianBasis
from suffice.linear import BayesianLinearRegression

x = np.linspace(0, 1, 25)[:, None]
bumps = {"simple, 2 bumps": 2, "medium, 5 bumps": 5, "complex, 14 bumps": 14}
models = {
    name: BayesianLinearRegression(
        1.0,
        noise_precision=10.0,
        fit_intercept=False,
        basis=GaussianBasis(np.linspace(0, 1, m), width=0.75 / (m - 1)),
    )
    for name, m in bumps.items()
}
fig, axes = figure(1, 4, size=(16, 3.8), width_ratios=[1, 1, 1, 1.6])
for i, (ax, (name, model)) in enumerate(zip(axes, models.items(), strict=False)):
    ax.plot(
        x, model.sample_datasets(4, x, random_state=2).T, "o-", color=f"C{i}", markersize=2.5, linewidth=0.9
    )
    ax.set(xlabel="x", ylabel="t", ylim=(-3.4, 3.4), title=f"Drawn from {name}")

turns = np.linspace(0, 4, 81)
data = np.sin(2 * np.pi * x * turns)  # (25, turns)
logs = [[m.fit(x, t).log_evidence_ for t in data.T] for m in models.values()]
for name, log in zip(models, logs, strict=True):
    axes[3].plot(turns, log, label=name)
axes[3].axvline(1, color=INK, linewidth=1, linestyle=":", label="D₀, one turn")
axes[3].set(xlabel="turns k of the data set sin(2πkx)", ylabel="log evidence", ylim=(-78, 5))
axes[3].set_title("For D₀ the medium model has the highest evidence")
axes[3].legend(loc="lower left", ncols=2, fontsize=8.5)
save(fig, __file__)
