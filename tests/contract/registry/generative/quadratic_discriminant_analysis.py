import numpy as np

from suffice.generative.quadratic_discriminant import QuadraticDiscriminantAnalysis

from ..capabilities import Capabilities
from ..entry import Entry
from ..reasons import LINEAR, ONLY_WITH_PRIOR
from ..wrong import DISCRIMINANTS

ENTRY = Entry(
    QuadraticDiscriminantAnalysis,
    {
        "default": {},
        "shrunk as much as needed": {"shrinkage": "auto", "priors": "uniform", "unbiased": True},
        "regularized": {"reg_param": 0.3},
        "far": {
            "solver": "eigen",
            "store_covariance": True,
            "shrinkage": 0.9,
            "reg_param": 0.8,
            "tol": 1e-2,
            "covariance": "diagonal",
            "em_tol": 1e-3,
            "em_max_iter": 50,
        },
    },
    Capabilities(nan=True, evidence=ONLY_WITH_PRIOR, **LINEAR),
    wrong=DISCRIMINANTS
    | {
        "solver": [("lsqr", "'lsqr'"), (None, "None")],
        "tol": [(-1.0, "-1"), (np.nan, "nan"), ("small", "'small'"), (None, "None")],
        "store_covariance": [("yes", "'yes'"), (1, "1"), (None, "None")],
        "reg_param": [
            (-0.1, "-0.1"),
            (1.5, "1.5"),
            ("big", "'big'"),
            (np.nan, "nan"),
            (None, "None"),
            (True, "True"),
        ],
    },
    unmoved={
        "covariance_estimator": "it leaves no statistics to add; tests/generative/test_covariance_estimator.py",
        "prior": "it has as many coordinates as there are columns, which scikit-learn's checks vary",
    },
)
