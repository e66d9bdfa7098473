"""FCML Fig. 2.11: the maximized likelihood always prefers the bigger model.

Left: log L against the order. Right: the order it likes best predicts almost 11 seconds for 2016.
"""

import numpy as np
from _figure import BLUE, GREY, ORANGE, figure, points, save, whole_numbers

from suffice.bases import Polynomial
from suffice.datasets import olympic_100m_men
from suffice.linear import LinearRegression

men = olympic_100m_men()
orders = range(9)
fits = [LinearRegression(basis=Polynomial(k)).fit(men.X, men.y) for k in orders]

fig, (left, right) = figure(1, 2)
left.plot(orders, [f.log_likelihood_ for f in fits], "o-", label="log likelihood")
left.plot(orders, [-f.bic_ / 2 for f in fits], "s--", color=ORANGE, label="less the penalty of BIC")
left.set(xlabel="polynomial order", ylabel="log L at its maximum", title="Likelihood never says stop")
whole_numbers(left)
left.legend()

years = np.linspace(1892, 2017, 400)[:, None]
points(right, men)
for k, color in ((1, BLUE), (8, GREY)):
    at = fits[k].predict([[2016.0]])[0]
    right.plot(years, fits[k].predict(years), color=color, label=f"order {k}: {at:.2f} s in 2016")
    right.plot(2016, at, "D", color=color)
right.set(xlabel="year", ylabel="seconds", ylim=(9.2, 12.2), title="Its favourite is the worst forecaster")
right.legend(loc="upper center")
save(fig, __file__)
