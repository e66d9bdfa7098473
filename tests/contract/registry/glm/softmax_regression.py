from suffice.bases import GaussianBasis, Polynomial
from suffice.glm import SoftmaxRegression

from ..entry import Entry
from ..reasons import newton
from ..wrong import NEWTON, UNLESS_NONE

ENTRY = Entry(
    SoftmaxRegression,
    {
        "default": {},
        "reduced": {"prior_precision": 0.5, "parametrization": "reduced", "penalize_intercept": True},
        "with covariance": {"prior_precision": 3.0, "covariance": True},
        "through the origin": {"prior_precision": 1e-3, "fit_intercept": False, "standardize": True},
        "far": {
            "prior_precision": 20.0,
            "parametrization": "reduced",
            "fit_intercept": False,
            "basis": Polynomial(2) + GaussianBasis([-1.0, 1.0], width=0.7),
            "standardize": True,
            "class_weight": "balanced",
            "tol": 1e-10,
            "max_iter": 50,
        },
    },
    newton(),
    overlapping=True,
    wrong=NEWTON
    | {"parametrization": [("half", "'half'"), (None, "None"), (2, "2")], "covariance": UNLESS_NONE},
)
