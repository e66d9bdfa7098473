"""DTU Figs 16.2–16.8: the scores of two classes, what a threshold makes of them, and the ROC curve that knows all.

Top: 120 positive and 380 negative rows at three thresholds; mistakes are dark. Bottom: both rates against the
threshold, the ROC curve with its 95 % band, and a better classifier beside a coin. The scores of the text are not
printed; these are drawn from normal distributions.
"""

import numpy as np
from _figure import figure, save

from suffice import plots
from suffice.evaluation import roc, threshold_curves

rng = np.random.default_rng(16)
y = np.repeat([True, False], [120, 380])
score = 1 / (1 + np.exp(-rng.normal(np.where(y, 0.9, -0.9), 1.0)))
better = 1 / (1 + np.exp(-rng.normal(np.where(y, 1.8, -1.8), 1.0)))
curve = roc(y, score)

fig, axes = figure(2, 3, size=(15, 8.6))
for ax, threshold in zip(axes[0], (0.25, 0.5, 0.75), strict=True):
    plots.score_densities(curve, threshold=threshold, ax=ax)
    table = curve.at(threshold)
    ax.set_title(f"TPR {float(table.tpr):.2f}, FPR {float(table.fpr):.2f}", pad=26)
plots.threshold_curves(threshold_curves(y, score), threshold=0.5, ax=axes[1, 0])
axes[1, 0].set_title("Both rates fall as the threshold rises", pad=26)
plots.roc(curve, threshold=0.5, ax=axes[1, 1])
axes[1, 1].set_title("All thresholds at once", pad=44)
plots.roc({"better": roc(y, better), "a coin": roc(y, rng.random(500))}, ax=axes[1, 2])
axes[1, 2].set_title("From good to useless", pad=44)
save(fig, __file__)
