"""FCML Fig. 3.15: the evidence of 14 heads in 20 tosses over the parameters of a beta prior.

It grows along the ray of priors with mean 14/20: the best one on the grid lies on its edge, and a wider grid
would find a surer one still. With a belief about the parameters themselves the ray is cut short: on the
right their posterior, from gamma beliefs with mean 20.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, figure, save

from suffice import plots
from suffice.distributions import Beta, Gamma, Hierarchical, evidence_grid
from suffice.distributions.coin_game import SCENARIOS

fig, axes = figure(1, 2, size=(11, 4.6))
grid = evidence_grid(Beta, 14, n=20, axes={"a": range(1, 51), "b": range(1, 31)})
plots.evidence_contours(grid, ax=axes[0])
for marker, (name, prior) in zip("os", [(k, v) for k, v in SCENARIOS.items() if v.b <= 30], strict=True):
    axes[0].plot(prior.a, prior.b, marker, color=INK, markersize=7, clip_on=False, linestyle="", label=name)
axes[0].legend(loc="upper left")
axes[0].set_title(f"Type II: evidence {grid.evidence:.4f}, on the edge")

model = Hierarchical({"a": Gamma(2.0, 0.1), "b": Gamma(2.0, 0.1)})
found = model.posterior(14, n=20)
r = np.linspace(0.001, 0.999, 400)
for label, belief, color in [
    ("type II prior", grid.prior, GREY),
    ("posterior of the type II prior", grid.prior.posterior(14, n=20), ORANGE),
    ("posterior averaged over (a, b)", found.theta(), BLUE),
]:
    axes[1].plot(r, belief.prob(r), color=color, label=label)
axes[1].set(xlabel="r", ylabel="density", xlim=(0.2, 1))
axes[1].set_ylim(bottom=0)
axes[1].set_title("The best prior is too sure")
axes[1].legend()
save(fig, __file__)
