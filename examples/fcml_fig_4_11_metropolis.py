"""FCML Fig. 4.11: Metropolis–Hastings on a normal density, step by step.

Left: ten proposals from N(w, I); where one is rejected (dashed) the last sample counts again. Middle: the first 300
samples. Right: the mean of the first s samples, with the error that follows from the chain's effective size. 10,000
samples that depend on each other are worth a few hundred independent ones; the text's own ended at 0.9770 and 1.0928.
"""

import numpy as np
from _figure import BLUE, GREY, INK, ORANGE, band, density, figure, save

from suffice import plots
from suffice.distributions import MultivariateNormal
from suffice.inference import Samples, metropolis_hastings

target = MultivariateNormal([1.0, 1.0], [[3.0, 0.4], [0.4, 3.0]])
options = {"proposal": np.eye(2), "adapt": False, "burn_in": 0, "n_chains": 1, "vectorized": True}
found = metropolis_hastings(
    target.log_prob, [0.0, 0.0], 10_000, keep_proposals=True, random_state=33, **options
)

fig, (steps, samples, means) = figure(1, 3, size=(16.5, 5.1))
plots.metropolis_steps(found, target.log_prob, vectorized=True, ax=steps)
rejected = int((~found.accepted[0, 1:11]).sum())
steps.set(xlabel="w₁", ylabel="w₂", xlim=(-4, 6), ylim=(-4, 6), aspect="equal")
side = np.linspace(-5, 7, 121)
density(samples, target, side, side, color=GREY)
samples.plot(*found.draws[0, :300].T, "o", color=BLUE, markersize=4, alpha=0.6, markeredgewidth=0)
samples.set(xlabel="w₁", ylabel="w₂", xlim=(-5, 7), ylim=(-5, 7), aspect="equal")

lengths = np.unique(np.geomspace(50, 10_000, 40).astype(int))
for j, color in ((0, BLUE), (1, ORANGE)):
    parts = [Samples(found.draws[:, :n, j : j + 1]) for n in lengths]
    mean, error = np.array([p.mean[0] for p in parts]), np.array([p.mcse[0] for p in parts])
    band(means, lengths, mean - 2 * error, mean + 2 * error, color=color)
    means.plot(lengths, mean, color=color, label=f"w{'₁₂'[j]}: {mean[-1]:.3f} ± {error[-1]:.3f}")
means.axhline(1, color=INK, linestyle="--", linewidth=1)
means.set(xscale="log", xlabel="samples", ylabel="mean so far, ± 2 standard errors", ylim=(-1, 3))
means.legend()
rate = f"{100 * found.acceptance_rate[0]:.0f} % accepted; 10,000 are worth {found.ess.min():.0f}"
titles = (f"Ten proposals, {rejected} of them rejected", "300 samples", rate)
for ax, title in zip((steps, samples, means), titles, strict=True):
    ax.set_title(title, pad=24)
save(fig, __file__)
