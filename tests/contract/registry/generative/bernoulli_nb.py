import numpy as np

from suffice.distributions import Beta
from suffice.generative import BernoulliNB

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import LINEAR
from ..wrong import BOOLEAN

ENTRY = Entry(
    BernoulliNB,
    {
        "default": {},
        "equal priors": {"alpha": 0.1, "binarize": 0.4, "fit_prior": False},
        "a prior": {"prior": Beta(2.0, 0.5)},
        "far": {"alpha": 20.0, "force_alpha": False, "binarize": -0.6, "class_prior": "uniform"},
    },
    Capabilities(
        nan=True,
        evidence=No(
            "alpha = 0 is no prior, and the probability would be that of the columns given the labels, which no other "
            "classifier's could be compared with; Beta(a, b).log_evidence answers for a column."
        ),
        **LINEAR,
    ),
    wrong={
        "alpha": [
            (-1.0, "-1"),
            (np.nan, "nan"),
            (np.inf, "inf"),
            ("auto", "'auto'"),
            (None, "None"),
            (True, "True"),
        ],
        "binarize": [("half", "'half'"), (np.nan, "nan"), (True, "True")],
        "force_alpha": BOOLEAN,
        "fit_prior": BOOLEAN,
        "class_prior": [("equal", "'equal'")],
        "prior": [(2.0, "2"), ("Beta", "'Beta'")],
    },
)
