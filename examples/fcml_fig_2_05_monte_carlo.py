"""FCML Fig. 2.5: E y² of a uniform number, from more and more draws.

The estimate after S draws wanders towards 1/3; its standard error, from the same draws, says how far it may
still be off and falls as 1/√S.
"""

import numpy as np
from _figure import BLUE, INK, band, figure, save

from suffice.distributions import Uniform, monte_carlo

fig, ax = figure(size=(7, 3.9))
result = monte_carlo(np.square, Uniform(0, 1), 10_000, rng=4)
draws = result.counts[1:]
estimate, error = result.running[1:], result.running_error[1:]
band(ax, draws, estimate - 1.96 * error, estimate + 1.96 * error, "± 1.96 standard errors")
ax.plot(draws, estimate, color=BLUE, label="estimate")
ax.axhline(1 / 3, color=INK, linestyle="--", linewidth=1, label="1/3")
ax.set(xscale="log", xlabel="draws S", ylabel="estimate of E y²", xlim=(2, result.n), ylim=(0, 0.8))
ax.set_title(f"After {result.n:,} draws: {result.estimate:.4f} ± {result.standard_error:.4f}")
ax.legend()
save(fig, __file__)
