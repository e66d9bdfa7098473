from suffice.bases import Polynomial
from suffice.linear import ElasticNet

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import ADDING, NO_HAT, NO_NAN
from ..wrong import COMMON, DESCENT, FRACTION

ENTRY = Entry(
    ElasticNet,
    {
        "default": {},
        "mostly squares": {"alpha": 1e-2, "l1_ratio": 0.1, "weight_kind": "precision"},
        "squares only": {"alpha": 0.05, "l1_ratio": 0.0},
        "positive": {"alpha": 0.05, "positive": True},
        "far": {
            "alpha": 0.3,
            "l1_ratio": 0.9,
            "fit_intercept": False,
            "basis": Polynomial(2, interactions=True),
            "standardize": True,
            "precompute": True,
            "copy_X": False,
            "max_iter": None,
            "tol": 1e-12,
            "random_state": 3,
            "selection": "random",
        },
    },
    Capabilities(
        nan=NO_NAN,
        heldout=NO_HAT,
        evidence=No(
            "The penalties fix the ratio of noise to prior but neither of the two, and the prior that they stand for "
            "has no closed-form integral."
        ),
        **ADDING,
    ),
    wrong=COMMON | DESCENT | {"l1_ratio": FRACTION},
    unmoved={
        "warm_start": "it is about a second fit, which elsewhere must be the first",
    },
)
