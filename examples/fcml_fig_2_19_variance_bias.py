"""FCML Fig. 2.19: the maximum-likelihood noise variance is too small, by the factor 1 − D/N.

t = −2 + 3x plus noise of variance 0.25. Each dot is the mean over 300 to 6000 data sets, fitted as 300 targets
at a time; at N = 20 theory says 0.2250. Dividing by N − D instead of N removes the bias.
"""

import numpy as np
from _figure import BLUE, GREY, ORANGE, figure, save

from suffice.linear import LinearRegression

rng = np.random.default_rng(3)
sizes = np.array([20, 30, 50, 80, 150, 300, 600, 1200, 2500, 5000, 10_000])
ml, unbiased = [], []
for n in sizes:
    X = rng.random((n, 1))
    noise = 0.5 * rng.standard_normal((max(1, 400 // n), n, 300))
    fits = [LinearRegression().fit(X, -2 + 3 * X + e) for e in noise]
    ml.append(np.mean([f.noise_variance_ml_ for f in fits]))
    unbiased.append(np.mean([f.noise_variance_ for f in fits]))

fig, ax = figure(size=(6.8, 4))
n = np.geomspace(18, 11_000, 200)
ax.axhline(0.25, color=GREY, linewidth=1, label="truth, σ² = 0.25")
ax.plot(n, 0.25 * (1 - 2 / n), "--", color=BLUE, label="theory, σ²(1 − 2/N)")
ax.plot(sizes, ml, "o", color=BLUE, label="mean of SSE/N")
ax.plot(sizes, unbiased, "s", color=ORANGE, markersize=5, label="mean of SSE/(N − 2)")
ax.set(xscale="log", xlabel="rows, N", ylabel="estimated noise variance", ylim=(0.22, 0.258))
ax.set_title("Fitting uses up two rows: maximum likelihood forgets them")
ax.legend(loc="lower right")
save(fig, __file__)
