"""FCML Fig. 2.10: the likelihood of one observation is the height of the model's density there.

The model for 1980 is N(10.02, 0.05) with the text's variance. A is the time that was run, 10.25 s; B and C
are ours, to compare with.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, ORANGE, figure, save

from suffice.datasets import olympic_100m_men
from suffice.distributions import Normal
from suffice.linear import LinearRegression

men = olympic_100m_men()
fit = LinearRegression().fit(men.X, men.y)
model = Normal(fit.predict([[1980.0]])[0], np.sqrt(0.05))
candidates = {"A": (10.25, ORANGE), "B": (9.95, GREEN), "C": (9.5, GREY)}

fig, ax = figure(size=(6.8, 4))
t = np.linspace(9.2, 10.9, 300)
ax.plot(t, model.prob(t), color=BLUE)
ax.fill_between(t, model.prob(t), color=BLUE, alpha=0.08)
for name, (time, color) in candidates.items():
    height = model.prob(time)
    ax.plot([time, time, t[0]], [0, height, height], color=color, linestyle="--", linewidth=1.2)
    ax.plot(time, height, "o", color=color, label=f"{name}: {time:.2f} s, likelihood {height:.2f}")
    ax.annotate(name, (time, height), (-14, 5), textcoords="offset points", color=color, fontweight="bold")
ax.set(xlabel="winning time in 1980, seconds", ylabel="density", xlim=(t[0], t[-1]), ylim=(0, 2))
ax.set_title(f"How likely is 10.25 s when {model.mean:.2f} s is expected?")
ax.legend(loc="upper right")
save(fig, __file__)
