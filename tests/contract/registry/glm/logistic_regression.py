import numpy as np

from suffice.bases import GaussianBasis, Polynomial
from suffice.glm import LogisticRegression

from ..entry import Entry
from ..reasons import newton
from ..wrong import BOOLEAN, FRACTION, NEWTON, NOT_NEGATIVE, PEER_SOLVERS, UNLESS_NONE

ENTRY = Entry(
    LogisticRegression,
    {
        "default": {},
        "maximum likelihood": {"prior_precision": 0.0, "covariance": True},
        "parabola, standardized": {"C": 30.0, "basis": Polynomial(2), "standardize": True},
        "through the origin": {"C": 0.1, "fit_intercept": False, "class_weight": "balanced"},
        "lasso": {"penalty": "l1", "C": 0.5, "l1_ratio": 1.0, "standardize": True},
        "elastic net": {
            "l1_ratio": 0.5,
            "C": 2.0,
            "solver": "liblinear",
            "intercept_scaling": 5.0,
            "basis": Polynomial(2),
            "class_weight": "balanced",
        },
        "far": {
            "prior_precision": 20.0,
            "penalize_intercept": True,
            "basis": Polynomial(2) + GaussianBasis([-1.0, 1.0], width=0.7),
            "standardize": True,
            "class_weight": "balanced",
            "tol": 1e-10,
            "max_iter": 50,
            "dual": True,
            "random_state": 3,
            "verbose": 1,
            "n_jobs": 2,
            "solver": "saga",
        },
    },
    newton(),
    overlapping=True,
    wrong=NEWTON
    | {
        "covariance": UNLESS_NONE,
        "prior_precision": [pair for pair in NOT_NEGATIVE if pair[0] is not None],
        "C": [(0, "0"), (-1.0, "-1"), (np.nan, "nan"), (-np.inf, "-inf"), ("big", "'big'"), (True, "True")],
        "penalty": [("l3", "'l3'"), (1, "1"), (True, "True")],
        "l1_ratio": [pair for pair in FRACTION if pair[0] is not None],
        "warm_start": BOOLEAN,
    }
    | PEER_SOLVERS,
    unmoved={
        "warm_start": "it is about a second fit, which elsewhere must be the first",
    },
)
