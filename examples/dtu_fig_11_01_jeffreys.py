"""DTU Figs 11.1 and 11.2: what m right out of n say about accuracy, and how often the interval is right.

Left: the posterior of the accuracy for 6 of 8 and 67 of 100, its 95 % interval shaded. Right: a hundred data sets of
100 rows with accuracy 0.7, each with its Jeffreys interval; about five should miss.
"""

from _figure import mosaic, save

from suffice import plots
from suffice.distributions import Beta
from suffice.evaluation import accuracy_from_counts, coverage

fig, axes = mosaic([["few", "many", "all", "all"]], size=(17, 4.4))
for name, m, n in (("few", 6, 8), ("many", 67, 100)):
    ax = plots.density(Beta(m + 0.5, n - m + 0.5), x="accuracy", ax=axes[name])
    found = accuracy_from_counts(m, n)
    low, high = found.interval
    ax.set_xlim(0, 1)
    ax.set_title(f"{m} of {n} right: {found.estimate:.2f} [{low:.2f}, {high:.2f}]")
simulated = coverage(
    lambda m: accuracy_from_counts(m, 100).interval, lambda p, rng: rng.binomial(100, p), 0.7, 100, 11
)
plots.coverage(simulated, ax=axes["all"])
save(fig, __file__)
