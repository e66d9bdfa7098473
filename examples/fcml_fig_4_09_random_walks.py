"""FCML Fig. 4.9: two Gaussian random walks, the proposals of a Metropolis sampler that never rejects.

Left: from [0, 0] with steps of covariance I and from [2, 2] with 0.1 I. Right: a walk settles nowhere; its distance
from the start grows as √s, so that it takes a hundred times the steps to get ten times as far.
"""

import numpy as np
from _figure import BLUE, INK, ORANGE, figure, save

from suffice.inference import random_walk

fig, (plane, distance) = figure(1, 2, size=(12, 4.8))
for start, variance, color, seed in (([0, 0], 1.0, BLUE, 9), ([2, 2], 0.1, ORANGE, 11)):
    name = "Σ = I" if variance == 1 else f"Σ = {variance} I"
    walk = random_walk(start, variance, 150, seed)
    plane.plot(*walk.T, ".-", color=color, linewidth=0.9, markersize=4, label=f"start {start}, {name}")
    plane.plot(*walk[0], "o", color=color, markersize=9, markeredgecolor=INK, zorder=5)

    many = random_walk(np.tile(start, (200, 1)), variance, 1000, seed)
    steps, gone = np.arange(1, 1001), np.linalg.norm(many[:, 1:] - start, axis=-1)
    low, middle, high = np.quantile(gone, [0.05, 0.5, 0.95], axis=0)
    distance.fill_between(steps, low, high, color=color, alpha=0.15, linewidth=0)
    distance.plot(steps, middle, color=color, label=f"200 walks, {name}: median and 90 %")
    expected = np.sqrt(2 * np.log(2) * variance * steps)  # the median of √(χ²₂ σ² s)
    distance.plot(steps, expected, "--", color=INK, linewidth=1)
plane.set(xlabel="w₁", ylabel="w₂", aspect="equal", title="150 steps each")
distance.set(xscale="log", yscale="log", xlabel="steps s", ylabel="distance from the start")
distance.set_title("How far a walk gets; dashed: √(2 log 2 · σ² s)")
plane.legend()
distance.legend()
save(fig, __file__)
