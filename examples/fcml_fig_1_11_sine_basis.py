"""FCML Fig. 1.11: any functions of x can be columns. A line plus a sine of fixed phase and frequency.

h(x) = sin((x − 2660)/4.3) gives the printed weights 36.610, −0.013, −0.133 and summed loss 1.1037.
"""

import numpy as np
from _figure import figure, points, save

from suffice.bases import CustomBasis, Polynomial
from suffice.datasets import olympic_100m_men
from suffice.linear import LinearRegression


def wave(X):
    """The sine of the text."""
    return np.sin((X[:, 0] - 2660) / 4.3)


men = olympic_100m_men()
years = np.linspace(1892, 2016, 800)[:, None]
fig, ax = figure(size=(7.5, 3.9))
models = {"line": Polynomial(1), "line + sine": Polynomial(1) + CustomBasis([wave])}
for (name, basis), style in zip(models.items(), ("--", "-"), strict=True):
    fit = LinearRegression(basis=basis).fit(men.X, men.y)
    loss = fit.noise_variance_ml_ * len(men.y)
    ax.plot(years, fit.predict(years), style, label=f"{name}: summed loss {loss:.4f}")
points(ax, men, "winning time, men")
ax.set(xlabel="year", ylabel="seconds")
ax.set_title("Linear in the weights, not in x: a sine is one more column")
ax.legend()
w = (fit.intercept_, *fit.coef_)
ax.text(0.02, 0.06, f"w = ({w[0]:.3f}, {w[1]:.4f}, {w[2]:.3f})".replace("-", "−"), transform=ax.transAxes)
save(fig, __file__)
