"""DTU Figs 7.13–7.15: what to hope for, how much more data would help, and why one number is not enough.

Left: logistic regression on every pair of thirteen attributes of 178 wines, against always naming the most frequent
kind and against all attributes (the text has another table of wines). Middle: its learning curve. Right: two methods,
schematic as in the text; method 2 learns in jumps, and which of them "wins" depends on when one looks.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, band, figure, save
from scipy.stats import ttest_ind
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice.evaluation import learning_curve

X, y = load_wine(return_X_y=True)
model = make_pipeline(StandardScaler(), LogisticRegression())
curve = learning_curve(model, X, y, sizes=np.linspace(0.06, 1, 14), repeats=3, random_state=0)
pairs = [(i, j) for i in range(13) for j in range(i)]
each = [learning_curve(model, X[:, p], y, sizes=[1.0], cv=5, baseline=0.5, random_state=0) for p in pairs]
train, test = (np.sort([getattr(c, side)[0] for c in each]) for side in ("train", "test"))

fig, axes = figure(1, 3, size=(16, 4.4))
axes[0].plot(test, color=ORANGE, label="pairs, new rows")
axes[0].plot(train, color=BLUE, label="pairs, rows seen")
axes[0].axhline(curve.baseline, color=GREY, linestyle="--", label="baseline")
axes[0].axhline(curve.test[-1], color=GREEN, linestyle=":", label="all thirteen attributes")
axes[0].set(
    xlabel="pair of attributes, sorted", ylabel="error rate", title="Feasible, and with the right pair easy"
)
axes[0].legend(fontsize=8.5)
for mean, error, color, name in (
    (curve.test, curve.test_error, ORANGE, "new rows"),
    (curve.train, curve.train_error, BLUE, "rows seen"),
):
    band(axes[1], curve.sizes, mean - error, mean + error, color=color)
    axes[1].plot(curve.sizes, mean, "o-", color=color, markersize=3.5, label=name)
axes[1].set(xlabel="training rows", title=f"All attributes: {curve.diagnosis}")
axes[1].legend()

rng, time = np.random.default_rng(4), np.arange(0, 1001, 5)
steady = 0.5 + 0.33 * (1 - np.exp(-time / 180)) + 0.012 * rng.standard_normal((6, len(time)))
jumps = np.sort(rng.uniform(20, 900, (6, 5)), axis=1)
stairs = 0.5 + 0.076 * (time > jumps[:, :, None]).sum(axis=1) + 0.006 * rng.standard_normal((6, len(time)))
for runs, color, name in ((steady, BLUE, "method 1"), (stairs, ORANGE, "method 2")):
    axes[2].plot(time, runs.T, color=color, linewidth=0.7, alpha=0.6)
    axes[2].plot([], [], color=color, label=name)
for at in (200, 300, 1000):
    a, b = (runs[:, time == at].ravel() for runs in (steady, stairs))
    words = f" p = {ttest_ind(a, b).pvalue:.1g} \n for method {1 if a.mean() > b.mean() else 2} "
    axes[2].axvline(at, color=INK, linewidth=0.8, linestyle=":")
    axes[2].annotate(words, (at, 0.42), ha="left" if at == 300 else "right", fontsize=8.5)
axes[2].set(
    xlabel="training time", ylabel="accuracy", ylim=(0.4, 0.93), title="Look at curves before you test"
)
axes[2].legend(loc="upper left")
save(fig, __file__)
