import numpy as np

from suffice.linear import RidgeCV

from ..entry import Entry
from ..reasons import CHOOSING
from ..wrong import BOOLEAN, PENALTY_LISTS

ENTRY = Entry(
    RidgeCV,
    {
        "default": {},
        "through the origin": {"alphas": [1e-3, 3e-3], "fit_intercept": False},
        "many": {"alphas": np.geomspace(1e-6, 1e6, 40), "scoring": "r2"},
        "far": {
            "alphas": np.geomspace(1e-4, 1e4, 7),
            "fit_intercept": False,
            "scoring": "neg_mean_absolute_error",
            "gcv_mode": "svd",
        },
    },
    CHOOSING,
    by_folds=True,
    wrong=PENALTY_LISTS
    | {
        "scoring": [("r3", "'r3'"), (3, "3")],
        "gcv_mode": [("gram", "'gram'"), (True, "True")],
        "store_cv_results": BOOLEAN,
        "alpha_per_target": BOOLEAN,
    },
    unmoved={
        "alpha_per_target": "it needs cv=None, which checks set",
        "cv": "folds depend on the order of rows",
        "store_cv_results": "it needs cv=None, which checks set",
    },
)
