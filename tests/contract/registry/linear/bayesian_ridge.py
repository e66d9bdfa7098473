from suffice.bases import Polynomial
from suffice.linear import BayesianRidge

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import ADDING, NO_NAN
from ..wrong import COMMON

ENTRY = Entry(
    BayesianRidge,
    {
        "default": {},
        "tight": {"tol": 1e-10, "max_iter": 2000, "compute_score": True},
        "through the origin": {"fit_intercept": False, "alpha_init": 2.0, "lambda_init": 0.1},
        "far": {
            "tol": 1e-12,
            "max_iter": 5000,
            "alpha_1": 2.0,
            "alpha_2": 0.5,
            "lambda_1": 1.0,
            "lambda_2": 3.0,
            "copy_X": False,
            "verbose": 1,
            "basis": Polynomial(2),
            "standardize": True,
        },
    },
    Capabilities(
        nan=NO_NAN,
        heldout=No(
            "Both precisions are found anew in each fold, so there is no fixed hat matrix; folds are answered from "
            "their statistics."
        ),
        evidence=True,
        **ADDING,
    ),
    wrong={k: COMMON[k] for k in ("fit_intercept", "basis", "standardize")}
    | {
        "max_iter": [(0, "0"), (1.5, "1.5"), (True, "True"), ("many", "'many'"), (None, "None")],
        "compute_score": [("yes", "'yes'"), (2, "2")],
        "tol": [(-1, "-1"), ("small", "'small'")],
        "copy_X": [("no", "'no'")],
        "verbose": [(-1, "-1"), ("loud", "'loud'")],
    }
    | {f"{p}_{i}": [(-1, "-1"), ("none", "'none'")] for p in ("alpha", "lambda") for i in (1, 2)}
    | {f"{p}_init": [(0, "0"), ("none", "'none'")] for p in ("alpha", "lambda")},
)
