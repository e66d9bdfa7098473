"""FCML Fig. 1.14: K-fold cross-validation. Every row is tested once, by a model that has not seen it.

Top: five folds of the 27 Olympic games, a row of the picture per fold. Bottom: the loss of a line in each of the folds
and their mean; leaving out one game at a time is the same with 27 folds.
"""

import numpy as np
from _figure import BLUE, GREY, ORANGE, figure, save
from sklearn.model_selection import KFold

from suffice import plots
from suffice.datasets import olympic_100m_men
from suffice.evaluation import cross_validate
from suffice.linear import LinearRegression

data = olympic_100m_men()
folds = KFold(5, shuffle=True, random_state=1)
found = cross_validate(LinearRegression(), data.X, data.y, cv=folds)
errors = (data.y - found.predictions) ** 2
means = [errors[test].mean() for _, test in folds.split(data.X)]
alone = cross_validate(LinearRegression(), data.X, data.y, cv=len(data.y)).estimate

fig, axes = figure(2, 1, size=(9, 6.4), height_ratios=[1.2, 1])
plots.splits(folds, data.X, ax=axes[0])
axes[1].bar(np.arange(5), means, width=0.55, color=BLUE, label="mean squared error of the held-out games")
axes[1].axhline(found.estimate, color=ORANGE, label=f"all games, five folds: {found.estimate:.4f}")
axes[1].axhline(alone, color=GREY, linestyle="--", label=f"all games, one left out at a time: {alone:.4f}")
axes[1].set(xlabel="fold", ylabel="loss", title="Folds disagree; their mean is the estimate")
axes[1].set_ylim(0, 1.5 * max(means))
axes[1].legend(loc="upper left", fontsize=8)
save(fig, __file__)
