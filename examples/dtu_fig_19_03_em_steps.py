"""DTU Figs 19.3 to 19.5: a start, three steps of expectation and maximization, and where they lead after twenty.

In E rows take the colors of the components, by the parameters so far; in M the parameters follow the rows, whose colors
stay. Ellipses are two standard deviations from the mean. The log likelihood rises ever more slowly. The rows of the
text are not printed; these are drawn alike.
"""

import warnings

import numpy as np
from _figure import BLUE, figure, save
from _three_groups import three_groups

from suffice import plots
from suffice.mixtures import GaussianMixture

X = three_groups(150, seed=4)
start = {
    "weights_init": np.full(3, 1 / 3),
    "means_init": [[-1.0, 4.0], [2.0, 1.0], [6.0, 1.0]],
    "precisions_init": np.tile(np.eye(2) / 2, (3, 1, 1)),
}


def after(steps):
    """The model after so many steps from the start."""
    with warnings.catch_warnings(action="ignore"):  # that it has not converged is the point
        return GaussianMixture(3, max_iter=steps, tol=0, reg_covar=0, **start).fit(X)


fig, axes = figure(3, 3, size=(13, 11))
panels = axes.ravel()
plots.mixture_ellipses(after(0), levels=[2], ax=panels[0])
panels[0].scatter(*X.T, s=18, color="#8a94a6", edgecolors="white", linewidths=0.3, zorder=2)
titles = ["the start"]
for step in (1, 2, 3):
    expect, maximize = panels[2 * step - 1], panels[2 * step]
    plots.mixture_ellipses(after(step - 1), X, levels=[2], ax=expect)
    colors = expect.collections[0].get_facecolors()
    plots.mixture_ellipses(after(step), levels=[2], ax=maximize)
    maximize.scatter(*X.T, s=18, c=colors, edgecolors="white", linewidths=0.3, zorder=2)
    titles += [f"E, step {step}", f"M, step {step}"]
last = after(20)
plots.mixture_ellipses(last, X, levels=[2], ax=panels[7])
for ax, title in zip(panels, [*titles, "after 20 steps"], strict=False):
    ax.get_legend().remove()
    ax.set(title=title, xlim=(-4, 9), ylim=(-6, 11), xlabel="x₁", ylabel="x₂")
panels[8].plot(last.trace_.objective, "o-", color=BLUE, markersize=4)
panels[8].set(title="the log likelihood", xlabel="step", ylabel="L", xticks=range(0, 21, 5))
save(fig, __file__)
