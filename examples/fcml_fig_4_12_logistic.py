"""FCML Fig. 4.12: the logistic posterior by Metropolis–Hastings, and what one does with its samples.

10,000 samples of four chains with the text's proposals, N(w, ½ I). Top: every tenth on the posterior's contours; the
share of samples per bin; a chain as it runs. Bottom: densities from kernels, with Laplace's dashed; probabilities
averaged over samples; twenty boundaries. The text prints no rows; these are ours, as in Figs 4.3–4.7.
"""

import numpy as np
from _figure import BLUE, INK, ORANGE, figure, save
from scipy.stats import gaussian_kde

from suffice import plots
from suffice.datasets import two_clouds
from suffice.distributions import Normal
from suffice.glm import BayesianLogisticRegression, LogisticRegression, posterior_surface
from suffice.inference import MetropolisHastings, metropolis_hastings

data = two_clouds(random_state=1)
signed = (2 * data.y - 1)[:, None] * data.X
options = {"thin": 4, "burn_in": 500, "proposal": 0.5 * np.eye(2), "adapt": False, "vectorized": True}
found = metropolis_hastings(
    lambda w: -np.logaddexp(0, -w @ signed.T).sum(axis=1) - 0.05 * (w**2).sum(axis=1),
    [0.0, 0.0], 2500, random_state=1, **options,
)  # fmt: skip
best = LogisticRegression.book(1 / 10).fit(data.X, data.y)
choice = MetropolisHastings(n_draws=300, thin=20, seed=2)
model = BayesianLogisticRegression(1 / 10, fit_intercept=False, inference=choice).fit(data.X, data.y)
laplace = BayesianLogisticRegression(1 / 10, fit_intercept=False).fit(data.X, data.y).posterior_

fig, ((a, b, c), (d, e, f)) = figure(2, 3, size=(17, 10))
surface = posterior_surface(best, data.X, data.y, first=(-1.5, 8), second=(-1.5, 8))
plots.posterior_surface(surface, laplace=False, path=False, ax=a)
a.plot(*found.flat[::10].T, ".", color=ORANGE, markersize=2.5, alpha=0.7)
a.set(xlabel="w₁", ylabel="w₂", xlim=(-1.5, 8), ylim=(-1.5, 8))
for j, color in enumerate((BLUE, ORANGE)):
    name, w = f"w{'₁₂'[j]}", found.flat[:, j]
    b.hist(w, bins=20, weights=np.full(len(w), 1 / len(w)), color=color, alpha=0.5, label=name)
    c.plot(w[:2500], color=color, linewidth=0.8, label=f"{name}, worth {found.ess[j]:.0f} of 10,000")
    at = np.linspace(-2, 8, 300)
    d.plot(at, gaussian_kde(w)(at), color=color, label=name)
    d.plot(at, Normal(laplace.mean[j], laplace.std[j]).prob(at), "--", color=color, linewidth=1.1)
b.set(xlabel="w", ylabel="share of samples")
c.set(xlabel="sample", ylabel="w", ylim=(-2, 16))
d.set(xlabel="w", ylabel="density")
plots.class_regions(model, data.X, data.y, of=1, levels=np.arange(1, 10) / 10, margin=0.5, ax=e)
plots.sampled_boundaries(model, data.X, data.y, draws=20, margin=0.5, random_state=3, ax=f)
odd = np.array([[-3.0, 5.0]])
for ax in (e, f):
    ax.set(xlabel="x₁", ylabel="x₂")
e.plot(*odd[0], "X", color=INK, markersize=9)
told = model.compare_predictions(odd)
words = (model.predict_proba(odd)[0, 1], told.quadrature[0], told.plug_in[0])
words = "At (−3, 5): {:.2f}; Laplace {:.2f}, best w {:.2f}".format(*words)
chain = f"One chain: {100 * found.acceptance_rate[0]:.0f} % accepted, R̂ {found.r_hat.max():.3f}"
titles = ("Every tenth sample", "Histograms of 20 bins", chain, "Densities", words, "20 boundaries")
for ax, title in zip((a, b, c, d, e, f), titles, strict=True):
    ax.set_title(title, pad=24)
for ax in (b, c, d):
    ax.legend()
save(fig, __file__)
