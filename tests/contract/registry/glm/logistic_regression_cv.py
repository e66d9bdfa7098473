from suffice.bases import Polynomial
from suffice.glm import LogisticRegressionCV

from ..entry import Entry
from ..reasons import newton
from ..wrong import BOOLEAN, NEWTON, PEER_SOLVERS

ENTRY = Entry(
    LogisticRegressionCV,
    {
        "default": {},
        "elastic net": {
            "Cs": [0.1, 1.0],
            "l1_ratios": (0.5, 1.0),
            "scoring": "neg_log_loss",
            "use_legacy_attributes": False,
            "cv": 3,
            "penalty": "elasticnet",
        },
        "means of folds": {
            "Cs": [0.1, 1.0, 3.0],
            "l1_ratios": (0.0,),
            "scoring": "accuracy",
            "use_legacy_attributes": False,
            "refit": False,
            "fit_intercept": False,
        },
        "far": {
            "Cs": 3,
            "l1_ratios": (0.0, 0.3),
            "cv": 3,
            "dual": True,
            "scoring": "neg_log_loss",
            "solver": "liblinear",
            "tol": 1e-10,
            "max_iter": 50,
            "class_weight": "balanced",
            "n_jobs": 2,
            "verbose": 1,
            "intercept_scaling": 3.0,
            "random_state": 3,
            "use_legacy_attributes": False,
            "basis": Polynomial(2),
            "standardize": True,
        },
    },
    newton(),
    overlapping=True,
    by_folds=True,
    wrong={
        **{k: NEWTON[k] for k in ("fit_intercept", "basis", "standardize", "tol", "class_weight")},
        "Cs": [
            (0, "0"),
            (1.5, "1.5"),
            ([], r"\[\]"),
            ([1.0, -1.0], "-1"),
            ("many", "'many'"),
            (True, "True"),
        ],
        "l1_ratios": [([0.5, 1.1], "1.1"), ([-0.1], "-0.1"), ([], r"\[\]"), (0.5, "0.5")],
        "cv": [(1, "1"), ("five", "'five'|five")],
        "penalty": [("l3", "'l3'"), (None, "None"), (1, "1")],
        "scoring": [("right", "right"), (3, "3")],
        "refit": BOOLEAN,
        "use_legacy_attributes": BOOLEAN,
    }
    | PEER_SOLVERS,
    costly=True,
)
