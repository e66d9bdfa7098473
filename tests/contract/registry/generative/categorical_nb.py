import numpy as np

from suffice.distributions import Beta
from suffice.generative.categorical_nb import CategoricalNB

from ..capabilities import Capabilities, No
from ..data import codes
from ..entry import Entry
from ..wrong import ALPHA, BOOLEAN

ENTRY = Entry(
    CategoricalNB,
    {
        "default": {},
        "listed": {"categories": (("low", "high"), ("no", "yes"), ("a", "b", "c"))},
        "a prior": {"prior": Beta(2.0, 0.5)},
        "far": {
            "alpha": 0.1,
            "force_alpha": False,
            "fit_prior": False,
            "class_prior": "uniform",
            "min_categories": 5,
            "unknown": "smooth",
        },
    },
    Capabilities(
        nan=True,
        weights=True,
        statistics=True,
        heldout=True,
        evidence=True,
        predict_dist=True,
        sparse=No("A cell that is not stored would be the value 0, so every cell is needed anyway."),
        partial_fit=True,
    ),
    takes="categories",
    data=codes,
    without_evidence=("default", "listed", "far"),  # probabilities have no prior unless one is given
    not_for_scikit_learn={
        "listed": "its tables hold no words",
        "a prior": "its columns hold more than two values",
    },
    wrong={
        "alpha": ALPHA,
        "categories": [("listed", "'listed'")],
        "class_prior": [],
        "fit_prior": BOOLEAN,
        "force_alpha": BOOLEAN,
        "min_categories": [(0, "0"), (1.5, "1.5"), ("two", "'two'")],
        "prior": [("Beta", "'Beta'"), (np.nan, "nan")],
        "unknown": [("ignore", "'ignore'"), (None, "None")],
    },
)
