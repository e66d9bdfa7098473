"""DTU Figs 14.4–14.7: bias is how far the average fit is from the truth, variance how far single fits are from it.

Lines, parabolas and polynomials of order 6, each fitted to many sets of twelve points around a parabola. Ten fits are
drawn; the numbers are those of 400, and error = noise + bias² + variance holds to the last digit.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, band, mosaic, save
from matplotlib.patches import Circle

from suffice.bases import Polynomial
from suffice.evaluation import bias_variance
from suffice.linear import LinearRegression

grid, x = np.linspace(0, 3.6, 12)[:, None], np.linspace(0, 3.6, 150)[:, None]


def truth(X):
    return 1 + 2.2 * X[:, 0] - 0.7 * X[:, 0] ** 2


def simulate(rng):
    return grid, truth(grid) + 0.45 * rng.standard_normal(12)


layout = [["one", "a1", "a2", "a6"], ["two", "b1", "b2", "b6"], ["darts", "c1", "c2", "c6"]]
fig, axes = mosaic(layout, size=(15, 9))
for name, seed in (("one", 1), ("two", 2)):
    ax, (X, y) = axes[name], simulate(np.random.default_rng(seed))
    ax.plot(x, truth(x), color=INK, linewidth=1.2)
    ax.plot(x, LinearRegression(basis=Polynomial(2)).fit(X, y).predict(x), color=ORANGE)
    ax.plot(X, y, "o", color=BLUE, markersize=5)
    ax.set(title=f"Order 2 on data set {seed}", ylim=(-1, 4))

for order, word in ((1, "too stiff"), (2, "right"), (6, "too flexible")):
    model = LinearRegression(basis=Polynomial(order))
    parts = bias_variance(model, simulate, truth, n_sets=400, test=x, noise=0.45**2, random_state=0)
    fits, mean, spread = parts.predictions[:10], parts.mean_prediction, np.sqrt(parts.point_variance)
    top, middle, low = (axes[f"{row}{order}"] for row in "abc")
    top.plot(x, fits.T, color=ORANGE, linewidth=0.8, alpha=0.7)
    for ax in (top, middle):
        ax.plot(x, mean, color=ORANGE, linewidth=2.6, label="mean fit")
        ax.plot(x, truth(x), color=INK, linewidth=1.2, label="truth")
    band(middle, x, mean, truth(x), color=GREEN)
    band(low, x, -spread, spread, color=BLUE)
    low.plot(x, (fits - mean).T, color=GREY, linewidth=0.7)
    top.set(title=f"Order {order}, {word}: error {parts.error:.2f}", ylim=(-1, 4))
    middle.set(title=f"bias² {parts.bias2:.3f}", ylim=(-1, 4))
    low.set(title=f"variance {parts.variance:.3f}", ylabel="fit − mean fit", ylim=(-1.5, 1.5))
axes["a1"].legend(loc="lower center", ncols=2)

ax, rng = axes["darts"], np.random.default_rng(0)
for i, (shift, spread) in enumerate(((0, 0.1), (0.5, 0.1), (0, 0.3), (0.5, 0.3))):
    center = np.array([2.5 * (i % 2), -2.3 * (i // 2)])
    for radius in (1.0, 0.66, 0.33):
        ax.add_patch(Circle(center, radius, fill=False, color=GREY))
    ax.plot(*(center + shift + spread * rng.standard_normal((12, 2))).T, "o", color=ORANGE, markersize=3.5)
ax.set(xlim=(-1.2, 3.7), ylim=(-3.5, 1.2), aspect="equal", title="Darts: biased right, varying below")
ax.set_axis_off()
save(fig, __file__)
