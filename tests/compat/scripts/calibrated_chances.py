"""Chances of naive Bayes before and after calibration."""

from sklearn.calibration import CalibratedClassifierCV, calibration_curve
from sklearn.datasets import make_classification
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

X, y = make_classification(n_samples=2000, n_features=20, n_informative=2, n_redundant=8, random_state=42)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=42)
for model in (
    GaussianNB(),
    CalibratedClassifierCV(GaussianNB(), method="isotonic", cv=3),
    CalibratedClassifierCV(GaussianNB(), method="sigmoid", cv=3),
):
    chances = model.fit(X_train, y_train).predict_proba(X_test)[:, 1]
    true, said = calibration_curve(y_test, chances, n_bins=5)
    print(type(model).__name__, f"{brier_score_loss(y_test, chances):.6g}", true.round(5), said.round(5))
