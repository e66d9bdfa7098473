import numpy as np

from suffice.bases import GaussianBasis, Polynomial
from suffice.linear import BayesianLinearRegression

from ..capabilities import Capabilities
from ..entry import Entry
from ..reasons import LINEAR, NO_NAN
from ..wrong import COMMON, PRECISION

ENTRY = Entry(
    BayesianLinearRegression,
    {
        "default": {},
        "em": {"method": "em", "standardize": True},
        "known precisions": {"prior_precision": 0.3, "noise_precision": 25.0, "intercept": "prior"},
        "known noise": {"noise_precision": 2.0, "basis": GaussianBasis([-1.0, 0.0, 1.0], width=1.0)},
        "through the origin": {"prior_precision": 3.0, "fit_intercept": False},
        "far": {
            "prior_precision": 1e-4,
            "noise_precision": 1e3,
            "basis": Polynomial(3),
            "intercept": "prior",
            "standardize": True,
            "weight_kind": "precision",
        },
    },
    Capabilities(nan=NO_NAN, evidence=True, **LINEAR),
    wrong=COMMON
    | {
        "prior_precision": PRECISION,
        "noise_precision": PRECISION,
        "prior_mean": [("zero", "'zero'"), ([1.0], r"\(1,\)"), ([np.nan] * 3, "nan|shape"), (1j, "1j")],
        "prior_cov": [
            ("unit", "'unit'"),
            (np.eye(2), r"\(2, 2\)"),
            (np.full((3, 3), np.nan), "nan|shape"),
            (5.0, r"5|\(\)"),
        ],
        "intercept": [("none", "'none'"), (True, "True")],
        "method": [("newton", "'newton'"), (None, "None")],
    },
    unmoved={
        "prior_cov": "its size follows the columns, which scikit-learn's checks vary",
        "prior_mean": "its size follows the columns, which scikit-learn's checks vary",
    },
)
