"""Every row predicted by a model that has not seen it."""

import numpy as np
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import LeaveOneOut, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB

X, y = load_wine(return_X_y=True)
folds = StratifiedKFold(6, shuffle=True, random_state=3)
for model in (GaussianNB(), LinearDiscriminantAnalysis()):
    chances = cross_val_predict(model, X, y, cv=folds, method="predict_proba")
    alone = cross_val_predict(model, X, y, cv=LeaveOneOut())
    print(
        type(model).__name__,
        f"log loss {log_loss(y, chances):.6g}, leave-one-out {accuracy_score(y, alone):.6g}",
    )
    print(np.round(chances[[0, 70, 150]], 5))
