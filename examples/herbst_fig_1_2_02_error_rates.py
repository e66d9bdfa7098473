"""Herbst & du Preez Fig. 1.2.2: false acceptance and false rejection of signatures, and where they are equal.

22 writers with 20 genuine and 12 forged signatures each, as in the notes; their scores are not printed, so these are
drawn to cross near the 4 % that the figure shows. Left: the curves. Middle: the scores at the equal error rate. Right:
how much to trust a rejection depends on how rare forgeries are.
"""

import numpy as np
from _figure import BLUE, GREY, figure, save

from suffice import plots
from suffice.evaluation import error_rates

rng = np.random.default_rng(18)
rates = error_rates(genuine=rng.normal(1.75, 1.0, 22 * 20), forged=rng.normal(-1.75, 1.0, 22 * 12))

fig, axes = figure(1, 3, size=(16, 4.6))
plots.error_rates(rates, ax=axes[0])
axes[0].set_title("Two kinds of mistake", pad=62)
plots.score_densities(rates, threshold=rates.eer_threshold, names=("forged", "genuine"), ax=axes[1])
axes[1].set_title("Scores, and the threshold between", pad=26)
share = np.logspace(-3, -0.05, 100)
axes[2].plot(share, rates.with_base_rate(share).posterior_positive, color=BLUE)
axes[2].axhline(0.5, color=GREY, linestyle="--", linewidth=1)
axes[2].set(xscale="log", xlabel="share of forgeries", ylabel="P(forged | rejected)", ylim=(0, 1))
axes[2].set_title(f"At an equal error rate of {float(rates.eer):.3f}")
save(fig, __file__)
