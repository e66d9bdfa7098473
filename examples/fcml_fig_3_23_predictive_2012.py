"""FCML Fig. 3.23: the predictive density for the 2012 final, N(9.5951, 0.0572).

The variance is that of the noise, 0.05, plus what the 27 games leave open about the line, 0.0072. The race was
won in 9.63 s.
"""

import numpy as np
from _figure import BLUE, INK, ORANGE, figure, save

from suffice.datasets import olympic_100m_men
from suffice.linear import BayesianLinearRegression

men = olympic_100m_men()
model = BayesianLinearRegression(
    1.0, noise_precision=20.0, prior_cov=np.diag([100.0, 5.0]), intercept="prior"
)
model.fit((men.X - 1896) / 4, men.y)
x = [[(2012 - 1896) / 4]]
race, line = model.predict_dist(x)[0], model.predict_dist(x, noise=False)[0]

fig, ax = figure(size=(7, 4))
t = np.linspace(8.75, 10.45, 400)
ax.plot(t, race.prob(t), color=BLUE, label=f"a race: N({race.mean:.4f}, {race.var:.4f})")
ax.plot(
    t,
    line.prob(t),
    "--",
    color=BLUE,
    linewidth=1.2,
    label=f"the line alone: N({line.mean:.4f}, {line.var:.4f})",
)
fast = t[t <= 9.5]
ax.fill_between(fast, race.prob(fast), color=ORANGE, alpha=0.3, label=f"P(under 9.5 s) = {race.cdf(9.5):.3f}")
ax.plot(9.63, race.prob(9.63), "o", color=INK, label="2012: 9.63 s")
ax.set(xlabel="winning time, seconds", ylabel="density", ylim=(0, None))
ax.set_title("A prediction is a distribution: London 2012, seen from 2008")
ax.legend(loc="upper right")
save(fig, __file__)
