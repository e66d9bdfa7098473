import numpy as np

from suffice.generative.ridge_classifier_cv import RidgeClassifierCV

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_NAN
from ..wrong import BOOLEAN, NEWTON

ENTRY = Entry(
    RidgeClassifierCV,
    {
        "default": {},
        "accuracy": {"alphas": [0.1, 3.0], "scoring": "accuracy", "store_cv_results": True},
        "folds": {"alphas": (0.01, 1.0, 30.0), "cv": 3},
        "far": {
            "alphas": [0.5, 5.0],
            "fit_intercept": False,
            "scoring": "balanced_accuracy",
            "class_weight": "balanced",
            "store_cv_results": True,
        },
    },
    Capabilities(
        nan=NO_NAN,
        weights=True,
        statistics=No(
            "The penalty is chosen by rows left out one by one, and sums over rows tell nothing of these."
        ),
        heldout=No(
            "A penalty is chosen anew without each fold, so there is no fixed hat matrix to take rows out of."
        ),
        evidence=No("Targets of plus and minus one are not normal, so the labels have no probability."),
        predict_dist=No("Outputs are distances from a plane in no unit: they are no probabilities."),
        sparse=True,
        partial_fit=No(
            "With more rows another penalty may be the best, which only all of them together can tell."
        ),
    ),
    by_folds=True,
    wrong={
        "alphas": [(-1, "-1"), ([1.0, np.nan], "nan"), ([], r"\[\]"), ("big", "'big'"), ([0.0, 1.0], "0.0")],
        "fit_intercept": BOOLEAN,
        "scoring": [("right", "right"), (3, "3")],
        "cv": [(1, "1"), ("five", "five")],
        "class_weight": NEWTON["class_weight"],
        "store_cv_results": BOOLEAN,
    },
)
