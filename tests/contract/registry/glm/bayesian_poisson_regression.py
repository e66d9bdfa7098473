from suffice.bases import Polynomial
from suffice.glm.bayesian_poisson import BayesianPoissonRegression
from suffice.inference import LaplaceApproximation

from ..entry import Entry
from ..reasons import newton

ENTRY = Entry(
    BayesianPoissonRegression,
    {
        "default": {},
        "known precision": {"prior_precision": 0.3, "intercept": "prior"},
        "standardized": {"standardize": True, "inference": LaplaceApproximation("plug-in")},
        "through the origin": {"prior_precision": 3.0, "fit_intercept": False},
        "far": {
            "prior_precision": 20.0,
            "inference": LaplaceApproximation("sampling", n_samples=200, seed=3),
            "intercept": "prior",
            "basis": Polynomial(2),
            "standardize": True,
            "tol": 1e-12,
            "max_iter": 50,
        },
    },
    newton(evidence=True),
    takes="counts",
    one_target=True,
)
