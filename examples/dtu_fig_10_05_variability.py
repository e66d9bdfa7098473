"""DTU Figs 10.5–10.8: a test error is random, and cross-validation averages it over all points.

Left: the test errors of 200 sets of three points scatter around the generalization error. Right: three folds of nine
points, models × folds; every point is tested once, bars are its errors.
"""

import numpy as np
from _figure import BLUE, GOLD, GREEN, GREY, INK, ORANGE, PINK, mosaic, save
from sklearn.model_selection import KFold

from suffice.bases import Polynomial
from suffice.datasets import quadratic_curve
from suffice.evaluation import cross_validate
from suffice.linear import Ridge

law = {"coefficients": (1.0, 2.2, -0.7), "noise_std": 0.45, "low": 0.0, "high": 3.6}
data, orders = quadratic_curve(9, random_state=196, **law), (1, 2, 6)
models = {k: Ridge(1e-6, basis=Polynomial(k)) for k in orders}  # least squares but for a trace
fits = {k: m.fit(data.X, data.y) for k, m in models.items()}
folds = KFold(3, shuffle=True, random_state=2)

layout = [["sets", *(f"{k}{i}" for i in range(3))] for k in orders]
layout[2][0] = "errors"
fig, axes = mosaic(layout, size=(14.5, 8.6), width_ratios=[1.35, 1, 1, 1])
x = np.linspace(0, 3.6, 300)[:, None]
truth = np.polynomial.Polynomial(law["coefficients"])(x)

axes["sets"].plot(x, truth, color=INK, linewidth=1.2, label="truth")
axes["sets"].plot(x, fits[2].predict(x), color=ORANGE, label="order 2, fitted to 9 points")
for s, (marker, color) in enumerate(zip("s^D", (GOLD, GREEN, PINK), strict=True)):
    new = quadratic_curve(3, random_state=60 + s, **law)
    error = np.mean((new.y - fits[2].predict(new.X)) ** 2)
    axes["sets"].scatter(
        new.X, new.y, marker=marker, color=color, s=44, zorder=4, label=f"test set {s + 1}: error {error:.2f}"
    )
axes["sets"].set(xlabel="x", ylabel="y", ylim=(-0.4, 4.2), title="Three test sets, three test errors")
axes["sets"].legend(loc="lower center", fontsize=8.5)

rng = np.random.default_rng(0)
for place, k in enumerate(orders):
    sets = [quadratic_curve(3, random_state=s, **law) for s in range(200)]
    errors = np.array([np.mean((d.y - fits[k].predict(d.X)) ** 2) for d in sets])
    axes["errors"].scatter(place + rng.uniform(-0.16, 0.16, 200), errors, s=7, color=GREY, alpha=0.7)
    axes["errors"].plot([place - 0.28, place + 0.28], [errors.mean()] * 2, color=ORANGE, linewidth=2.5)
axes["errors"].set(yscale="log", ylim=(4e-3, 4), ylabel="test error", title="200 test sets; their mean")
axes["errors"].set_xticks(range(3), [f"order {k}" for k in orders])

for k in orders:
    result = cross_validate(models[k], data.X, data.y, cv=folds)
    for i, (a, b) in enumerate(folds.split(data.X)):
        ax = axes[f"{k}{i}"]
        ax.plot(x, models[k].fit(data.X[a], data.y[a]).predict(x), color=ORANGE, linewidth=1.4)
        ax.vlines(data.X[b, 0], result.predictions[b], data.y[b], color=GREY, linewidth=3, alpha=0.7)
        ax.scatter(data.X[a], data.y[a], s=20, color=BLUE, zorder=4)
        ax.scatter(data.X[b], data.y[b], s=26, color=GREEN, marker="s", zorder=4)
        ax.set(
            ylim=(-0.6, 4.4), xticks=[], yticks=[], title=f"Fold {i + 1}: error {result.fold_losses[i]:.2g}"
        )
    axes[f"{k}0"].set_ylabel(f"order {k}, mean {result.estimate:.2g}", fontweight="bold")
save(fig, __file__)
