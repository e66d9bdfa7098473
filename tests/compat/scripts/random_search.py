"""Penalties drawn at random instead of from a grid."""

from scipy.stats import loguniform, uniform
from sklearn.datasets import load_diabetes
from sklearn.linear_model import ElasticNet
from sklearn.model_selection import RandomizedSearchCV, RepeatedKFold

X, y = load_diabetes(return_X_y=True)
space = {"alpha": loguniform(1e-3, 1e1), "l1_ratio": uniform(0.1, 0.9)}
search = RandomizedSearchCV(
    ElasticNet(tol=1e-8, max_iter=10_000),
    space,
    n_iter=8,
    scoring="neg_mean_absolute_error",
    cv=RepeatedKFold(n_splits=4, n_repeats=2, random_state=1),
    random_state=0,
)
search.fit(X, y)
print({k: round(float(v), 6) for k, v in search.best_params_.items()}, f"{search.best_score_:.6g}")
for params, score in zip(search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True):
    print({k: round(float(v), 6) for k, v in params.items()}, f"{score:.6g}")
