import numpy as np

from suffice.generative.ridge_classifier import RidgeClassifier

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_NAN
from ..wrong import BOOLEAN, NEWTON, PASSES, SEEDS, SIZE

ENTRY = Entry(
    RidgeClassifier,
    {
        "default": {},
        "through the origin": {"alpha": 0.3, "fit_intercept": False, "class_weight": "balanced"},
        "above zero": {"alpha": 2.0, "positive": True},
        "no penalty": {"alpha": 0.0},
        "far": {
            "alpha": 30.0,
            "fit_intercept": False,
            "copy_X": False,
            "max_iter": 7,
            "tol": 1e-2,
            "class_weight": "balanced",
            "solver": "saga",
            "positive": True,
            "random_state": 3,
        },
    },
    Capabilities(
        nan=NO_NAN,
        weights=True,
        statistics=True,
        heldout=No(
            "The closed form would give outputs, and `heldout` gives distributions, which it has not; statistics of "
            "folds are solved instead."
        ),
        evidence=No("Targets of plus and minus one are not normal, so the labels have no probability."),
        predict_dist=No("Outputs are distances from a plane in no unit: they are no probabilities."),
        sparse=True,
        partial_fit=True,
    ),
    wrong={
        "alpha": [
            (-1, "-1"),
            (np.nan, "nan"),
            (np.inf, "inf"),
            ("big", "'big'"),
            (None, "None"),
            (True, "True"),
        ],
        "fit_intercept": BOOLEAN,
        "positive": BOOLEAN,
        "copy_X": BOOLEAN,
        "max_iter": PASSES,
        "tol": SIZE,
        "class_weight": NEWTON["class_weight"],
        "solver": [("newton", "'newton'"), (None, "None")],
        "random_state": SEEDS,
    },
)
