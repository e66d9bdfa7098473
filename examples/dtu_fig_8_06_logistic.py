"""DTU Figs 8.6 and 8.7: the logistic sigmoid, and logistic regression on one input.

Left: σ. Middle and right: the line z = w₀ + w₁x and the probability σ(z) that it becomes; where the line crosses zero
the probability is ½. The rows of Fig. 8.7 are not printed; these are drawn from the curve that is dashed.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, figure, save
from scipy.special import expit

from suffice import plots
from suffice.glm import LogisticRegression
from suffice.likelihoods import BernoulliLogit

rng = np.random.default_rng(5)
x = rng.uniform(-4, 4, 60)
y = (rng.random(60) < expit(-0.5 + 1.2 * x)).astype(int)
model = LogisticRegression(prior_precision=0).fit(x[:, None], y)
edge = -model.intercept_[0] / model.coef_[0, 0]
grid = np.linspace(-4.5, 4.5, 300)
z = model.decision_function(grid[:, None])
root = np.column_stack([np.ones(300), grid]) @ model.root_
reach = 1.96 * np.linalg.norm(root, axis=1)

fig, (left, middle, right) = figure(1, 3, size=(15, 4.1))
plots.link_functions({"σ(z)": BernoulliLogit()}, low=-6, high=6, ax=left)
left.set(xlabel="z", ylabel="")
left.set_title("The logistic sigmoid", pad=24)
for ax, change, truth in ((middle, np.asarray, -0.5 + 1.2 * grid), (right, expit, expit(-0.5 + 1.2 * grid))):
    ax.fill_between(grid, change(z - reach), change(z + reach), color=BLUE, alpha=0.15, linewidth=0)
    ax.plot(grid, change(z), color=BLUE, label="fitted, with its 95 % band")
    ax.plot(grid, truth, "--", color=GREY, linewidth=1.2, label="truth")
    ax.axvline(edge, color=INK, linewidth=0.9, linestyle=":")
    ax.set_xlabel("x")
middle.axhline(0, color=INK, linewidth=0.9)
middle.set(ylim=(-13, 13))
middle.set_title(f"z = {model.intercept_[0]:.2f} + {model.coef_[0, 0]:.2f} x".replace("-", "−"), pad=24)
right.scatter(x, y, c=np.where(y, ORANGE, INK), s=22, zorder=4, edgecolors="white", linewidths=0.6)
right.annotate(f"z = 0 at x = {edge:.2f}", (edge, 0.5), (10, -4), textcoords="offset points", fontsize=9)
right.set_title("σ(z): the probability of y = 1", pad=24)
middle.legend(loc="lower right", fontsize=8.5)
save(fig, __file__)
