"""DTU Fig. 10.10: the smallest of fourteen estimates is too good to be true.

Fourteen models, each a line on one attribute; those in the middle know a little about y. Ten-fold errors, in units of
the mean's, scatter around the true ones, and the smallest is one that chance has favoured. Rows that took no part in
the choice judge it fairly: that is the outer layer of two-layer cross-validation.
"""

import numpy as np
from _figure import BLUE, INK, ORANGE, mosaic, save
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline

from suffice.baselines import MeanRegressor
from suffice.evaluation import cross_validate, validate_path
from suffice.linear import LinearRegression

strength = 0.4 * np.exp(-0.5 * ((np.arange(14) - 6.5) / 3) ** 2)
model = make_pipeline(make_column_transformer(("passthrough", [0])), LinearRegression())
values = [[("one", "passthrough", [j])] for j in range(14)]


def draw(seed, n=50):  # the target has variance one
    rng = np.random.default_rng(seed)
    X, noise = rng.standard_normal((n, 14)), rng.standard_normal(n)
    return X, X @ strength + np.sqrt(1 - np.sum(strength**2)) * noise


def look(seed):
    """Estimates, true errors, the choice, and its error on rows that took no part in it."""
    X, y = draw(seed)
    path = validate_path(model, X, y, "columntransformer__transformers", values)
    fits = [LinearRegression().fit(X[:, [j]], y) for j in range(14)]
    a, b = np.array([(f.intercept_, f.coef_[0]) for f in fits]).T
    best, (new, t) = path.best_index, draw(10_000 + seed)
    outer = np.mean((t - fits[best].predict(new[:, [best]])) ** 2) / np.mean((t - y.mean()) ** 2)
    found = path.test / cross_validate(MeanRegressor(), X, y).estimate
    return found, 1 - strength**2 + a**2 + (b - strength) ** 2, best, outer


fig, axes = mosaic([["0", "1", "all"], ["2", "3", "all"]], size=(14, 7.2), width_ratios=[1, 1, 0.8])
runs, at = [look(seed) for seed in range(50)], np.arange(1, 15)
for i, (found, true, best, outer) in enumerate(runs[:4]):
    ax = axes[str(i)]
    ax.plot(at, true, color=INK, label="truth")
    ax.plot(at, found, "o", color=ORANGE, ms=5, label="estimate")
    ax.plot(best + 1, found[best], "o", ms=13, mfc="none", mew=1.8, color=ORANGE, label="smallest")
    ax.plot(best + 1, outer, "D", color=BLUE, ms=7, label="new rows")
    ax.set(title=f"Data set {i + 1}", xlabel="model", ylabel="error / baseline's", ylim=(0.6, 1.3), xticks=at)
axes["0"].legend(loc="upper center", fontsize=8.5, ncols=4)

ax, gaps = axes["all"], [(found[best] - true[best], outer - true[best]) for found, true, best, outer in runs]
for place, (color, gap) in enumerate(zip((ORANGE, BLUE), np.transpose(gaps), strict=True)):
    ax.plot(place + np.linspace(-0.25, 0.25, 50), gap, "o", color=color, ms=4, alpha=0.5)
    ends = [place - 0.32, place + 0.32], [gap.mean()] * 2
    ax.plot(*ends, color=color, linewidth=3.5, label=f"mean {gap.mean():.2f}".replace("-", "−"))
ax.axhline(0, color=INK, linewidth=1)
ax.set(title="Estimate − truth in 50 data sets", xlim=(-0.6, 1.6))
ax.set_xticks([0, 1], ["smallest estimate", "new rows"])
ax.legend(loc="lower right")
save(fig, __file__)
