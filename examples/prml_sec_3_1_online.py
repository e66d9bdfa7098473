"""PRML §3.1.2–3.1.3 (Fig. 3.2): least squares as a projection, and learned one row at a time.

Left: three rows make y a point in space; its shadow on the plane of the columns is the fit. Right: the rule
w ← w + η(t − wᵀφ)φ with a small, a large and a shrinking rate, against least squares, over 400 rows of a line.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, STYLE, plt, save

from suffice.linear import LeastMeanSquares, LinearRegression, projection

plt.rcParams.update(STYLE)
fig = plt.figure(figsize=(11.5, 4.4), layout="constrained")
space, path = fig.add_subplot(1, 2, 1, projection="3d"), fig.add_subplot(1, 2, 2)

Phi, y = np.array([[1.0, 0.2], [0.3, 1.0], [0.2, 0.1]]), np.array([0.9, 0.9, 1.1])
p = projection(Phi, y)
a, b = np.meshgrid([-0.1, 0.95], [-0.1, 0.95])
plane = a[..., None] * Phi[:, 0] + b[..., None] * Phi[:, 1]
space.plot_surface(*np.moveaxis(plane, -1, 0), color=GREY, alpha=0.25)
for end, color, name in (
    (Phi[:, 0], GREY, "φ₁"),
    (Phi[:, 1], GREY, "φ₂"),
    (y, INK, "t"),
    (p.fitted, BLUE, "y"),
):
    space.quiver(0, 0, 0, *end, color=color, arrow_length_ratio=0.08, linewidth=1.8)
    space.text(*(end * 1.07), name, color=color, fontsize=12)
space.plot(
    *np.column_stack([p.fitted, y]), "--", color=ORANGE, label="residual, at right angles to the plane"
)
space.set(xlim=(0, 1.2), ylim=(0, 1.2), zlim=(0, 1.2), xticklabels=[], yticklabels=[], zticklabels=[])
space.view_init(18, -70)
space.set_title("Least squares drops t onto the columns' plane")
space.legend(loc="lower center")

rng = np.random.default_rng(0)
x = rng.uniform(-1, 1, 400)
t = 1 + 2 * x + 0.5 * rng.standard_normal(400)
best = LinearRegression().fit(x[:, None], t).coef_[0]
rates = {
    "η = 0.02": (0.02, 0.0, BLUE),
    "η = 0.5": (0.5, 0.0, ORANGE),
    "η = 0.5/(1 + 0.1 k)": (0.5, 0.1, GREEN),
}
for name, (rate, decay, color) in rates.items():
    model = LeastMeanSquares(rate, decay=decay)
    slopes = [model.partial_fit([[v]], [s]).coef_[0] for v, s in zip(x, t, strict=True)]
    path.plot(range(1, 401), slopes, color=color, linewidth=1.4, label=name)
path.axhline(best, color=INK, linestyle="--", linewidth=1, label="least squares")
path.set(xlabel="rows seen", ylabel="slope", title="Small steps are slow, large ones restless")
path.legend(loc="lower right")
save(fig, __file__)
