from suffice.bases import Polynomial
from suffice.linear import Lasso

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import ADDING, NO_HAT, NO_NAN
from ..wrong import COMMON, DESCENT

ENTRY = Entry(
    Lasso,
    {
        "default": {},
        "small penalty": {"alpha": 1e-3, "weight_kind": "precision"},
        "through the origin": {"alpha": 0.05, "fit_intercept": False},
        "parabola, standardized": {"alpha": 0.02, "basis": Polynomial(2), "standardize": True},
        "positive": {"alpha": 0.05, "positive": True},
        "far": {
            "alpha": 0.3,
            "fit_intercept": False,
            "basis": Polynomial(2, interactions=True),
            "standardize": True,
            "precompute": True,
            "copy_X": False,
            "max_iter": None,
            "tol": 1e-12,
            "warm_start": True,
            "random_state": 3,
            "selection": "random",
        },
    },
    Capabilities(
        nan=NO_NAN,
        heldout=NO_HAT,
        evidence=No(
            "A penalty fixes the ratio of noise to prior but neither of the two, and the Laplace prior that it "
            "stands for has no closed-form integral."
        ),
        **ADDING,
    ),
    wrong=COMMON | DESCENT,
)
