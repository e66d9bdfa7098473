import numpy as np

from suffice.generative.mixed_nb import MixedNB

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..wrong import NORMAL_COLUMNS

ENTRY = Entry(
    MixedNB,
    {
        "default": {},
        "as told": {"kinds": "gaussian", "unbiased": True, "std_offset": 0.5, "var_smoothing": 0.0},
        "far": {
            "alpha": 0.1,
            "std_offset": 2.0,
            "var_smoothing": 0.3,
            "unbiased": True,
            "priors": "uniform",
            "unknown": "raise",
        },
    },
    Capabilities(
        nan=True,
        weights=True,
        statistics=True,
        heldout=True,
        evidence=No("Gaussian columns have no prior, so the probability of the rows is not defined."),
        predict_dist=True,
        sparse=No(
            "A sparse table has one type for all of its columns, so nothing is mixed; GaussianNB takes it."
        ),
        partial_fit=True,
    ),
    wrong=NORMAL_COLUMNS
    | {
        "kinds": [
            ("binomial", "'binomial'"),
            (["gaussian"], "gaussian"),
            ({"x9": "gaussian"}, "'x9'"),
            (["a", "b", "c"], "'a'"),
        ],
        "alpha": [
            (-1.0, "-1"),
            (np.nan, "nan"),
            (np.inf, "inf"),
            ("auto", "'auto'"),
            (None, "None"),
            (True, "True"),
        ],
        "unknown": [("ignore", "'ignore'"), (None, "None")],
    },
)
