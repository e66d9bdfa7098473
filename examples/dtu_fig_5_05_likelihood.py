"""DTU Fig. 5.5: the likelihood of a sequence of tosses, for (N, m) = (1, 1), (2, 1), (3, 2) and (100, 51).

Its largest value falls with every toss, to 8·10⁻³¹ for a hundred, so only its shape matters: here each curve
is divided by its maximum, at θ* = m/N.
"""

import numpy as np
from _figure import figure, save

from suffice.distributions import Bernoulli

fig, ax = figure(size=(7.2, 4))
theta = np.linspace(0.001, 0.999, 999)
for n, m in [(1, 1), (2, 1), (3, 2), (100, 51)]:
    d = Bernoulli(theta)
    log_likelihood = m * d.log_prob(1) + (n - m) * d.log_prob(0)
    best = Bernoulli.fit([1, 0], [m, n - m])
    top = sum(k * best.log_prob(b) for k, b in ((m, 1), (n - m, 0)) if k)
    ax.plot(
        theta, np.exp(log_likelihood - top), label=f"{m} of {n}: maximum {np.exp(top):.3g} at {best.p:.3g}"
    )
ax.set(xlabel="θ", ylabel="likelihood / its maximum", xlim=(0, 1), ylim=(0, 1.05))
ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=8.5)
save(fig, __file__)
