"""FCML Fig. 4.7: twenty boundaries drawn from the Laplace posterior, and the probabilities that averaging them gives.

Every boundary is a line through the origin, but they differ, so that far from the rows they disagree: the averaged
contours fan out. At (−3, 5) the single best w says about one and the average much less, as in the text (≈ 1 and ≈ 0.6
on its own rows, which are not printed). Right: four ways to average, along the dashed line.
"""

import numpy as np
from _figure import GREY, INK, figure, save

from suffice import plots
from suffice.datasets import two_clouds
from suffice.glm import BayesianLogisticRegression

data = two_clouds(random_state=1)
model = BayesianLogisticRegression(1 / 10, fit_intercept=False).fit(data.X, data.y)
odd = np.array([[-3.0, 5.0]])
fig, (left, middle, right) = figure(1, 3, size=(17, 5.2))
plots.sampled_boundaries(model, data.X, data.y, draws=20, margin=0.5, random_state=3, ax=left)
left.set_title("20 boundaries from the posterior", pad=24)
plots.class_regions(model, data.X, data.y, of=1, levels=np.arange(1, 10) / 10, margin=0.5, ax=middle)
middle.set_title("P(t = 1 | x), averaged over the posterior", pad=24)
found = model.compare_predictions(odd)
for ax in (left, middle):
    ax.plot(*odd[0], "X", color=INK, markersize=9)
    ax.set(xlabel="x₁", ylabel="x₂")
words = f"{found.quadrature[0]:.2f}; at the best w {found.plug_in[0]:.2f}"
middle.text(
    -2.5, 4.2, words, fontweight="bold", bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85}
)

x = np.linspace(-6.0, 1.0, 141)
line = np.column_stack([x, np.full(141, 5.0)])
middle.plot(*line.T, color=GREY, linestyle="--", linewidth=1)
plots.prediction_comparison(model.compare_predictions(line), x, label="x₁, at x₂ = 5", ax=right)
right.axvline(-3, color=GREY, linewidth=0.9, linestyle=":")
right.set_title("What each way of averaging says", pad=24)
save(fig, __file__)
