"""Species of iris as clusters: four shapes of the covariance, begun at the means of the species."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture

X, y = load_iris(return_X_y=True)
starts = np.array([X[y == k].mean(axis=0) for k in range(3)])
for shape in ("spherical", "diag", "tied", "full"):
    model = GaussianMixture(
        3, covariance_type=shape, means_init=starts, tol=1e-8, max_iter=500, random_state=0
    )
    found = model.fit_predict(X)
    print(f"{shape}: agreement {np.mean(found == y):.6g}, log likelihood {model.score(X):.6g}")
    print(f"BIC {model.bic(X):.6g}, weights", np.round(model.weights_, 6), model.covariances_.shape)
