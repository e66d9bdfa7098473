"""FCML Figs 1.9–1.10: a polynomial is linear in its weights, and too many of them run wild.

Left: data with a bend need a bend. Right: order eight has a third of the line's loss (0.458 against 1.358,
summed) and a worthless forecast.
"""

import numpy as np
from _figure import GREY, ORANGE, figure, points, save

from suffice.bases import Polynomial
from suffice.datasets import olympic_100m_men, quadratic_curve
from suffice.linear import LinearRegression

fig, (left, right) = figure(1, 2)

bent = quadratic_curve(random_state=1)
x = np.linspace(-5.2, 5.2, 200)[:, None]
points(left, bent, s=10, color=GREY)
for order, style in ((1, "--"), (2, "-")):
    fit = LinearRegression(basis=Polynomial(order)).fit(bent.X, bent.y)
    left.plot(x, fit.predict(x), style, label=f"order {order}: mean loss {fit.noise_variance_ml_:.2f}")
left.set(xlabel="x", ylabel="t", title="Curved data need a curved basis, not a curved method")
left.legend()

men = olympic_100m_men()
years = np.linspace(1892, 2022, 400)[:, None]
points(right, men)
for order, style in ((1, "--"), (8, "-")):
    fit = LinearRegression(basis=Polynomial(order)).fit(men.X, men.y)
    loss = fit.noise_variance_ml_ * len(men.y)
    right.plot(years, fit.predict(years), style, label=f"order {order}: summed loss {loss:.3f}")
right.axvspan(2008, 2022, color=ORANGE, alpha=0.08)
right.text(2006, 11.9, "beyond the data", color=ORANGE, fontsize=8.5, ha="right")
right.set(xlabel="year", ylabel="seconds", ylim=(9.2, 12.3), title="A smaller loss is not a better forecast")
right.legend()
save(fig, __file__)
