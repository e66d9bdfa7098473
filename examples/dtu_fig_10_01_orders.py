"""DTU Figs 10.1–10.4 and 10.9: three polynomials on nine points, and who is asked which one is best.

The training error says order 6; three new points, or three folds of the nine, say order 2, which is the truth. A trace
of penalty stands in for least squares, since the six rows of two folds cannot determine seven weights.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, figure, save
from sklearn.model_selection import KFold

from suffice.bases import Polynomial
from suffice.datasets import quadratic_curve
from suffice.evaluation import validate_path
from suffice.linear import Ridge

law = {"coefficients": (1.0, 2.2, -0.7), "noise_std": 0.45, "low": 0.0, "high": 3.6}
data, new = quadratic_curve(9, random_state=196, **law), quadratic_curve(3, random_state=77, **law)
orders, model = (1, 2, 6), Ridge(1e-6, basis=Polynomial(1))
fits = [Ridge(1e-6, basis=Polynomial(k)).fit(data.X, data.y).predict for k in orders]
train, test = ([np.mean((d.y - f(d.X)) ** 2) for f in fits] for d in (data, new))
folds = KFold(3, shuffle=True, random_state=2)
path = validate_path(model, data.X, data.y, "basis__degree", orders, cv=folds)

fig, axes = figure(2, 3, size=(13, 7.4))
x = np.linspace(0, 3.6, 300)[:, None]
truth = np.polynomial.Polynomial(law["coefficients"])(x)
for ax, order, f in zip(axes[0], orders, fits, strict=True):
    ax.plot(x, truth, color=INK, linewidth=1.2, label="truth")
    ax.plot(x, f(x), color=ORANGE, label="fit")
    ax.scatter(data.X, data.y, s=30, color=BLUE, zorder=4, label="9 training points")
    ax.scatter(new.X, new.y, s=34, color=GREEN, marker="s", zorder=4, label="3 test points")
    ax.set(title=f"Order {order}", xlabel="x", ylabel="y", ylim=(-0.6, 4.2))
axes[0, 0].legend(loc="lower center", ncols=2, fontsize=8.5)


def bars(ax, values, color, title, label):
    """One bar per order, the smallest in full colour."""
    place = np.arange(3)
    best = int(np.argmin(values))
    drawn = ax.bar(place, values, width=0.55, color=[color if i == best else GREY for i in place])
    ax.bar_label(drawn, [f"{v:.2g}" for v in values], padding=2, fontsize=9)
    ax.set(title=title, ylabel=label, ylim=(0, 1.15 * max(values)))
    ax.set_xticks(place, [f"order {k}" for k in orders])
    ax.grid(False)


bars(axes[1, 0], train, BLUE, "The training error falls with every order …", "training error")
bars(axes[1, 1], test, GREEN, "… three new points prefer the truth …", "test error")
bars(axes[1, 2], path.test, ORANGE, "… and so do the nine points, folded", "3-fold error")
save(fig, __file__)
