"""FCML Fig. 4.13: two densities that defeat a random walk, and what shows it.

Above: two modes and proposals of standard deviation 0.3. Every chain stays where it began though it accepts more than
40 % of its proposals; four chains from one start agree (R̂ near 1), from two starts they do not. Below: a narrow ridge.
Steps as long as the ridge almost always leave it; a walk that learned the covariance does not suffer.
"""

import warnings

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, figure, save

from suffice.inference import metropolis_hastings, narrow_ridge, two_modes

warnings.simplefilter("ignore")  # that chains do not converge is the point
walk = {"burn_in": 0, "adapt": False, "vectorized": True, "random_state": 0}
side = np.linspace(-3, 4, 141)
grid = np.stack(np.meshgrid(side, side), axis=-1)
lines = {"colors": GREY, "linewidths": 0.9, "linestyles": "-"}

fig, ((modes, trace, verdict), (ridge, rates, worth)) = figure(2, 3, size=(16.5, 9.4))
starts = np.array([[-1.0, -1.0], [2.0, 2.0], [-1.0, -1.0], [2.0, 2.0]])
peaks, step = two_modes(), 0.3**2 * np.eye(2)
apart = metropolis_hastings(peaks.log_prob, starts, 1000, proposal=step, **walk)
together = metropolis_hastings(peaks.log_prob, starts[[1] * 4], 1000, proposal=step, **walk)
modes.contour(side, side, peaks.log_prob(grid), levels=[-8, -4, -2, 0], **lines)
for chain, color in zip(apart.draws, (BLUE, ORANGE, GREEN, INK), strict=True):
    modes.plot(*chain[:400].T, ".-", color=color, linewidth=0.4, markersize=2)
    trace.plot(chain[:, 0], color=color, linewidth=0.7)
modes.set(xlabel="w₁", ylabel="w₂", title="Two modes, four chains", xlim=(-3, 4), ylim=(-3, 4))
trace.set(xlabel="sample", ylabel="w₁", title="Each stays where it began")
for k, (found, name, color) in enumerate(((together, "one start", BLUE), (apart, "two starts", ORANGE))):
    bars = (found.acceptance_rate.mean(), found.r_hat.max())
    drawn = verdict.bar(np.arange(2) + 0.4 * k - 0.2, bars, width=0.36, color=color, label=name)
    verdict.bar_label(drawn, fmt="%.2f")
verdict.set(xticks=[0, 1], xticklabels=["acceptance rate", "R̂"], ylim=(0, 2.2), title="What gives it away")
verdict.legend()

thin = narrow_ridge(0.99)
unit = walk | {"proposal": np.eye(2)}
stuck = metropolis_hastings(thin.log_prob, [0.0, 0.0], 60, n_chains=1, keep_proposals=True, **unit)
ridge.contour(side, side, thin.log_prob(grid), levels=[-8, -4, -1, 0.5], **lines)
ridge.plot(*stuck.proposed[0][~stuck.accepted[0]].T, "x", color=ORANGE, markersize=5, label="rejected")
ridge.plot(*stuck.draws[0].T, "o-", color=BLUE, markersize=4, linewidth=0.8, label="accepted")
ridge.set(
    xlabel="w₁", ylabel="w₂", xlim=(-3, 3), ylim=(-3, 3), title="Correlation 0.99: 60 proposals N(w, I)"
)
ridge.legend()
correlations = np.array([0.0, 0.9, 0.97, 0.99, 0.999])
learned = walk | {"adapt": True, "burn_in": 1000}
for how, color, name in ((unit, ORANGE, "N(w, I)"), (learned, BLUE, "learned in 1000 steps")):
    targets = [narrow_ridge(r).log_prob for r in correlations]
    runs = [metropolis_hastings(t, [0.0, 0.0], 1000, n_chains=8, **how) for t in targets]
    rates.plot(1 - correlations, [f.acceptance_rate.mean() for f in runs], "o-", color=color, label=name)
    worth.plot(1 - correlations, [f.ess.min() / 8000 for f in runs], "o-", color=color, label=name)
for ax, title in ((rates, "Share of proposals accepted"), (worth, "Effective draws per draw")):
    ax.set(xscale="log", xlabel="1 − correlation", title=title, ylim=(0, None))
    ax.invert_xaxis()
    ax.legend()
save(fig, __file__)
