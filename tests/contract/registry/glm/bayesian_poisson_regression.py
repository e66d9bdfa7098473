import numpy as np

from suffice.bases import Polynomial
from suffice.glm.bayesian_poisson import BayesianPoissonRegression
from suffice.inference import LaplaceApproximation

from ..data import counted_targets
from ..entry import Entry
from ..reasons import newton
from ..wrong import NEWTON, PRECISION

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
    data=counted_targets,
    wrong={
        **{k: NEWTON[k] for k in ("fit_intercept", "basis", "standardize", "tol", "max_iter")},
        "prior_precision": PRECISION,
        "prior_mean": [("zero", "'zero'"), ([1.0], r"\(1,\)"), ([np.nan] * 3, "nan|shape"), (1j, "1j")],
        "prior_cov": [("unit", "'unit'"), (np.eye(2), r"\(2, 2\)"), (5.0, r"5|\(\)")],
        "intercept": [("none", "'none'"), (True, "True")],
        "inference": [("magic", "'magic'"), (3, "3")],
    },
    unmoved={
        "prior_cov": "its size follows the columns, which scikit-learn's checks vary",
        "prior_mean": "its size follows the columns, which scikit-learn's checks vary",
    },
)
