import numpy as np

from suffice.bases import GaussianBasis, Polynomial
from suffice.linear import ARDRegression

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import ADDING, NO_NAN
from ..wrong import COMMON, PRECISION

ENTRY = Entry(
    ARDRegression,
    {
        "default": {},
        "known noise": {"noise_precision": 2.0, "basis": Polynomial(2)},
        "all with a prior": {"intercept": "prior", "max_iter": 500, "compute_score": True},
        "bumps": {"basis": GaussianBasis([-1.0, 0.0, 1.0], width=1.0), "threshold_lambda": np.inf},
        "far": {
            "noise_precision": 25.0,
            "fit_intercept": False,
            "basis": Polynomial(2, interactions=True),
            "standardize": True,
            "weight_kind": "precision",
            "threshold_lambda": 1e6,
            "max_iter": 5000,
            "tol": 1e-6,
            "alpha_1": 0.0,
            "alpha_2": 0.0,
            "lambda_1": 0.0,
            "lambda_2": 0.0,
            "copy_X": False,
            "verbose": 1,
        },
    },
    Capabilities(
        nan=NO_NAN,
        heldout=No(
            "The precisions, and which weights are pruned, are found anew in each fold, so there is no fixed hat "
            "matrix; folds are answered from their statistics."
        ),
        evidence=True,
        **ADDING,
    ),
    wrong=COMMON
    | {
        "noise_precision": PRECISION,
        "intercept": [("none", "'none'"), (True, "True")],
        "threshold_lambda": [
            (0, "0"),
            (-1.0, "-1"),
            (np.nan, "nan"),
            ("big", "'big'"),
            (None, "None"),
            (True, "True"),
        ],
        "max_iter": [(0, "0"), (1.5, "1.5"), (True, "True"), ("many", "'many'"), (None, "None")],
        "compute_score": [("yes", "'yes'"), (2, "2")],
        "tol": [(-1, "-1"), ("small", "'small'")],
        "copy_X": [("no", "'no'")],
        "verbose": [(-1, "-1"), ("loud", "'loud'")],
    }
    | {f"{p}_{i}": [(-1, "-1"), (3.0, "3"), ("none", "'none'")] for p in ("alpha", "lambda") for i in (1, 2)},
)
