import numpy as np

from suffice.generative.linear_discriminant import LinearDiscriminantAnalysis

from ..capabilities import Capabilities
from ..entry import Entry
from ..reasons import LINEAR, ONLY_WITH_PRIOR
from ..wrong import DISCRIMINANTS

ENTRY = Entry(
    LinearDiscriminantAnalysis,
    {
        "default": {},
        "shrunk as much as needed": {"shrinkage": "auto", "priors": "uniform", "unbiased": True},
        "least squares": {"solver": "lsqr", "shrinkage": 0.2, "n_components": 1},
        "far": {
            "solver": "eigen",
            "store_covariance": True,
            "shrinkage": 0.9,
            "priors": "uniform",
            "n_components": 1,
            "tol": 1e-2,
            "covariance": "diagonal",
            "em_tol": 1e-3,
            "em_max_iter": 50,
        },
    },
    Capabilities(nan=True, evidence=ONLY_WITH_PRIOR, **LINEAR),
    wrong=DISCRIMINANTS
    | {
        "store_covariance": [("yes", "'yes'"), (1, "1"), (None, "None")],
        "solver": [("qr", "'qr'"), (None, "None")],
        "n_components": [(0, "0"), (1.5, "1.5"), (True, "True"), ("two", "'two'")],
        "tol": [(-1.0, "-1"), (np.nan, "nan"), ("small", "'small'"), (None, "None")],
    },
    unmoved={
        "covariance_estimator": "it leaves no statistics to add; tests/generative/test_covariance_estimator.py",
        "prior": "it has as many coordinates as there are columns, which scikit-learn's checks vary",
    },
)
