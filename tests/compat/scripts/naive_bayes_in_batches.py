"""Wine by Gaussian naive Bayes, fitted at once and batch by batch."""

import numpy as np
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB

X, y = load_wine(return_X_y=True)
whole = GaussianNB().fit(X, y)
parts = GaussianNB()
for batch in np.array_split(np.random.default_rng(0).permutation(len(y)), 5):
    parts.partial_fit(X[batch], y[batch], classes=np.unique(y))
print("priors", np.round(whole.class_prior_, 6), "counts", parts.class_count_)
print("first means", np.round(whole.theta_[:, 0], 6), "variances", np.round(whole.var_[:, 0], 6))
print(f"score {whole.score(X, y):.6g}, mislabeled {(y != parts.predict(X)).sum()}")
print(np.round(whole.predict_joint_log_proba(X[:2]), 4))
