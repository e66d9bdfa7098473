from suffice.bases import GaussianBasis, Polynomial
from suffice.glm import ProbitRegression

from ..entry import Entry
from ..reasons import newton
from ..wrong import NEWTON

ENTRY = Entry(
    ProbitRegression,
    {
        "default": {},
        "shrunk": {"prior_precision": 2.0, "penalize_intercept": True, "class_weight": "balanced"},
        "parabola through the origin": {
            "prior_precision": 0.1,
            "basis": Polynomial(2),
            "fit_intercept": False,
        },
        "far": {
            "prior_precision": 20.0,
            "penalize_intercept": True,
            "basis": Polynomial(2) + GaussianBasis([-1.0, 1.0], width=0.7),
            "standardize": True,
            "class_weight": "balanced",
            "tol": 1e-10,
            "max_iter": 50,
        },
    },
    newton(),
    overlapping=True,
    two_classes=True,
    wrong=NEWTON,
)
