"""The number of components by BIC, on two stretched clouds."""

import numpy as np
from sklearn.mixture import GaussianMixture

rng = np.random.default_rng(9)
X = np.r_[rng.normal(size=(200, 2)) @ [[0.0, -0.1], [1.7, 0.4]], 0.7 * rng.normal(size=(200, 2)) + [-6, 3]]
criteria = {}
for n in (1, 2):
    model = GaussianMixture(n, random_state=0, tol=1e-9, max_iter=1000).fit(X)
    criteria[n] = model.bic(X)
    print(n, f"BIC {model.bic(X):.6g}, AIC {model.aic(X):.6g}, converged {model.converged_}")
print("chosen", min(criteria, key=criteria.get))
order = np.argsort(model.means_[:, 0])
print(np.round(model.means_[order], 4), np.round(model.score_samples(X[:3]), 4))
