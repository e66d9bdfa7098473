"""DTU Figs 16.9–16.10 (quiz 16.1): which pair of rate curves belongs to the ROC curve?

At a false-positive rate of 0.1 this ROC curve is at about 0.95, so there must be a threshold with these two rates; one
of the four pairs has it. The curves of the quiz are not printed; these come from normal scores.
"""

import numpy as np
from _figure import GREEN, figure, save

from suffice import plots
from suffice.evaluation import roc, threshold_curves

rng = np.random.default_rng(1)
y = np.repeat([True, False], 1500)
gaps = {"A": 0.0, "B": 0.9, "C": 2.9, "D": 1.8}
scores = {name: rng.normal(np.where(y, gap, 0.0)) for name, gap in gaps.items()}

fig, axes = figure(1, 5, size=(19, 4.3))
curve = roc(y, scores["C"])
plots.roc(curve, ax=axes[0])
axes[0].plot(0.1, curve.tpr_at(0.1), "o", color=GREEN, markersize=8, zorder=5)
axes[0].set_title("Which pair?", pad=26)
for (name, score), ax in zip(scores.items(), axes[1:], strict=True):
    curves = threshold_curves(y, score)
    plots.threshold_curves(curves, ax=ax)
    at = curves.thresholds[np.argmax(curves.fpr <= 0.1)]
    ax.plot([at, at], [0.1, float(curves.at(at).tpr)], "o-", color=GREEN, linewidth=1, zorder=5)
    ax.set_title(f"{name}: TPR {float(curves.at(at).tpr):.2f} where FPR is 0.1", pad=26)
save(fig, __file__)
