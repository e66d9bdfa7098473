import numpy as np

from suffice.bases import Polynomial
from suffice.linear import Ridge

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import LINEAR, NO_NAN
from ..wrong import BOOLEAN, COMMON, PASSES, SEEDS, SIZE

ENTRY = Entry(
    Ridge,
    {
        "default": {},
        "no penalty": {"alpha": 0.0, "weight_kind": "precision"},
        "all penalized": {"alpha": 2.5, "penalize_intercept": True, "penalty_scale": "mean"},
        "parabola, standardized": {"alpha": 1e-3, "basis": Polynomial(2), "standardize": True},
        "far": {
            "alpha": 1e4,
            "fit_intercept": False,
            "basis": Polynomial(2, interactions=True),
            "standardize": True,
            "penalty_scale": "unbiased",
            "copy_X": False,
            "max_iter": 7,
            "tol": 1e-2,
            "solver": "saga",
            "random_state": 5,
        },
        "positive": {"alpha": 0.1, "positive": True},
    },
    Capabilities(
        nan=NO_NAN,
        evidence=No(
            "A penalty fixes the ratio of noise to prior variance but neither of the two, so there is no "
            "probability of the targets; BayesianLinearRegression has it."
        ),
        **LINEAR,
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
            (1j, "1j"),
            (True, "True"),
        ],
        "copy_X": BOOLEAN,
        "positive": BOOLEAN,
        "max_iter": PASSES,
        "tol": SIZE,
        "solver": [("newton", "'newton'"), (None, "None")],
        "random_state": SEEDS,
        "penalize_intercept": BOOLEAN,
        "penalty_scale": [("average", "'average'"), (None, "None")],
    },
)
