"""Herbst & du Preez Figs. 4.1.1 and 4.1.3: a plane between two classes, and what a projection keeps.

Left: the signed distance of points from the plane. Right: the same long, thin classes projected on the line between
their means, where they overlap, and on Fisher's direction, where they do not. The points are ours.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, figure, save

from suffice.generative import FisherDiscriminant

rng = np.random.default_rng(3)
COLORS = [BLUE, ORANGE]
fig, axes = figure(1, 3, size=(15, 4.6))


def scatter(ax, X, y):
    for c in np.unique(y):
        ax.scatter(*X[y == c].T, s=14, color=COLORS[c], alpha=0.7, edgecolors="white", linewidths=0.4)


y = np.repeat([0, 1], 150)
X = rng.multivariate_normal([0, 0], [[2.2, 1.9], [1.9, 2.2]], 300) + np.where(
    y[:, None] == 1, [2.6, 0.4], 0.0
)
model = FisherDiscriminant().fit(X, y)
w = model.directions_[:, 0]
ax, at = axes[0], np.array([[-2.0, 1.0], [3.5, -0.5], [5.5, 4.0]])
scatter(ax, X, y)
foot, along = model.threshold_ * w, np.array([-w[1], w[0]])
ax.axline(foot, foot + along, color=INK, linewidth=1.4)
for x, r in zip(at, model.signed_distance(at), strict=True):
    ax.plot(*np.array([x, x - r * w]).T, color=INK, linewidth=1, linestyle="--", marker="o", markevery=[0])
    ax.annotate(f" r = {r:+.2f}", x, fontsize=9, va="bottom")
ax.annotate("w", foot - 3 * along, foot + w - 3 * along, arrowprops={"arrowstyle": "<-", "color": INK})
ax.set(title="Fig. 4.1.1: signed distances from a plane", aspect="equal", xlim=(-5, 7.5), ylim=(-5, 6))

names = {"mean_difference": "Fig. 4.1.3: line of the means", "fisher": "Fisher's direction"}
for ax, (method, name) in zip(axes[1:], names.items(), strict=True):
    m = FisherDiscriminant(method=method).fit(X, y)
    values = (m.transform(X)[:, 0] - m.threshold_) / np.std(m.transform(X)[:, 0])
    for c in (0, 1):
        ax.hist(
            values[y == c], bins=np.linspace(-3, 3, 41), color=COLORS[c], alpha=0.55, label=f"class {c + 1}"
        )
    ax.axvline(0, color=GREY, linestyle="--", linewidth=1)
    title = f"{name}: J = {m.separation():.4f}, errors {np.mean(m.predict(X) != y):.1%}"
    ax.set(title=title, xlabel="y − threshold, in standard deviations")
axes[1].legend()
save(fig, __file__)
