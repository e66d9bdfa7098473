from suffice.bases import GaussianBasis, Polynomial
from suffice.glm import PoissonRegression

from ..entry import Entry
from ..reasons import newton

ENTRY = Entry(
    PoissonRegression,
    {
        "default": {},
        "shrunk": {"prior_precision": 2.0, "penalize_intercept": True, "dispersion": "pearson"},
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
            "dispersion": "pearson",
            "tol": 1e-10,
            "max_iter": 50,
        },
    },
    newton(),
    takes="counts",
    one_target=True,
)
