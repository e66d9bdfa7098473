"""DTU Figs 10.11–10.12: attributes of random numbers fit the noise of nine points, and spoil the predictions of six.

The model has x and x², which is the truth, then 0 to 7 columns of junk; like the text's, it is held back by a little
penalty. Averages over 100 draws say what one draw (dots) only suggests.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, mosaic, save, whole_numbers

from suffice.datasets import quadratic_curve
from suffice.evaluation import junk_attributes
from suffice.linear import Ridge

law = {"coefficients": (1.0, 2.2, -0.7), "noise_std": 0.45, "low": 0.0, "high": 3.6}
data, shown, model = quadratic_curve(15, random_state=3, **law), (0, 3, 6), Ridge(0.01)
X, split = np.column_stack([data.X, data.X**2]), [(np.arange(9), np.arange(9, 15))]
one = junk_attributes(model, X, data.y, cv=split, random_state=1)
junk = np.random.default_rng(1).spawn(1)[0].random((15, 7))  # the columns of that draw

fig, axes = mosaic([["0", "3", "6", "errors"]], size=(15.5, 4), width_ratios=[1, 1, 1, 1.25])
x = np.linspace(0, 3.6, 200)
for s in shown:
    ax, wide = axes[str(s)], np.column_stack([X, junk[:, :s]])
    fitted = model.fit(wide[:9], data.y[:9]).predict(wide)
    ax.plot(x, np.polynomial.Polynomial(law["coefficients"])(x), color=INK, linewidth=1.2, label="truth")
    for rows, color, marker, name in (
        (slice(0, 9), BLUE, "o", "training"),
        (slice(9, 15), GREEN, "s", "test"),
    ):
        at = data.X[rows, 0]
        ax.vlines(at, data.y[rows], fitted[rows], color=GREY, linewidth=2.5, alpha=0.6)
        ax.scatter(at, data.y[rows], s=26, color=color, marker=marker, zorder=4, label=name)
        ax.scatter(at, fitted[rows], s=30, color=ORANGE, marker="_", linewidth=2.5, zorder=5)
    ax.scatter([], [], s=30, color=ORANGE, marker="_", linewidth=2.5, label="prediction")
    errors = f"training error {one.train[s]:.2f}, test error {one.test[s]:.2f}"
    ax.set(title=f"{s} junk attributes" if s else "No junk", xlabel=f"x  ({errors})", ylim=(-1.2, 4.6))
axes["0"].set_ylabel("y")
axes["0"].legend(loc="lower center", fontsize=8.5, ncols=2)

many = junk_attributes(model, X, data.y, cv=split, repeats=100, random_state=0)
for values, dots, color, name in (
    (many.test, one.test, GREEN, "test"),
    (many.train, one.train, BLUE, "training"),
):
    axes["errors"].plot(many.values, values, "-", color=color, label=f"{name}, mean of 100 draws")
    axes["errors"].plot(shown, dots[list(shown)], "o", color=color, label=f"{name}, draw shown")
axes["errors"].set(xlabel="junk attributes", ylabel="squared error", yscale="log", ylim=(2e-3, 4))
axes["errors"].set_title("Better on seen points, worse on new ones")
whole_numbers(axes["errors"])
axes["errors"].legend(loc="lower left", fontsize=8.5)
save(fig, __file__)
