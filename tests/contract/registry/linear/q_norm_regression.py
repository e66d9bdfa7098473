import numpy as np

from suffice.bases import Polynomial
from suffice.linear import QNormRegression

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import ADDING, NO_HAT, NO_NAN
from ..wrong import COMMON

ENTRY = Entry(
    QNormRegression,
    {
        "default": {},
        "lasso": {"q": 1.0, "alpha": 3.0, "weight_kind": "precision"},
        "nearly lasso": {"q": 1.2, "alpha": 0.5, "fit_intercept": False},
        "far": {"q": 4.0, "alpha": 20.0, "basis": Polynomial(2), "standardize": True},
    },
    Capabilities(
        nan=NO_NAN,
        heldout=NO_HAT,
        evidence=No(
            "A penalty fixes the ratio of noise to prior but neither of the two; for q = 2 "
            "BayesianLinearRegression has it, for other powers the integral has no closed form."
        ),
        **ADDING,
    ),
    wrong=COMMON
    | {
        "alpha": [
            (-1, "-1"),
            (np.nan, "nan"),
            (np.inf, "inf"),
            ("big", "'big'"),
            (None, "None"),
            ([1.0, 2.0], r"\[1"),
        ],
        "q": [
            (0, "0"),
            (-1.0, "-1"),
            (101, "101"),
            (np.nan, "nan"),
            (np.inf, "inf"),
            ("one", "'one'"),
            (True, "True"),
        ],
    },
)
