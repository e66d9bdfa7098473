"""A sine fitted by Bayesian ridge regression on powers, with the standard deviation of every prediction."""

import numpy as np
from sklearn.linear_model import BayesianRidge

rng = np.random.RandomState(1234)
x = rng.uniform(0.0, 1.0, 25)
y = np.sin(2 * np.pi * x) + rng.normal(scale=0.1, size=25)
powers = np.vander(x, 4, increasing=True)
at = np.vander(np.linspace(0, 1, 5), 4, increasing=True)

for start in (None, (1.0, 1e-3)):
    model = BayesianRidge(tol=1e-6, fit_intercept=False, compute_score=True)
    if start is not None:
        model.set_params(alpha_init=start[0], lambda_init=start[1])
    mean, std = model.fit(powers, y).predict(at, return_std=True)
    print(f"noise precision {model.alpha_:.6g}, weight precision {model.lambda_:.6g}")
    print(f"log evidence {model.scores_[-1]:.6g}, steps {model.n_iter_}")
    print(" ".join(f"{m:.6g}+/-{s:.6g}" for m, s in zip(mean, std, strict=True)))
