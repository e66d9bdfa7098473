"""FCML Fig. 1.15: leave-one-out cross-validation of the polynomial order, every game left out once.

One triangle per order answers all 27 fits; the text's verdict, order three, comes out.
"""

import numpy as np
from _figure import BLUE, GREY, INK, figure, save, whole_numbers
from sklearn.model_selection import LeaveOneOut

from suffice.bases import Polynomial
from suffice.datasets import olympic_100m_men
from suffice.evaluation import cross_validate
from suffice.linear import LinearRegression

men = olympic_100m_men()
orders = list(range(1, 9))
models = [LinearRegression(basis=Polynomial(k)) for k in orders]
results = [cross_validate(m, men.X, men.y, cv=LeaveOneOut()) for m in models]
train = [m.fit(men.X, men.y).noise_variance_ml_ for m in models]
loss = np.array([r.estimate for r in results])
low, high = np.array([r.interval for r in results]).T

fig, ax = figure(size=(6.6, 4))
ax.plot(orders, train, "s--", color=GREY, label="training loss")
ax.errorbar(
    orders,
    loss,
    [loss - low, high - loss],
    fmt="o-",
    color=BLUE,
    capsize=3,
    label="leave-one-out, 95 % interval",
)
best = int(np.argmin(loss))
ax.plot(
    orders[best], loss[best], "o", ms=13, mfc="none", mew=1.6, color=INK, label=f"best: order {orders[best]}"
)
ax.set(xlabel="polynomial order", ylabel="mean squared loss", ylim=(0, 0.19))
ax.set_title("Leave-one-out picks order 3, but 27 games barely tell 1 to 5 apart")
whole_numbers(ax)
ax.legend(loc="upper left")
save(fig, __file__)
