"""FCML §2.1.1: are the errors of the Olympic line noise? Three looks at the residuals.

Left: in the order of the games, where their signs should alternate at random. Middle: against Normal quantiles.
Right: against leverage. The games of 1896 (row 0) are both wild and influential; the other rows lie flatter than the
line because 1896 inflates the estimate of the noise that all are divided by.
"""

import numpy as np
from _figure import BLUE, GREY, ORANGE, figure, save

from suffice.datasets import olympic_100m_men
from suffice.linear import SimpleLinearRegression, residuals
from suffice.plots import influence, normal_quantiles

men = olympic_100m_men()
record = residuals(SimpleLinearRegression().fit(men.X, men.y), men.X, men.y)
print(record.frame().round(3).sort_values("cook").tail(3))

fig, axes = figure(1, 3, size=(14, 4.3))
year = men.X[:, 0]
axes[0].axhline(0, color=GREY, linewidth=1)
axes[0].vlines(year, 0, record.raw, color=np.where(record.raw > 0, ORANGE, BLUE), linewidth=1.5)
axes[0].scatter(year, record.raw, color=np.where(record.raw > 0, ORANGE, BLUE), s=22, zorder=3)
words = f"Durbin–Watson {record.durbin_watson:.2f}, {record.sign_changes} changes of sign"
axes[0].set(xlabel="year", ylabel="residual, seconds", title=words)
normal_quantiles(record, ax=axes[1])
influence(record, ax=axes[2])
save(fig, __file__)
