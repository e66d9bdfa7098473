"""Weights of rows handed through a search to the fit and to the score, by routing."""

import numpy as np
import sklearn
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, cross_validate

X, y = load_diabetes(return_X_y=True)
weight = np.random.default_rng(12).uniform(0.5, 2.0, len(y))
with sklearn.config_context(enable_metadata_routing=True):
    ridge = Ridge().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    search = GridSearchCV(ridge, {"alpha": [0.01, 0.1, 1.0]}, cv=4).fit(X, y, sample_weight=weight)
    print(search.best_params_, np.round(search.cv_results_["mean_test_score"], 6))
    scores = cross_validate(ridge, X, y, cv=4, params={"sample_weight": weight})
print(np.round(scores["test_score"], 6), np.round(search.best_estimator_.coef_[:3], 4))
