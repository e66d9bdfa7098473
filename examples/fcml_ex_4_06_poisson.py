"""FCML exercises 4.6–4.8: Poisson regression, its most probable weights, and two posteriors over them.

Counts tₙ ~ Poisson(exp(wᵀxₙ)) with a normal prior on w. Left: the fitted rate with rates drawn from the posterior, and
the 90 % interval of counts to come. Middle: the posterior is almost normal; draws by Metropolis–Hastings say the same
as Laplace's approximation. Right: a line for the counts themselves would allow negative ones; the log link does not.
The text gives no data; these have w = (1, 0.6).
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, figure, save

from suffice import plots
from suffice.glm import BayesianPoissonRegression, posterior_surface
from suffice.inference import MetropolisHastings
from suffice.linear import LinearRegression

rng = np.random.default_rng(46)
x = rng.uniform(-3, 3, (40, 1))
t = rng.poisson(np.exp(1 + 0.6 * x[:, 0]))
model = BayesianPoissonRegression(1 / 10, intercept="prior").fit(x, t)
choice = MetropolisHastings(n_draws=2500, seed=0)
drawn = BayesianPoissonRegression(1 / 10, intercept="prior", inference=choice).fit(x, t)
grid = np.linspace(-4.5, 3.5, 160)[:, None]

fig, (left, middle, right) = figure(1, 3, size=(16.5, 4.7))
coming = model.predict_dist(grid)
low, high = coming.interval(0.9)
left.fill_between(
    grid[:, 0], low, high, color=BLUE, alpha=0.12, linewidth=0, step="mid", label="90 % of counts"
)
left.plot(grid, np.exp(model.sample_boundaries(20, 1)(grid)).T, color=GREY, linewidth=0.6)
left.plot(grid, model.predict(grid), color=BLUE, label="mean")
left.plot(grid, np.exp(1 + 0.6 * grid), "--", color=INK, linewidth=1.1, label="truth")
surface = posterior_surface(model, x, t)
plots.posterior_surface(surface, truth=(1.0, 0.6), ax=middle)
middle.plot(*drawn.posterior_.flat[::20].T, ".", color=INK, markersize=2.5, alpha=0.7)
middle.set(xlabel="w₀", ylabel="w₁")
evidence = (model.log_evidence_, drawn.log_evidence_, drawn.log_evidence_error_)
told = "Log evidence: Laplace {:.3f}, draws {:.3f} ± {:.3f}".format(*evidence).replace("-", "−")
middle.text(0.02, 0.02, told, transform=middle.transAxes, color=INK, fontsize=8.5)
line = LinearRegression().fit(x, t)
told = f"line: {line.predict([[-4.5]])[0]:.1f} at −4.5".replace("-", "−")
right.plot(grid, line.predict(grid), color=ORANGE, label=told)
right.plot(grid, model.predict(grid), color=BLUE, label=f"log link: {model.predict([[-4.5]])[0]:.2f} at −4.5")
right.axhline(0, color=INK, linewidth=0.8)
for ax, title in (
    (left, "Rates and counts"),
    (middle, "Posterior, Laplace and draws"),
    (right, "Why not a line"),
):
    ax.set_title(title, pad=24)
    if ax is not middle:
        ax.scatter(x, t, s=20, color=INK, edgecolors="white", linewidths=0.6, zorder=5)
        ax.set(xlabel="x", ylabel="count")
        ax.legend(loc="upper left")
save(fig, __file__)
