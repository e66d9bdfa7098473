"""How scores change with more rows."""

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import ShuffleSplit, learning_curve
from sklearn.naive_bayes import GaussianNB

X, y = load_digits(return_X_y=True)
folds = ShuffleSplit(n_splits=4, test_size=0.2, random_state=0)
sizes, train, test = learning_curve(
    GaussianNB(var_smoothing=1e-3), X, y, cv=folds, train_sizes=np.linspace(0.1, 1.0, 4)
)
for n, a, b in zip(sizes, train.mean(axis=1), test.mean(axis=1), strict=True):
    print(n, f"{a:.6g} {b:.6g}")
