import numpy as np

from suffice.bases import GaussianBasis, Polynomial
from suffice.linear import ConjugateLinearRegression

from ..capabilities import Capabilities
from ..entry import Entry
from ..reasons import LINEAR, NO_NAN
from ..wrong import COMMON, PRECISION

ENTRY = Entry(
    ConjugateLinearRegression,
    {
        "default": {},
        "all with a prior": {"prior_precision": 0.3, "shape": 2.0, "rate": 0.5, "intercept": "prior"},
        "bumps": {"rate": 0.02, "basis": GaussianBasis([-1.0, 0.0, 1.0], width=1.0)},
        "through the origin": {
            "prior_precision": 3.0,
            "fit_intercept": False,
            "weight_kind": "precision",
        },
        "far": {
            "prior_precision": 1e-4,
            "shape": 5.0,
            "rate": 100.0,
            "basis": Polynomial(3),
            "intercept": "prior",
            "standardize": True,
            "weight_kind": "precision",
        },
    },
    Capabilities(nan=NO_NAN, evidence=True, **LINEAR),
    wrong=COMMON
    | {
        **dict.fromkeys(("prior_precision", "shape", "rate"), PRECISION),
        "prior_mean": [("zero", "'zero'"), ([1.0], r"\(1,\)")],
        "prior_cov": [("unit", "'unit'"), (np.eye(2), r"\(2, 2\)")],
        "intercept": [("none", "'none'"), (True, "True")],
    },
    unmoved={
        "prior_cov": "its size follows the columns, which scikit-learn's checks vary",
        "prior_mean": "its size follows the columns, which scikit-learn's checks vary",
    },
)
