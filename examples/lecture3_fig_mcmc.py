"""Lecture 3: the same six points by draws from the posterior, next to Laplace's approximation and the exact answer.

Left: draws on the posterior; it leans to steep slopes, so that the ellipses at its mode miss a tail. Middle: the slope
by itself. Right: P(C = 1 | x). The best θ is too sure far out; Laplace's average is too unsure; the mean over draws is
right but for its own error. The slides print no numbers; rows and numbers are ours.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, figure, save

from suffice import plots
from suffice.distributions import Normal
from suffice.glm import BayesianLogisticRegression, LogisticRegression, posterior_surface
from suffice.inference import MetropolisHastings, Quadrature

x, t = np.array([[-2.0], [-1.0], [-0.5], [0.5], [1.0], [2.5]]), [0, 0, 1, 0, 1, 1]
best = LogisticRegression.book(0.5, "lecture3").fit(x, t)
choices = {"exact": Quadrature(), "draws": MetropolisHastings(n_draws=10_000, seed=1)}
fitted = {
    name: BayesianLogisticRegression(0.5, intercept="prior", inference=choice).fit(x, t)
    for name, choice in choices.items()
}
laplace = BayesianLogisticRegression(0.5, intercept="prior").fit(x, t)
draws = fitted["draws"].posterior_

fig, (plane, slope, curves) = figure(1, 3, size=(17, 5))
plots.posterior_surface(posterior_surface(best, x, t, first=(-4, 4), second=(-2, 5)), path=False, ax=plane)
plane.plot(*draws.flat[::40].T, ".", color=INK, markersize=2, alpha=0.6)
plane.set(xlabel="θ₁", ylabel="θ₂")
plane.set_title(f"40,000 draws worth {draws.ess.min():.0f}, R̂ {draws.r_hat.max():.3f}", pad=24)

at = np.linspace(-2, 5, 200)
slope.hist(draws.flat[:, 1], bins=50, density=True, color=GREY, alpha=0.4, label="draws")
slope.plot(
    at, Normal(laplace.posterior_.mean[1], laplace.posterior_.std[1]).prob(at), color=ORANGE, label="Laplace"
)
for where, style, name in ((laplace.posterior_.mean[1], ":", "mode"), (draws.mean[1], "--", "mean")):
    slope.axvline(where, color=INK, linestyle=style, linewidth=1.2, label=f"{name} {where:.2f}")
slope.set(xlabel="θ₂", ylabel="density", xlim=(-2, 5))
slope.set_title("The slope", pad=24)
slope.legend()

grid = np.linspace(-4, 6, 201)[:, None]
shown = {"best θ": (laplace.compare_predictions(grid).plug_in, GREEN, "-"), "Laplace": (None, ORANGE, "-")}
shown["Laplace"] = (laplace.predict_proba(grid)[:, 1], ORANGE, "-")
shown["draws"] = (fitted["draws"].predict_proba(grid)[:, 1], BLUE, "-")
shown["exact"] = (fitted["exact"].predict_proba(grid)[:, 1], INK, "--")
for name, (p, color, style) in shown.items():
    off = np.abs(p - shown["exact"][0])[[100, 140]] if name != "exact" else None
    told = name if off is None else f"{name}: off by {off[0]:.3f} at 1, {off[1]:.3f} at 3"
    curves.plot(grid, p, color=color, linestyle=style, linewidth=1.3 if name == "exact" else 1.8, label=told)
curves.plot(x[:, 0], t, "o", color=INK, markersize=5)
curves.set(xlabel="x", ylabel="P(C = 1 | x)")
curves.set_title("Predictions", pad=24)
curves.legend(loc=(0.42, 0.12))
save(fig, __file__)
