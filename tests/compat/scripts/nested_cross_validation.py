"""A search inside of folds, so that its choice is judged on rows it has not seen."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

X, y = load_iris(return_X_y=True)
for trial in range(2):
    inner, outer = (KFold(n_splits=4, shuffle=True, random_state=trial + s) for s in (0, 10))
    search = GridSearchCV(QuadraticDiscriminantAnalysis(), {"reg_param": [0.0, 0.1, 0.5]}, cv=inner)
    flat = search.fit(X, y).best_score_
    nested = cross_val_score(search, X, y, cv=outer)
    print(trial, search.best_params_, f"{flat:.6g} {nested.mean():.6g}", np.round(nested, 6))
