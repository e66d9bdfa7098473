"""Herbst & du Preez Figs. 1.2.1, 1.2.2, 1.5.1 and 1.6.1: counts, errors, decisions and entropy.

A table of counts becomes joint and marginal probabilities. Signatures are accepted above a threshold on their
score: false acceptances fall with it and false rejections rise; they cross at 4 %, as in the notes. Two joint
densities and the boundary between them: the areas are mistakes, the orange one could be saved. A peaked and
a spread histogram and their entropies. Neither counts nor scores are printed; these are ours.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, figure, save

from suffice import plots
from suffice.distributions import JointTable, Normal, decision, information

fig, axes = figure(2, 2, size=(11.5, 8))
counts = [[6, 4, 2], [3, 9, 6], [1, 2, 7]]
plots.joint_table(
    JointTable.from_counts(counts, {"y": ["y₁", "y₂", "y₃"], "x": ["x₁", "x₂", "x₃"]}), ax=axes[0, 0]
)
axes[0, 0].set_title("p(x, y) of 40 counts")

forged, genuine, t = Normal(0, 1), Normal(3.5, 1), np.linspace(-1, 5, 400)
(equal,) = decision.boundary(forged, genuine)
axes[0, 1].plot(t, 100 * forged.sf(t), color=ORANGE, label="forgeries accepted")
axes[0, 1].plot(t, 100 * genuine.cdf(t), color=BLUE, label="genuine ones rejected")
axes[0, 1].plot(equal, 100 * genuine.cdf(equal), "o", color=INK)
axes[0, 1].annotate(f"both {100 * genuine.cdf(equal):.1f} %", (equal, 12), ha="center")
axes[0, 1].set(xlabel="threshold", ylabel="%", ylim=(0, 60), title="Equal error rate")
axes[0, 1].legend(loc="upper center")

a, b, x, chosen = Normal(0, 1.0), Normal(2.6, 1.3), np.linspace(-3, 7, 600), 2.2
best = decision.boundary(a, b)[-1]
joint_a, joint_b = a.prob(x) / 2, b.prob(x) / 2
axes[1, 0].plot(x, joint_a, color=BLUE, label="p(x, C₁)")
axes[1, 0].plot(x, joint_b, color=GREEN, label="p(x, C₂)")
axes[1, 0].fill_between(x, joint_a, where=x >= chosen, color=BLUE, alpha=0.25, linewidth=0)
axes[1, 0].fill_between(x, joint_b, where=x <= chosen, color=GREEN, alpha=0.25, linewidth=0)
needless = (x >= best) & (x <= chosen)
axes[1, 0].fill_between(x, joint_a, joint_b, where=needless, color=ORANGE, alpha=0.7, linewidth=0)
for at, name, side in ((best, "best", "right"), (chosen, "chosen", "left")):
    axes[1, 0].axvline(at, color=GREY, linestyle="--", linewidth=1)
    axes[1, 0].annotate(f" {name}: {decision.threshold_error(a, b, at):.3f} ", (at, 0.225), ha=side)
axes[1, 0].set(xlabel="x", ylabel="joint density", ylim=(0, 0.25), title="P(mistake) of two boundaries")
axes[1, 0].legend(loc="upper left")

k = np.arange(30)
for std, color in ((1.5, BLUE), (6.0, ORANGE)):
    p = Normal(14.5, std).prob(k)
    p /= p.sum()
    axes[1, 1].bar(k, p, width=0.9, color=color, alpha=0.6, label=f"H = {information.entropy(p):.2f} nats")
axes[1, 1].set(xlabel="state", ylabel="probability", title=f"At most ln 30 = {np.log(30):.2f} nats")
axes[1, 1].legend(loc="upper right")
save(fig, __file__)
