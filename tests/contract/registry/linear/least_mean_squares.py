import numpy as np

from suffice.bases import Polynomial
from suffice.linear import LeastMeanSquares

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..wrong import BOOLEAN, COMMON

ENTRY = Entry(
    LeastMeanSquares,
    {
        "default": {},
        "constant rate": {"learning_rate": 1e-5, "epochs": 3},
        "shuffled": {"shuffle": True, "random_state": 4, "epochs": 20},
        "standardized": {"standardize": True, "learning_rate": 0.01, "epochs": 10},
        "far": {
            "learning_rate": 1e-9,
            "decay": 1e-3,
            "epochs": 5,
            "shuffle": True,
            "random_state": 1,
            "fit_intercept": False,
            "basis": Polynomial(2),
        },
    },
    Capabilities(
        nan=No("A step in the direction of a missing cell is unknown; the error names the first one."),
        weights=No(
            "A row has its say when it comes: to count it twice, show it twice; a weight would be another rate."
        ),
        statistics=No("Each step starts where the one before it ended, so steps do not add up in any order."),
        heldout=No("A row changes every later step, so leaving it out means taking all of them again."),
        evidence=No("The rule has no prior and no likelihood, so the targets have no probability under it."),
        predict_dist=True,
        sparse=True,
        partial_fit=True,
    ),
    ordered=True,
    wrong={
        "learning_rate": [
            (0, "0"),
            (-1.0, "-1"),
            (np.nan, "nan"),
            ("fast", "'fast'"),
            (None, "None"),
            (True, "True"),
        ],
        "decay": [(-1.0, "-1"), (np.inf, "inf"), ("slow", "'slow'"), (None, "None")],
        "epochs": [(0, "0"), (1.5, "1.5"), (True, "True"), ("many", "'many'"), (None, "None")],
        "shuffle": BOOLEAN,
        "random_state": [(-1, "-1"), ("seed", "'seed'"), (True, "True")],
        "fit_intercept": BOOLEAN,
        "basis": COMMON["basis"],
        "standardize": BOOLEAN,
    },
)
