"""Digits as pixels that are on or off: Bernoulli naive Bayes at several degrees of smoothing."""

from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import BernoulliNB

X, y = load_digits(return_X_y=True)
folds = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)
for alpha in (0.01, 1.0, 100.0):
    scores = cross_val_score(BernoulliNB(alpha=alpha, binarize=7.5), X, y, cv=folds, scoring="accuracy")
    print(f"alpha {alpha:g}: {scores.mean():.6g} +/- {scores.std():.6g}")
