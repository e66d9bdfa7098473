from suffice.bases import GaussianBasis, Polynomial
from suffice.glm import PoissonRegression

from ..data import counted_targets
from ..entry import Entry
from ..reasons import newton
from ..wrong import NEWTON

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
    data=counted_targets,
    wrong={name: values for name, values in NEWTON.items() if name != "class_weight"}
    | {"dispersion": [("x2", "'x2'"), (None, "None"), (1.0, "1.0"), (True, "True")]},
)
