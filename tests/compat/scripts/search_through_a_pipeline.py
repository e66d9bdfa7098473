"""A grid over a scaler and a penalty, by nested names."""

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

X, y = load_diabetes(return_X_y=True)
model = Pipeline([("scale", StandardScaler()), ("ridge", Ridge())])
grid = {"scale__with_std": [True, False], "ridge__alpha": np.logspace(-2, 3, 6)}
search = GridSearchCV(model, grid, cv=KFold(5, shuffle=True, random_state=0), return_train_score=True)
search.fit(X, y)
print("best", search.best_params_, f"{search.best_score_:.6g}", "at", search.best_index_)
results = search.cv_results_
for rank, params, test, train in zip(
    results["rank_test_score"],
    results["params"],
    results["mean_test_score"],
    results["mean_train_score"],
    strict=True,
):
    print(rank, params, f"{test:.6g} {train:.6g}")
print(np.round(search.best_estimator_.named_steps["ridge"].coef_, 4), f"{search.score(X, y):.6g}")
