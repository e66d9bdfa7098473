"""DTU Fig. 7.9: which rows a loss is about. One far-off row has most of the squared loss and turns the line.

The points are y = 1 − 0.1 x with the last one moved to 6 (the numbers of the text are not printed).
"""

import numpy as np
from _figure import figure, save

from suffice import plots
from suffice.evaluation import loss_shares
from suffice.linear import LeastAbsoluteDeviations, LinearRegression

x = np.arange(10.0)[:, None]
y = 1 - 0.1 * x[:, 0]
y[9] = 6

fig, axes = figure(2, 2, size=(10, 7))
for row, (model, loss) in zip(
    axes, ((LinearRegression(), "squared"), (LeastAbsoluteDeviations(), "absolute")), strict=True
):
    line = model.fit(x, y).predict(x)
    shares = loss_shares(y, line, loss)
    plots.loss_circles(shares, x, y, prediction=line, ax=row[0])
    row[0].set_title(f"{loss} loss: slope {model.coef_[0]:.3f}")
    plots.loss_shares(shares, name=1, ax=row[1])
    row[1].set_title(f"effective number of rows: {shares.effective_rows:.2g}")
save(fig, __file__)
