import numpy as np

from suffice.generative.perceptron import Perceptron

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..wrong import BOOLEAN, FRACTION, NEWTON

ENTRY = Entry(
    Perceptron,
    {
        "default": {},
        "in order": {"shuffle": False},
        "pulled": {"penalty": "l1"},
        "far": {
            "penalty": "elasticnet",
            "alpha": 1e-5,
            "l1_ratio": 0.6,
            "max_iter": 300,
            "tol": 1e-4,
            "verbose": 1,
            "eta0": 1e-3,
            "n_jobs": 2,
            "n_iter_no_change": 9,
            "random_state": 4,
        },
    },
    Capabilities(
        nan=No("Which side a row with a missing cell is on is unknown; the error names the first one."),
        weights=No("A row has its say when it comes: to count it twice, show it twice."),
        statistics=No("Each step starts where the one before it ended, so steps do not add up in any order."),
        heldout=No("A row changes every later step, so leaving it out means taking all of them again."),
        evidence=No("The rule has no likelihood, so the labels have no probability under it."),
        predict_dist=No("A plane tells sides apart, and nothing in the rule says how probable a side is."),
        sparse=True,
        partial_fit=True,
    ),
    ordered=True,
    wrong={
        "fit_intercept": BOOLEAN,
        "max_iter": [(0, "0"), (1.5, "1.5"), (True, "True"), ("many", "'many'"), (None, "None")],
        "tol": [(-1.0, "-1"), (np.nan, "nan"), ("small", "'small'")],
        "shuffle": BOOLEAN,
        "eta0": [(0, "0"), (-1.0, "-1"), (np.inf, "inf"), ("fast", "'fast'"), (None, "None")],
        "n_iter_no_change": [(0, "0"), (2.5, "2.5"), (None, "None")],
        "random_state": [(-1, "-1"), ("seed", "'seed'"), (True, "True")],
        "penalty": [("l3", "'l3'"), (1.0, "1.0")],
        "alpha": [(-1.0, "-1"), (np.nan, "nan"), ("big", "'big'"), (None, "None")],
        "l1_ratio": FRACTION,
        "verbose": [("loud", "'loud'"), (-1, "-1")],
        "n_jobs": [(1.5, "1.5"), ("all", "'all'"), (True, "True")],
        "early_stopping": BOOLEAN,
        "validation_fraction": [(0, "0"), (1.0, "1.0"), ("some", "'some'"), (None, "None")],
        "class_weight": NEWTON["class_weight"],
        "warm_start": BOOLEAN,
    },
    unmoved={
        "class_weight": "planes fail scikit-learn's checks of it",
        "early_stopping": "it needs all rows at once",
        "fit_intercept": "planes through the origin fail scikit-learn's checks of class weights",
        "validation_fraction": "it needs all rows at once",
        "warm_start": "it is about a second fit, which elsewhere must be the first",
    },
)
