"""PRML §3.1: wavelets on a regular lattice. A step and a burst cost many waves and few wavelets.

Both bases are orthogonal on the 256 points, so keeping the largest weights is the best choice of columns.
"""

import numpy as np
from _figure import GREY, figure, save

from suffice.bases import FourierBasis, WaveletBasis
from suffice.linear import LinearRegression

n, kept = 256, 24
t = np.arange(n) + 0.5
signal = np.where(t > 90, 1.0, 0.0) + np.where((t > 160) & (t < 176), np.sign(np.sin(t * np.pi / 4)), 0.0)
bases = {
    "FourierBasis": FourierBasis(127, period=float(n)),
    "WaveletBasis, Haar": WaveletBasis(8, interval=(0.0, float(n))),
}
fig, (left, right) = figure(1, 2, size=(12, 4), width_ratios=(2, 1))
left.plot(t, signal, color=GREY, linewidth=4, alpha=0.5, label="signal")
for name, basis in bases.items():
    model = LinearRegression(basis=basis).fit(t[:, None], signal)
    columns = basis(t)
    weight = np.abs(model.coef_) * np.linalg.norm(columns, axis=0)  # how much of the signal a column explains
    largest = np.argsort(weight)[::-1]
    chosen = largest[:kept]
    left.plot(t, model.intercept_ + columns[:, chosen] @ model.coef_[chosen], linewidth=1.4, label=name)
    rest = np.cumsum((weight[largest] ** 2)[::-1])[::-1]
    right.semilogy(np.arange(1, 81), np.sqrt(np.maximum(rest[:80], 1e-12) / n), label=name)
left.set(xlabel="t", title=f"The {kept} largest weights of each basis")
left.legend(loc="upper left")
right.set(
    xlabel="columns kept",
    ylabel="error of what is left out",
    ylim=(1e-3, 1),
    title="How fast the error falls",
)
right.legend()
save(fig, __file__)
