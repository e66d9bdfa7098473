"""One search, several scores; the best by one of them is refitted."""

import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import make_scorer, recall_score
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
scoring = {"accuracy": "accuracy", "area": "roc_auc", "found": make_scorer(recall_score, pos_label=0)}
search = GridSearchCV(
    GaussianNB(), {"var_smoothing": [1e-9, 1e-6, 1e-3]}, scoring=scoring, refit="area", cv=4
)
search.fit(X, y)
table = pd.DataFrame(search.cv_results_)[["mean_test_accuracy", "mean_test_area", "mean_test_found"]]
print(table.round(6).to_string())
print("best", search.best_params_, f"{search.best_score_:.6g}", list(search.feature_names_in_[:2]))
