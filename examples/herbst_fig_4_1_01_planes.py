"""Herbst & du Preez Figs. 4.1.1–4.1.3: a plane between classes, convex regions, and what a projection keeps.

Upper row: the signed distance of points from the plane of two classes; the regions of three, any two points of one
joined inside it. Lower row: two long, thin classes projected on the line between their means, where they overlap, and
on Fisher's direction, where they do not. The notes print no points; these are ours.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, figure, save
from matplotlib.colors import ListedColormap

from suffice.generative import FisherDiscriminant, LeastSquaresClassifier

rng = np.random.default_rng(3)
COLORS = [BLUE, ORANGE, GREEN]
fig, axes = figure(2, 2, size=(10.5, 8.4))


def scatter(ax, X, y):
    for c in np.unique(y):
        ax.scatter(*X[y == c].T, s=14, color=COLORS[c], alpha=0.7, edgecolors="white", linewidths=0.4)


thin = np.array([[2.2, 1.9], [1.9, 2.2]])
y = np.repeat([0, 1], 150)
X = rng.multivariate_normal([0, 0], thin, 300) + np.where(y[:, None] == 1, [2.6, 0.4], 0.0)
model = FisherDiscriminant().fit(X, y)
w = model.directions_[:, 0]

ax, at = axes[0, 0], np.array([[-2.0, 1.0], [3.5, -0.5], [5.5, 4.0]])
scatter(ax, X, y)
foot, along = model.threshold_ * w, np.array([-w[1], w[0]])
ax.plot(*np.array([foot - 9 * along, foot + 9 * along]).T, color=INK, linewidth=1.4)
for x, r in zip(at, model.signed_distance(at), strict=True):
    ax.plot(*np.array([x, x - r * w]).T, color=INK, linewidth=1, linestyle="--", marker="o", markevery=[0])
    ax.annotate(f" r = {r:+.2f}", x, fontsize=9, va="bottom")
ax.annotate("", foot + w - 3 * along, foot - 3 * along, arrowprops={"arrowstyle": "->", "color": INK})
ax.annotate("w", foot + 1.1 * w - 3 * along)
ax.set(title="Fig. 4.1.1: signed distances from a plane", aspect="equal", xlim=(-5, 7.5), ylim=(-5, 6))

ax, k = axes[0, 1], np.repeat([0, 1, 2], 60)
Z = 0.7 * rng.standard_normal((180, 2)) + np.array([[0.0, 0.0], [4.0, 0.5], [1.5, 3.5]])[k]
regions = LeastSquaresClassifier().fit(Z, k)
u, v = np.meshgrid(np.linspace(-3, 7, 300), np.linspace(-3, 6, 300))
shown = regions.predict(np.c_[u.ravel(), v.ravel()]).reshape(u.shape)
ax.pcolormesh(u, v, shown, cmap=ListedColormap(COLORS), alpha=0.18)
scatter(ax, Z, k)
a, b = np.array([2.6, -2.0]), np.array([6.2, 3.2])
met = np.unique(regions.predict(a + np.linspace(0, 1, 99)[:, None] * (b - a)))
ax.plot(*np.array([a, b]).T, color=INK, marker="o", linewidth=1.2)
ax.annotate("x_A ", a, ha="right"), ax.annotate("x_B ", b, ha="right")
ax.set(
    title=f"Fig. 4.1.2: from x_A to x_B there {'is one class' if len(met) == 1 else 'are several'}",
    aspect="equal",
)

bins = np.linspace(-5, 5, 41)
names = {"mean_difference": "Fig. 4.1.3: line of the means", "fisher": "Fisher's direction"}
for ax, (method, name) in zip(axes[1], names.items(), strict=True):
    m = FisherDiscriminant(method=method).fit(X, y)
    values = (m.transform(X)[:, 0] - m.threshold_) / np.std(m.transform(X)[:, 0])
    for c in (0, 1):
        ax.hist(values[y == c], bins=bins / 1.6, color=COLORS[c], alpha=0.55, label=f"class {c + 1}")
    ax.axvline(0, color=GREY, linestyle="--", linewidth=1)
    errors = np.mean(m.predict(X) != y)
    ax.set(title=f"{name}: J = {m.separation():.4f}, errors {errors:.1%}")
    ax.set(xlabel="y − threshold, in standard deviations")
axes[1, 0].legend()
save(fig, __file__)
