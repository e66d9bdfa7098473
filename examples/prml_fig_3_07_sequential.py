"""PRML Fig. 3.7: learning a line point by point. Yesterday's posterior is today's prior.

Truth −0.3 + 0.5x, noise 0.2, α = 2, β = 25; `partial_fit` adds rows, and the posterior is that of all of them.
Columns: likelihood of the newest point, distribution of the weights, six lines drawn from it. The cross is the truth.
"""

import numpy as np
from _figure import INK, ORANGE, figure, save

from suffice.datasets import noisy_line
from suffice.distributions import MultivariateNormal
from suffice.linear import BayesianLinearRegression, weight_surface

data = noisy_line(20, -0.3, 0.5, 0.2, -1, 1, random_state=6)
w = np.linspace(-1, 1, 201)
w0, w1 = np.meshgrid(w, w)
x = np.array([[-1.0], [1.0]])
model = BayesianLinearRegression.book(2.0, 25.0, text="prml")
belief = MultivariateNormal(np.zeros(2), np.eye(2) / 2)

fig, axes = figure(4, 3, size=(9, 11))
seen = 0
for row, n in zip(axes, (0, 1, 2, 20), strict=True):
    if n:
        belief = model.partial_fit(data.X[seen:n], data.y[seen:n]).posterior_
        newest = weight_surface(model, first=w, second=w, rows=(data.X[n - 1 : n], data.y[n - 1 : n]))
        row[0].pcolormesh(w, w, np.exp(newest.log_likelihood), cmap="YlGnBu_r", rasterized=True)
    else:
        row[0].text(0, 0, "nothing seen yet", ha="center", color=INK)
    row[1].pcolormesh(w, w, belief.prob(np.stack([w0, w1], axis=-1)), cmap="YlGnBu_r", rasterized=True)
    for ax in row[:2]:
        ax.plot(-0.3, 0.5, "+", color=ORANGE, markersize=12, markeredgewidth=2)
        ax.set(xlabel="w₀", ylabel="w₁", xlim=(-1, 1), ylim=(-1, 1), aspect="equal")
        ax.grid(False)
    row[2].plot(x, model.sample_functions(6, random_state=n + 3)(x).T, color=ORANGE, linewidth=1)
    row[2].scatter(data.X[:n], data.y[:n], s=22, color=INK, zorder=5)
    row[2].set(xlabel="x", ylabel="y", xlim=(-1, 1), ylim=(-1, 1), aspect="equal")
    row[0].set_title(f"{n} points" if n != 1 else "1 point")
    seen = n
fig.suptitle(
    "likelihood of the newest point  ×  belief so far  →  lines still plausible", color=INK, fontweight="bold"
)
save(fig, __file__)
