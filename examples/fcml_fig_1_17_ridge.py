"""FCML Fig. 1.17: a fifth-order polynomial through six points, tamed by a penalty.

The text's penalty is on the average loss and on all weights, the constant among them: `Ridge.book(…, "fcml")`.
"""

import numpy as np
from _figure import GREY, figure, points, save

from suffice.bases import Polynomial
from suffice.datasets import ridge_line
from suffice.linear import Ridge

data = ridge_line(random_state=3)
x = np.linspace(-0.03, 1.03, 300)[:, None]
fig, ax = figure(size=(7, 4.2))
ax.plot(x, 2 * x[:, 0] - 3, color=GREY, linestyle=":", label="truth, 2x − 3")
for lam in (0.0, 1e-6, 0.01, 0.1):
    fit = Ridge.book(lam, "fcml", basis=Polynomial(5)).fit(data.X, data.y)
    largest = np.abs(fit.coef_).max()
    ax.plot(x, fit.predict(x), label=f"λ = {lam:g}: largest weight {largest:,.3g}")
points(ax, data, "six points")
ax.set(xlabel="x", ylabel="t", ylim=(-9.5, 2))
ax.set_title("A little penalty turns interpolation into regression")
ax.legend(loc="lower right")
save(fig, __file__)
