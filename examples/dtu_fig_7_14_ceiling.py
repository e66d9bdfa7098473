"""DTU Fig. 7.14, left and middle: where between a baseline and the best to hope for does each pair of columns stand?

Logistic regression on each of the 78 pairs of thirteen attributes of 178 wines, and on each pair of the first six
principal components; errors of rows seen and, by five-fold cross-validation, of new ones. The baseline names the
largest class; the ceiling has all columns. (Wines that come with scikit-learn; the text has another table.)
"""

from itertools import combinations

import numpy as np
from _figure import figure, save
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.preprocessing import StandardScaler

from suffice import plots
from suffice.baselines import MajorityClassifier
from suffice.evaluation import confusion

X, y = load_wine(return_X_y=True)
X = StandardScaler().fit_transform(X)
model = LogisticRegression()


def new(model, X):
    """The error of rows that the model has not seen."""
    return confusion(y, cross_val_predict(model, X, y)).error


fig, axes = figure(1, 2, size=(13, 4.6), sharey=True)
tables = {"Pairs of attributes": X, "Pairs of principal components": PCA(6).fit_transform(X)}
for (title, table), ax in zip(tables.items(), axes, strict=True):
    pairs = [table[:, pair] for pair in combinations(range(table.shape[1]), 2)]
    errors = {
        "new rows": np.array([new(model, pair) for pair in pairs]),
        "rows seen": np.array([1 - model.fit(pair, y).score(pair, y) for pair in pairs]),
    }
    plots.baseline_ceiling(errors, baseline=new(MajorityClassifier(), X), ceiling=new(model, X), ax=ax)
    ax.set(xlabel="pair of columns, from the best", title=title)
save(fig, __file__)
