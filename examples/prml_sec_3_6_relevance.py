"""PRML §3.6 names the relevance vector machine: a bump at every row, and the evidence prunes nearly all of them.

A hundred rows of the sine with noise 0.2, one bump of width 0.12 per row and one precision per weight. A handful of
bumps survive, and their rows are the relevance vectors. On the right: what each surviving bump contributes.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, band, figure, points, save

from suffice.bases import GaussianBasis
from suffice.datasets import sinusoid
from suffice.linear import ARDRegression

data = sinusoid(100, 0.2, random_state=0)
model = ARDRegression(basis=GaussianBasis(data.X, width=0.12)).fit(data.X, data.y)
x = np.linspace(0, 1, 300)[:, None]
d = model.predict_dist(x)
low, high = d.interval(0.95)
kept = np.flatnonzero(model.coef_)
vectors = model.relevance_vectors_

fig, axes = figure(1, 2, size=(11, 4))
ax = axes[0]
points(ax, data, s=16, color=GREY)
band(ax, x, low, high, "95 % of new observations")
ax.plot(x, np.sin(2 * np.pi * x), color=GREY, linewidth=1.2, linestyle="--", label="sin 2πx")
ax.plot(x, d.mean, color=BLUE, label="relevance vector machine")
at = [int(np.argmin(np.abs(data.X[:, 0] - v))) for v in vectors[:, 0]]
ax.scatter(
    vectors[:, 0], data.y[at], s=110, facecolors="none", edgecolors=ORANGE, linewidths=1.8, zorder=6,
    label=f"{len(vectors)} relevance vectors",
)  # fmt: skip
ax.set(xlabel="x", ylabel="t", title=f"{len(vectors)} of {len(data.y)} rows carry the fit", ylim=(-1.9, 2.6))
ax.legend(loc="upper right", fontsize=8.5)

bumps = model.basis_(x)[:, kept] * model.coef_[kept]
for j, vector in enumerate(vectors[:, 0]):
    axes[1].plot(x, bumps[:, j], color=ORANGE, linewidth=1.2, label="weight × bump" if j == 0 else None)
    axes[1].axvline(vector, color=GREY, linewidth=0.7, linestyle=":")
axes[1].plot(x, d.mean - model.intercept_, color=BLUE, label="their sum")
axes[1].axhline(0, color=INK, linewidth=0.6)
axes[1].set(xlabel="x", title="What is left of a hundred bumps")
axes[1].legend(loc="upper right", fontsize=8.5)
save(fig, __file__)
